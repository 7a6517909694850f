! Worksharing in Fortran.
program worksharing
  use conformance
  integer :: i, total
  total = 0
  !$omp parallel num_threads(1)
  !$omp do schedule(dynamic, 2)
  do i = 10, 1, -2
    total = total + i
  end do
  !$omp end do
  call conf_mark("sections" // char(0))
  !$omp sections
  total = total + 1
  !$omp section
  total = total + 1
  !$omp end sections nowait
  call conf_mark("single" // char(0))
  !$omp single
  total = total + 1
  !$omp end single
  call conf_mark("end" // char(0))
  !$omp end parallel
  if (total /= 33) stop 1
end program

! IGNORE: task_info parallel_info sync_region_wait
! EXPECT(initial): work work=loop endpoint=begin count=5
! EXPECT(initial): dispatch kind=iteration instance=0
! EXPECT(initial): dispatch kind=iteration instance=2
! EXPECT(initial): dispatch kind=iteration instance=4
! EXPECT(initial): work work=loop endpoint=end
! EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=begin
! EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=end
! EXPECT(initial): mark name=sections
! EXPECT(initial): work work=sections endpoint=begin count=2
! EXPECT(initial): dispatch kind=section
! EXPECT(initial): dispatch kind=section
! EXPECT(initial): work work=sections endpoint=end
! EXPECT(initial): mark name=single
! EXPECT(initial): work work=single_executor endpoint=begin
! EXPECT(initial): work work=single_executor endpoint=end
! EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=begin
! EXPECT(initial): sync_region kind=barrier_implicit_workshare endpoint=end
! EXPECT(initial): mark name=end
! EXPECT(initial): * sync_region kind=barrier_implicit_parallel
