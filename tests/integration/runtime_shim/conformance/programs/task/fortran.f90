! A task in Fortran, and one with an if clause.
program fortran
  use conformance
  integer :: value
  value = 3
  !$omp parallel num_threads(1)
  call conf_mark("before" // char(0))
  !$omp task firstprivate(value)
  if (value == 3) call conf_mark("deferred" // char(0))
  !$omp end task
  !$omp taskwait
  !$omp task if(.false.)
  call conf_mark("undeferred" // char(0))
  !$omp end task
  !$omp end parallel
end program

! IGNORE: task_info parallel_info
! EXPECT(initial): mark name=before now_task=$T
! EXPECT(initial): task_create task=$T new_task=$N flags=explicit
! EXPECT(initial): task_schedule prior=$T status=switch next=$N
! EXPECT(initial): mark name=deferred now_task=$N state=work_parallel now_enter=0 {sp < now_exit}
! EXPECT(initial): task_schedule prior=$N status=complete next=$T
! EXPECT(initial): task_create task=$T new_task=$M flags=explicit+undeferred
! EXPECT(initial): task_schedule prior=$T status=switch next=$M
! EXPECT(initial): mark name=undeferred now_task=$M state=work_parallel
! EXPECT(initial): task_schedule prior=$M status=complete next=$T
