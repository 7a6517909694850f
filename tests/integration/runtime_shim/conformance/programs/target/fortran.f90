! A target region in Fortran.
program fortran
  use conformance
  integer :: values(4)
  values = 1
  call conf_settle()                    ! AT(target)
  !$omp target map(tofrom: values) ! AT(target)
  call conf_mark("target" // char(0))
  values = values + 1
  !$omp end target
  print '(a,i0)', 'sum ', sum(values)
end program

! EXPECT(initial): target_emi kind=target endpoint=begin target=$R codeptr=@target
! EXPECT(initial): mark now_flags=initial
! EXPECT(initial): target_emi kind=target endpoint=end target=$R codeptr=@target
! STDOUT: sum 8
