! The library of data_symbols_test, in Fortran: indices begin where the program says, and the first runs fastest.
module store
  use omp_lib
  implicit none
  type account
    integer(8) :: total
    integer(omp_lock_kind) :: lock
  end type
  integer(omp_lock_kind) :: door
  integer(omp_lock_kind) :: grid(2, 0:3)
  type(account) :: accounts(5)
end module
