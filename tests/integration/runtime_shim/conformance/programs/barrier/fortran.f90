! barrier in Fortran.
program fortran
  use conformance
  !$omp parallel num_threads(2)
  call conf_mark("before" // char(0))
  !$omp barrier ! AT(barrier)
  call conf_mark("behind" // char(0))
  !$omp end parallel
end program

! EXPECT(initial): mark name=before state=work_parallel
! EXPECT(initial): sync_region kind=barrier_explicit endpoint=begin codeptr=@barrier now_enter!=0
! EXPECT(initial): sync_region_wait kind=barrier_explicit endpoint=begin codeptr=@barrier
! EXPECT(initial): sync_region_wait kind=barrier_explicit endpoint=end codeptr=@barrier
! EXPECT(initial): sync_region kind=barrier_explicit endpoint=end codeptr=@barrier now_enter!=0
! EXPECT(initial): mark name=behind state=work_parallel now_enter=0
! EXPECT(initial): sync_region kind=barrier_implicit_parallel endpoint=begin
! EXPECT(initial): sync_region_wait kind=barrier_implicit_parallel endpoint=begin
! EXPECT(initial): sync_region_wait kind=barrier_implicit_parallel endpoint=end
! EXPECT(initial): sync_region kind=barrier_implicit_parallel endpoint=end
! EXPECT(worker): mark name=before state=work_parallel
! EXPECT(worker): sync_region kind=barrier_explicit endpoint=begin codeptr=@barrier
! EXPECT(worker): sync_region_wait kind=barrier_explicit endpoint=begin codeptr=@barrier
! EXPECT(worker): sync_region_wait kind=barrier_explicit endpoint=end codeptr=@barrier
! EXPECT(worker): sync_region kind=barrier_explicit endpoint=end codeptr=@barrier
! EXPECT(worker): mark name=behind state=work_parallel
! EXPECT(worker): sync_region kind=barrier_implicit_parallel endpoint=begin
! EXPECT(worker): sync_region_wait kind=barrier_implicit_parallel endpoint=begin
! EXPECT(worker): sync_region_wait kind=barrier_implicit_parallel endpoint=end
! EXPECT(worker): sync_region kind=barrier_implicit_parallel endpoint=end
