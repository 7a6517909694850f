! One kind of waiting each, two threads, with an active wait policy: what a thread burns while it waits is measured by the
! thread itself.
!   waits barrier|lock|critical|ordered|taskwait [CPU_MS]
! The waiting thread waits for half of the time, so a run takes about CPU_MS / 2 of wall time.
module holders
  use truth
  use omp_lib
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: rounds = 5
  type(account) :: work = account('function', 'holders::holder_work')
  type(account) :: waited = account('state', '')
contains
  subroutine holder_work(ms)
    real(real64), intent(in) :: ms
    integer(int64) :: start
    start = thread_ns()
    sink = spin(88172645463325252_int64, iterations(ms))
    call add_since(work, start)
  end subroutine

  ! Until `flag` has the value.
  subroutine until(flag, value)
    integer, intent(in) :: flag
    integer, intent(in) :: value
    integer :: seen
    do
      !$omp atomic read seq_cst
      seen = flag
      if (seen == value) exit
      sink = spin(1_int64, 1000_int64)
    end do
  end subroutine

  subroutine wait_barrier(ms)
    real(real64), intent(in) :: ms
    integer(int64) :: start
    integer :: round
    !$omp parallel num_threads(2) private(start, round)
    do round = 1, rounds
      if (omp_get_thread_num() == 0) call holder_work(ms / rounds)
      start = thread_ns()
      !$omp barrier
      call add_since(waited, start)
    end do
    !$omp end parallel
  end subroutine

  subroutine wait_lock(ms)
    real(real64), intent(in) :: ms
    integer(omp_lock_kind) :: lock
    integer(int64) :: start
    integer :: round, held
    held = 0
    call omp_init_lock(lock)
    !$omp parallel num_threads(2) private(start, round)
    do round = 1, rounds
      if (omp_get_thread_num() == 0) then
        call omp_set_lock(lock)
        !$omp atomic write seq_cst
        held = round
        call holder_work(ms / rounds)
      else
        call until(held, round)
        start = thread_ns()
        call omp_set_lock(lock)
        call add_since(waited, start)
      end if
      call omp_unset_lock(lock)
      !$omp barrier
    end do
    !$omp end parallel
    call omp_destroy_lock(lock)
  end subroutine

  subroutine wait_critical(ms)
    real(real64), intent(in) :: ms
    integer(int64) :: start
    integer :: round, held
    held = 0
    !$omp parallel num_threads(2) private(start, round)
    do round = 1, rounds
      if (omp_get_thread_num() == 1) call until(held, round)
      start = thread_ns()
      !$omp critical(hot)
      if (omp_get_thread_num() == 0) then
        !$omp atomic write seq_cst
        held = round
        call holder_work(ms / rounds)
      else
        call add_since(waited, start)
      end if
      !$omp end critical(hot)
      !$omp barrier
    end do
    !$omp end parallel
  end subroutine

  subroutine wait_ordered(ms)
    real(real64), intent(in) :: ms
    integer(int64) :: start
    integer :: round, i
    !$omp parallel num_threads(2) private(start, round, i)
    do round = 1, rounds
      !$omp do ordered schedule(static, 1)
      do i = 1, 2
        start = thread_ns()
        !$omp ordered
        if (i == 1) then
          call holder_work(ms / rounds)
        else
          call add_since(waited, start)
        end if
        !$omp end ordered
      end do
      !$omp end do
    end do
    !$omp end parallel
  end subroutine

  subroutine wait_taskwait(ms)
    real(real64), intent(in) :: ms
    integer(int64) :: start
    integer :: round, taken
    taken = 0
    !$omp parallel num_threads(2) private(start, round)
    !$omp master
    do round = 1, rounds
      !$omp task shared(taken) firstprivate(round, ms)
      !$omp atomic write seq_cst
      taken = round
      call holder_work(ms / rounds)
      !$omp end task
      call until(taken, round)
      start = thread_ns()
      !$omp taskwait
      call add_since(waited, start)
    end do
    !$omp end master
    !$omp end parallel
  end subroutine
end module

program waits
  use holders
  implicit none
  character(32) :: mode
  real(real64) :: ms
  call begin_program()
  call get_command_argument(1, mode)
  ms = argument(2, 3000.0_real64) / 2
  waited%name = mode
  sink = iterations(1.0_real64)
  select case (mode)
  case ('barrier')
    call wait_barrier(ms)
  case ('lock')
    call wait_lock(ms)
  case ('critical')
    call wait_critical(ms)
  case ('ordered')
    call wait_ordered(ms)
  case ('taskwait')
    call wait_taskwait(ms)
  case default
    error stop 'usage: waits barrier|lock|critical|ordered|taskwait [CPU_MS]'
  end select
  call print_account(work)
  call print_account(waited)
  call print_process()
end program
