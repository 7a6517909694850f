! critical in Fortran: libgomp's calls are the same as in C.
program critical
  use conformance
  integer :: n
  n = 0
  !$omp parallel num_threads(2)
  call conf_mark("before" // char(0))
  !$omp critical (name) ! AT(critical)
  n = n + 1             ! AT(critical)
  !$omp end critical (name) ! AT(critical)
  call conf_mark("behind" // char(0)) ! AT(critical)
  !$omp end parallel
  if (n /= 2) stop 1
end program

! IGNORE: task_info parallel_info
! EXPECT(initial): mark name=before state=work_parallel
! EXPECT(initial): mutex_acquire kind=critical wait_id=$C codeptr=@critical
! EXPECT(initial): mutex_acquired kind=critical wait_id=$C codeptr=@critical
! EXPECT(initial): mutex_released kind=critical wait_id=$C codeptr=@critical
! EXPECT(initial): mark name=behind state=work_parallel
! EXPECT(worker): mark name=before state=work_parallel
! EXPECT(worker): mutex_acquire kind=critical wait_id=$C codeptr=@critical
! EXPECT(worker): mutex_acquired kind=critical wait_id=$C codeptr=@critical
! EXPECT(worker): mutex_released kind=critical wait_id=$C codeptr=@critical
! EXPECT(worker): mark name=behind state=work_parallel
