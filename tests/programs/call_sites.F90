! One parallel loop in a module procedure, reached from six places: three procedures, and three lines of one procedure.
!   call_sites [CPU_MS]
module sites
  use truth
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  type(account) :: by_function(3) = [ &
      account('path', MAIN_PATH // 'sites::site_a;sites::solve;sites::site_work'), &
      account('path', MAIN_PATH // 'sites::site_b;sites::solve;sites::site_work'), &
      account('path', MAIN_PATH // 'sites::site_c;sites::solve;sites::site_work')]
  type(account) :: by_line(3) = account('line', '')
contains
  subroutine site_work(count)
    integer(int64), intent(in) :: count
    sink = spin(88172645463325252_int64, count)
  end subroutine

  subroutine solve(ms, sum)
    real(real64), intent(in) :: ms
    type(account), intent(inout) :: sum
    integer(int64) :: start
    integer :: i
    !$omp parallel do schedule(static) private(start)
    do i = 1, 16
      start = thread_ns()
      call site_work(iterations(ms / 16))
      call add_since(sum, start)
    end do
    !$omp end parallel do
  end subroutine

  subroutine site_a(ms)
    real(real64), intent(in) :: ms
    call solve(ms, by_function(1))
  end subroutine

  subroutine site_b(ms)
    real(real64), intent(in) :: ms
    call solve(ms, by_function(2))
  end subroutine

  subroutine site_c(ms)
    real(real64), intent(in) :: ms
    call solve(ms, by_function(3))
  end subroutine

  subroutine driver(ms)
    real(real64), intent(in) :: ms
    call solve(ms * 0.5_real64, by_line(1)); write (by_line(1)%name, '(a, i0)') 'sites::driver ', __LINE__
    call solve(ms * 0.3_real64, by_line(2)); write (by_line(2)%name, '(a, i0)') 'sites::driver ', __LINE__
    call solve(ms * 0.2_real64, by_line(3)); write (by_line(3)%name, '(a, i0)') 'sites::driver ', __LINE__
  end subroutine
end module

program call_sites
  use sites
  implicit none
  real(real64) :: ms
  integer :: round, i
  call begin_program()
  ms = argument(1, 5000.0_real64) / 4
  sink = iterations(1.0_real64)
  do round = 1, 2
    call site_a(ms * 0.5_real64)
    call site_b(ms * 0.3_real64)
    call site_c(ms * 0.2_real64)
    call driver(ms)
  end do
  do i = 1, 3
    call print_account(by_function(i))
  end do
  do i = 1, 3
    call print_account(by_line(i))
  end do
  call print_process()
end program
