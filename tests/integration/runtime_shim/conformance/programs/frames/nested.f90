! Frames of nested regions in Fortran: exit and enter of each level enclose that level's frames.
! RUN: OMP_MAX_ACTIVE_LEVELS=3
! VARIANTS: -O0 | -O2
program nested
  use conformance
  !$omp parallel num_threads(1)
  !$omp parallel num_threads(2)
  !$omp parallel num_threads(1)
  call conf_mark("third" // char(0))
  !$omp end parallel
  !$omp end parallel
  !$omp end parallel
  call conf_mark("after" // char(0))
end program

! EXPECT(initial): mark name=third sp=$S state=work_parallel
! EXPECT(initial): task_info level=0 index=0 exit=$X3 enter=0 {S < X3}
! EXPECT(initial): task_info level=1 index=0 exit=$X2 enter=$E2 {X3 <= E2 and E2 < X2}
! EXPECT(initial): task_info level=2 index=0 exit=$X1 enter=$E1 {X2 <= E1 and E1 < X1}
! EXPECT(initial): task_info level=3 flags=initial exit=0 enter=$E0 {X1 <= E0}
! EXPECT(initial): parallel_info level=0 team_size=1
! EXPECT(initial): parallel_info level=1 team_size=2
! EXPECT(initial): parallel_info level=2 team_size=1
! EXPECT(initial): parallel_info level=3 team_size=1
! EXPECT(initial): mark name=after {sp > E0}
! EXPECT(initial): task_info level=0 flags=initial exit=0 enter=0
! EXPECT(initial): parallel_info level=0 team_size=1
! EXPECT(worker): mark name=third sp=$R
! EXPECT(worker): task_info level=0 index=0 exit=$Y3 enter=0 {R < Y3}
! EXPECT(worker): task_info level=1 index=1 exit=$Y2 enter=$F2 {Y3 <= F2 and F2 < Y2}
! EXPECT(worker): task_info level=2 index=0 exit=$X1 enter=$E1
! EXPECT(worker): task_info level=3 flags=initial enter=$E0
! EXPECT(worker): parallel_info level=0 team_size=1
! EXPECT(worker): parallel_info level=1 team_size=2
! EXPECT(worker): parallel_info level=2 team_size=1
! EXPECT(worker): parallel_info level=3 team_size=1
