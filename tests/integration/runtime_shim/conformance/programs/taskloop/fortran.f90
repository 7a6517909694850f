! A taskloop in Fortran, with an unsigned count of more than one dimension.
program fortran
  use conformance
  integer :: i, j, total
  total = 0
  !$omp parallel num_threads(1)
  !$omp taskloop num_tasks(4) collapse(2) shared(total)
  do i = 1, 6
    do j = 1, 5
      !$omp atomic
      total = total + i * j
    end do
  end do
  !$omp end taskloop
  !$omp end parallel
  if (total == 315) call conf_mark("right" // char(0))
end program

! COUNT: work work=taskloop endpoint=begin count=30 == 1
! COUNT: work work=taskloop endpoint=end count=30 == 1
! COUNT: task_create flags=explicit == 4
! COUNT: task_schedule status=complete == 4
! COUNT: sync_region kind=taskgroup == 2
! COUNT: mark name=right == 1
