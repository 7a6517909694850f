! Tasks made in two procedures, with 70 and 30 percent of the work, and run by whichever thread is free.
!   tasks [CPU_MS]
module queue
  use truth
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: tasks_each = 25
  type(account) :: a = account('path', 'queue::create_a;queue::task_work')
  type(account) :: b = account('path', 'queue::create_b;queue::task_work')
contains
  subroutine task_work(count)
    integer(int64), intent(in) :: count
    sink = spin(88172645463325252_int64, count)
  end subroutine

  subroutine create_a(ms)
    real(real64), intent(in) :: ms
    integer(int64) :: start
    integer :: i
    do i = 1, tasks_each
      !$omp task firstprivate(ms) private(start) shared(a)
      start = thread_ns()
      call task_work(iterations(ms / tasks_each))
      call add_since(a, start)
      !$omp end task
    end do
  end subroutine

  subroutine create_b(ms)
    real(real64), intent(in) :: ms
    integer(int64) :: start
    integer :: i
    do i = 1, tasks_each
      !$omp task firstprivate(ms) private(start) shared(b)
      start = thread_ns()
      call task_work(iterations(ms / tasks_each))
      call add_since(b, start)
      !$omp end task
    end do
  end subroutine
end module

program tasks
  use queue
  implicit none
  real(real64) :: ms
  integer :: round
  call begin_program()
  ms = argument(1, 5000.0_real64)
  sink = iterations(1.0_real64)
  do round = 1, 2
    !$omp parallel
    !$omp single
    call create_a(ms / 2 * 0.7_real64)
    call create_b(ms / 2 * 0.3_real64)
    !$omp end single
    !$omp end parallel
  end do
  call print_account(a)
  call print_account(b)
  call print_process()
end program
