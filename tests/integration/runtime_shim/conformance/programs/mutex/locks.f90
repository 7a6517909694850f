! Locks and nest locks in Fortran: other names, and a variable of another size in libgomp.
program locks
  use omp_lib
  use conformance
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest_lock
  integer :: depth
  logical :: taken
  !$omp parallel num_threads(1)
  call omp_init_lock(lock)                ! AT(init)
  call omp_set_lock(lock)                 ! AT(set)
  taken = omp_test_lock(lock)             ! AT(test)
  call omp_unset_lock(lock)               ! AT(unset)
  call omp_destroy_lock(lock)             ! AT(destroy)
  call conf_mark("nest" // char(0))
  call omp_init_nest_lock(nest_lock)      ! AT(init)
  call omp_set_nest_lock(nest_lock)       ! AT(set)
  depth = omp_test_nest_lock(nest_lock)   ! AT(test)
  call omp_unset_nest_lock(nest_lock)     ! AT(unset)
  call omp_unset_nest_lock(nest_lock)     ! AT(unset)
  call omp_destroy_nest_lock(nest_lock)   ! AT(destroy) AT(init): gfortran gives the first call of the region this line
  !$omp end parallel
  if (taken .or. depth /= 2) stop 1
end program

! IGNORE: task_info parallel_info
! EXPECT(initial): lock_init kind=lock wait_id=$L codeptr=@init
! EXPECT(initial): mutex_acquire kind=lock wait_id=$L codeptr=@set
! EXPECT(initial): mutex_acquired kind=lock wait_id=$L codeptr=@set
! EXPECT(initial): mutex_acquire kind=test_lock wait_id=$L codeptr=@test
! EXPECT(initial): mutex_released kind=lock wait_id=$L codeptr=@unset
! EXPECT(initial): lock_destroy kind=lock wait_id=$L codeptr=@destroy
! EXPECT(initial): mark name=nest
! EXPECT(initial): lock_init kind=nest_lock wait_id=$N codeptr=@init
! EXPECT(initial): mutex_acquire kind=nest_lock wait_id=$N codeptr=@set
! EXPECT(initial): mutex_acquired kind=nest_lock wait_id=$N codeptr=@set
! EXPECT(initial): mutex_acquire kind=test_nest_lock wait_id=$N codeptr=@test
! EXPECT(initial): nest_lock endpoint=begin wait_id=$N codeptr=@test
! EXPECT(initial): nest_lock endpoint=end wait_id=$N codeptr=@unset
! EXPECT(initial): mutex_released kind=nest_lock wait_id=$N codeptr=@unset
! EXPECT(initial): lock_destroy kind=nest_lock wait_id=$N codeptr=@destroy
