! Fortran's omp_control_tool has two arguments, by reference. The tool sees a third argument, NULL. gfortran's omp_lib
! does not declare the routine and libgomp does not have it, so the program asks the loader.
!
! VARIANTS: -O0 | -O2 | -fdefault-integer-8
program control
  use, intrinsic :: iso_c_binding
  use conformance
  implicit none
  interface
    function dlsym(handle, name) bind(c)
      import :: c_ptr, c_char, c_funptr
      type(c_ptr), value :: handle
      character(kind=c_char) :: name(*)
      type(c_funptr) :: dlsym
    end function
  end interface
  abstract interface
    integer function two_arguments(command, modifier)
      integer :: command, modifier
    end function
  end interface
  procedure(two_arguments), pointer :: control_tool
  integer :: first, second
  call c_f_procpointer(dlsym(c_null_ptr, "omp_control_tool_" // c_null_char), control_tool)
  !$omp parallel num_threads(1)
  first = control_tool(2, -2) ! AT(call)
  second = control_tool(3, 77)
  !$omp end parallel
  print '(a,i0,1x,i0)', 'answers ', first, second
end program

! EXPECT(initial): control_tool command=2 argument=0 codeptr=@call
! EXPECT(initial): control_tool command=3 modifier=77 argument=0
! STDOUT: answers -2 77
