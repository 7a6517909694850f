! A region in Fortran.
program fortran
  use conformance
  call conf_settle()                 ! AT(region)
  !$omp parallel num_threads(2) ! AT(region)
  call conf_mark("inside" // char(0))
  !$omp end parallel
end program

! EXPECT(initial): parallel_begin requested=2 parallel=$P codeptr=@region
! EXPECT(initial): mark state=work_parallel now_parallel=$P
! EXPECT(initial): parallel_end parallel=$P codeptr=@region
! EXPECT(worker): mark state=work_parallel now_parallel=$P
