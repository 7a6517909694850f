! Three procedures with 50, 30 and 20 percent of the CPU time, called by every thread of a parallel region of the main
! program.
!   flat [CPU_MS]
module works
  use truth
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
contains
  subroutine work_a(count)
    integer(int64), intent(in) :: count
    sink = spin(88172645463325253_int64, count)
  end subroutine

  subroutine work_b(count)
    integer(int64), intent(in) :: count
    sink = spin(88172645463325254_int64, count)
  end subroutine

  subroutine work_c(count)
    integer(int64), intent(in) :: count
    sink = spin(88172645463325255_int64, count)
  end subroutine
end module

program flat
  use works
  use omp_lib
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: rounds = 10
  type(account) :: a = account('path', MAIN_PATH // 'works::work_a'), b = account('path', MAIN_PATH // 'works::work_b'), &
                   c = account('path', MAIN_PATH // 'works::work_c')
  real(real64) :: ms, part
  integer(int64) :: start
  integer :: round

  call begin_program()
  ms = argument(1, 5000.0_real64)
  sink = iterations(1.0_real64)
  !$omp parallel private(part, start, round)
  part = ms / rounds / omp_get_num_threads()
  do round = 1, rounds
    start = thread_ns()
    call work_a(iterations(part * 0.5_real64))
    call add_since(a, start)
    start = thread_ns()
    call work_b(iterations(part * 0.3_real64))
    call add_since(b, start)
    start = thread_ns()
    call work_c(iterations(part * 0.2_real64))
    call add_since(c, start)
  end do
  !$omp end parallel
  call print_account(a)
  call print_account(b)
  call print_account(c)
  call print_process()
end program
