! conformance.h for Fortran. Names are passed with a trailing null and must be literals, which live on.
module conformance
  use iso_c_binding, only: c_char, c_int
  implicit none
  interface
    subroutine conf_mark(name) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine conf_probe(name) bind(c)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    integer(c_int) function conf_state() bind(c)
      import :: c_int
    end function
    subroutine conf_await(flag, value) bind(c)
      import :: c_int
      integer(c_int), intent(inout) :: flag
      integer(c_int), value :: value
    end subroutine
    subroutine conf_raise(flag) bind(c)
      import :: c_int
      integer(c_int), intent(inout) :: flag
    end subroutine
    subroutine conf_settle() bind(c)
    end subroutine
  end interface
end module
