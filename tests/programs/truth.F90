! The parts of a known-answer program in Fortran. truth.h says what the printed lines mean.
!
! Every piece of work is measured with the thread's own CPU clock, and the program prints the sums at its end. A procedure
! is named as a profile shows it: works::work_a for work_a of the module works.
module truth
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private
  public :: begin_program, account, add_since, print_account, print_process, thread_ns, iterations, argument, spin, sink

  ! A sum that any thread adds to.
  type :: account
    character(8) :: kind
    character(96) :: name
    integer(int64) :: ns = 0
  end type

  type, bind(c) :: timespec
    integer(c_long) :: seconds
    integer(c_long) :: nanoseconds
  end type

  interface
    integer(c_int) function clock_gettime(clock, now) bind(c)
      import :: c_int, timespec
      integer(c_int), value :: clock
      type(timespec), intent(out) :: now
    end function
  end interface

  integer(c_int), parameter :: process_clock = 2, thread_clock = 3
  integer(int64) :: begin_ns = 0  ! the process's CPU time when the program's own code begins
  real(real64) :: iterations_per_ms = 0
  integer(int64), volatile :: sink  ! keeps the work from being optimized away

contains

  integer(int64) function clock_ns(clock)
    integer(c_int), intent(in) :: clock
    type(timespec) :: now
    integer(c_int) :: status
    status = clock_gettime(clock, now)
    clock_ns = int(now%seconds, int64) * 1000000000_int64 + int(now%nanoseconds, int64)
  end function

  ! A program calls this procedure first.
  subroutine begin_program()
    begin_ns = clock_ns(process_clock)
  end subroutine

  ! The calling thread's CPU time.
  integer(int64) function thread_ns()
    thread_ns = clock_ns(thread_clock)
  end function

  ! Adds the CPU time that the thread has spent since `start`.
  subroutine add_since(sum, start)
    type(account), intent(inout) :: sum
    integer(int64), intent(in) :: start
    integer(int64) :: spent
    spent = thread_ns() - start
    !$omp atomic
    sum%ns = sum%ns + spent
  end subroutine

  subroutine print_account(sum)
    type(account), intent(in) :: sum
    print '(a, i0)', 'truth ' // trim(sum%kind) // ' ' // trim(sum%name) // ' cpu_ns ', sum%ns
  end subroutine

  subroutine print_process()
    print '(a, i0)', 'truth process cpu_ns ', clock_ns(process_clock) - begin_ns
  end subroutine

  ! Pure computation, which a procedure calls to do work under its own name.
  integer(int64) function spin(seed, count) result(x)
    integer(int64), intent(in) :: seed, count
    integer(int64) :: i
    x = seed
    do i = 1, count
      x = ieor(x, ishft(x, 13))
      x = ieor(x, ishft(x, -7))
      x = ieor(x, ishft(x, 17))
    end do
  end function

  ! How many iterations of `spin` take about `ms` of CPU time here. The first thread calls this function before others
  ! exist.
  integer(int64) function iterations(ms)
    real(real64), intent(in) :: ms
    integer(int64), parameter :: calibration = 4000000_int64
    integer(int64) :: start
    if (iterations_per_ms == 0) then
      start = thread_ns()
      sink = spin(88172645463325252_int64, calibration)
      iterations_per_ms = real(calibration, real64) * 1e6_real64 / real(thread_ns() - start + 1, real64)
    end if
    iterations = int(ms * iterations_per_ms, int64)
  end function

  ! Argument `position` as a number, `fallback` where there is none.
  real(real64) function argument(position, fallback)
    integer, intent(in) :: position
    real(real64), intent(in) :: fallback
    character(32) :: text
    integer :: status
    argument = fallback
    if (command_argument_count() < position) return
    call get_command_argument(position, text)
    read (text, *, iostat=status) argument
    if (status /= 0) argument = fallback
  end function
end module
