! A detachable task in Fortran: the event is fulfilled under Fortran's name.
program fortran
  use conformance
  use omp_lib
  integer(omp_event_handle_kind) :: event
  !$omp parallel num_threads(1)
  !$omp task detach(event)
  call omp_fulfill_event(event)
  call conf_mark("fulfilled" // char(0))
  !$omp end task
  !$omp taskwait
  call conf_mark("behind" // char(0))
  !$omp end parallel
end program

! IGNORE: task_info parallel_info
! EXPECT(initial): task_create task=$T new_task=$N flags=explicit
! EXPECT(initial): task_schedule prior=$T status=switch next=$N
! EXPECT(initial): task_schedule prior=$N status=early_fulfill next=none now_task=$N
! EXPECT(initial): mark name=fulfilled now_task=$N
! EXPECT(initial): task_schedule prior=$N status=complete next=$T
! EXPECT(initial): mark name=behind now_task=$T
