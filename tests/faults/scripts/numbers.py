"""numpy in several threads."""

import concurrent.futures

import numpy

matrix = numpy.arange(160000, dtype=float).reshape(400, 400) / 1e5
with concurrent.futures.ThreadPoolExecutor(3) as threads:
    print([round(float(total), 3) for total in threads.map(lambda power: (matrix @ matrix).sum() / power, range(1, 7))])
