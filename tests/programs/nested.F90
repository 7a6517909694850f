! A region inside a region, each entered from two procedures: 70 and 30 percent outside, 60 and 40 inside. The outer
! regions are internal procedures of the main program, the inner ones are a module's. Wants OMP_MAX_ACTIVE_LEVELS=2.
!   nested [CPU_MS]
module inner
  use truth
  use omp_lib
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
contains
  subroutine nested_work(count)
    integer(int64), intent(in) :: count
    sink = spin(88172645463325252_int64, count)
  end subroutine

  subroutine region(ms, sum)
    real(real64), intent(in) :: ms
    type(account), intent(inout) :: sum
    integer(int64) :: start
    !$omp parallel num_threads(2) private(start)
    start = thread_ns()
    call nested_work(iterations(ms / omp_get_num_threads()))
    call add_since(sum, start)
    !$omp end parallel
  end subroutine

  subroutine x(ms, sum)
    real(real64), intent(in) :: ms
    type(account), intent(inout) :: sum
    call region(ms, sum)
  end subroutine

  subroutine y(ms, sum)
    real(real64), intent(in) :: ms
    type(account), intent(inout) :: sum
    call region(ms, sum)
  end subroutine
end module

program nested
  use inner
  implicit none
  type(account) :: a(2) = [account('path', MAIN_PATH // 'outer_a;outer_region;inner::x;inner::region;inner::nested_work'), &
                           account('path', MAIN_PATH // 'outer_a;outer_region;inner::y;inner::region;inner::nested_work')]
  type(account) :: b(2) = [account('path', MAIN_PATH // 'outer_b;outer_region;inner::x;inner::region;inner::nested_work'), &
                           account('path', MAIN_PATH // 'outer_b;outer_region;inner::y;inner::region;inner::nested_work')]
  real(real64) :: ms
  integer :: round, i
  call begin_program()
  ms = argument(1, 5000.0_real64) / 2
  sink = iterations(1.0_real64)
  do round = 1, 2
    call outer_a(ms * 0.7_real64)
    call outer_b(ms * 0.3_real64)
  end do
  do i = 1, 2
    call print_account(a(i))
    call print_account(b(i))
  end do
  call print_process()
contains
  subroutine outer_region(time, pair)
    real(real64), intent(in) :: time
    type(account), intent(inout) :: pair(2)
    real(real64) :: part
    !$omp parallel num_threads(2) private(part)
    part = time / omp_get_num_threads()
    call x(part * 0.6_real64, pair(1))
    call y(part * 0.4_real64, pair(2))
    !$omp end parallel
  end subroutine

  subroutine outer_a(time)
    real(real64), intent(in) :: time
    call outer_region(time, a)
  end subroutine

  subroutine outer_b(time)
    real(real64), intent(in) :: time
    call outer_region(time, b)
  end subroutine
end program
