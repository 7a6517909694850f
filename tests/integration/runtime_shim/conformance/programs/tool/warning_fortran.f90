! Fortran passes the message with its length and without a terminator.
program warning
  use conformance
  call conf_settle()                                                       ! AT(here)
  !$omp error at(execution) severity(warning) message("from Fortran") ! AT(here)
end program

! EXPECT(initial): error severity=warning message=from_Fortran length=12 codeptr=@here
! STDERR: from Fortran
