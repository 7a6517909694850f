# Singular values for about as many seconds as the argument says. LAPACK's functions have the longest CFI programs, and
# OpenBLAS's kernels are written in assembly.
import sys
import time

import numpy

end = time.process_time() + float(sys.argv[1])
matrix = numpy.random.default_rng(1).standard_normal((300, 200))
while time.process_time() < end:
    values = numpy.linalg.svd(matrix)[1]
print(round(float(values[0]), 6))
