! ompprof.h for Fortran: compile it with the program, as it is installed under share/ompprof. Without the profiler every
! call does nothing. With glibc before 2.34, link with -ldl.
!
!   use ompprof
!   call ompprof_push_label("solve")
!   ...
!   call ompprof_pop_label()
module ompprof
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: ompprof_start, ompprof_resume, ompprof_pause, ompprof_flush, ompprof_stop, ompprof_push_label, &
            ompprof_pop_label

  interface
    function dlsym(handle, name) bind(c, name="dlsym") result(address)
      import :: c_ptr, c_char, c_funptr
      type(c_ptr), value :: handle
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: address
    end function dlsym
  end interface

  abstract interface
    function control_function(command) bind(c) result(answer)
      import :: c_int
      integer(c_int), value :: command
      integer(c_int) :: answer
    end function control_function
    subroutine label_function(name) bind(c)
      import :: c_ptr
      type(c_ptr), value :: name
    end subroutine label_function
  end interface

contains

  ! 0: done, 1: unknown, -1: the program runs without the profiler.
  function command(number) result(answer)
    integer(c_int), intent(in) :: number
    integer(c_int) :: answer
    procedure(control_function), pointer :: control
    type(c_funptr) :: address
    address = dlsym(c_null_ptr, "ompprof_control" // c_null_char)
    answer = -1
    if (.not. c_associated(address)) return
    call c_f_procpointer(address, control)
    answer = control(number)
  end function command

  subroutine label(name)
    type(c_ptr), intent(in) :: name
    procedure(label_function), pointer :: push_or_pop
    type(c_funptr), save :: address
    logical, save :: looked_up = .false.
    if (.not. looked_up) then
      address = dlsym(c_null_ptr, "ompprof_label" // c_null_char)
      looked_up = .true.
    end if
    if (.not. c_associated(address)) return
    call c_f_procpointer(address, push_or_pop)
    call push_or_pop(name)
  end subroutine label

  ! Begin sampling, or continue after a pause.
  function ompprof_start() result(answer)
    integer(c_int) :: answer
    answer = command(1_c_int)
  end function ompprof_start

  function ompprof_resume() result(answer)
    integer(c_int) :: answer
    answer = command(1_c_int)
  end function ompprof_resume

  ! Stop sampling until the next start.
  function ompprof_pause() result(answer)
    integer(c_int) :: answer
    answer = command(2_c_int)
  end function ompprof_pause

  ! Write all samples so far to the file.
  function ompprof_flush() result(answer)
    integer(c_int) :: answer
    answer = command(3_c_int)
  end function ompprof_flush

  ! Finish the profile, for good.
  function ompprof_stop() result(answer)
    integer(c_int) :: answer
    answer = command(4_c_int)
  end function ompprof_stop

  ! The calling thread begins a phase, or ends the phase that it began last.
  subroutine ompprof_push_label(name)
    character(len=*), intent(in) :: name
    character(kind=c_char), dimension(len_trim(name) + 1), target :: text
    integer :: i
    do i = 1, len_trim(name)
      text(i) = name(i:i)
    end do
    text(len_trim(name) + 1) = c_null_char
    call label(c_loc(text))
  end subroutine ompprof_push_label

  subroutine ompprof_pop_label()
    call label(c_null_ptr)
  end subroutine ompprof_pop_label
end module ompprof
