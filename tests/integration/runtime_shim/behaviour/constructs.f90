! Fortran's constructs: their results, and their threads where these are determined.
!
! RUN: OMP_NUM_THREADS=4
! RUN: OMP_NUM_THREADS=1
! RUN: OMP_NUM_THREADS=3 OMP_MAX_ACTIVE_LEVELS=2 OMP_SCHEDULE=dynamic,2
program constructs
  use omp_lib
  implicit none
  integer :: i, j, total, critical_total, locked, inner, singles
  integer :: owner(200)
  integer(omp_lock_kind) :: lock
  real(8) :: a(100), b(100)
  total = 0
  !$omp parallel do reduction(+:total)
  do i = 1, 200
    owner(i) = omp_get_thread_num()
    total = total + i
  end do
  print '(a,i0,a,i0)', 'sum ', total, ' owners ', sum(owner * [(j, j = 1, 200)])
  critical_total = 0
  locked = 0
  singles = 0
  call omp_init_lock(lock)
  !$omp parallel
  !$omp critical
  critical_total = critical_total + 1
  !$omp end critical
  call omp_set_lock(lock)
  locked = locked + 1
  call omp_unset_lock(lock)
  !$omp barrier
  !$omp single
  singles = singles + 1
  !$omp end single
  !$omp master
  singles = singles + 10
  !$omp end master
  !$omp end parallel
  call omp_destroy_lock(lock)
  print '(a,3(1x,i0))', 'critical, locked, single', critical_total, locked, singles
  a = 1
  !$omp parallel workshare
  b = a * 2 + 1
  !$omp end parallel workshare
  print '(a,f8.1)', 'workshare', sum(b)
  !$omp parallel do ordered schedule(runtime)
  do i = 1, 5
    !$omp ordered
    print '(a,i0)', 'ordered ', i
    !$omp end ordered
  end do
  inner = 0
  !$omp parallel num_threads(2)
  !$omp parallel num_threads(2)
  !$omp atomic
  inner = inner + 1
  !$omp end parallel
  !$omp end parallel
  print '(a,i0)', 'nested ', inner
  !$omp parallel
  !$omp single
  do i = 1, 10
    !$omp task firstprivate(i) shared(total)
    !$omp atomic
    total = total + i
    !$omp end task
  end do
  !$omp taskwait
  print '(a,i0)', 'tasks ', total
  !$omp end single
  !$omp end parallel
  !$omp parallel sections
  !$omp section
  a(1) = 5
  !$omp section
  a(2) = 6
  !$omp end parallel sections
  print '(a,2f5.1)', 'sections', a(1:2)
  stop 5
end program
