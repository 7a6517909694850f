// Loops that no program could run, by the runtime's own calls: the count is right over the whole range of the type.
// RUNTIMES: gomp because these are libgomp's entry points
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "conformance.h"

typedef unsigned long long ull;
bool GOMP_loop_dynamic_start(long, long, long, long, long*, long*);
bool GOMP_loop_static_start(long, long, long, long, long*, long*);
bool GOMP_loop_start(long, long, long, long, long, long*, long*, uintptr_t*, void**);
bool GOMP_loop_ull_guided_start(bool, ull, ull, ull, ull, ull*, ull*);
void GOMP_loop_end_nowait(void);

int main(void) {
#pragma omp parallel num_threads(1)
  {
    long first, end;
    ull ull_first, ull_end;
    GOMP_loop_static_start(LONG_MIN, LONG_MAX, 1, 5, &first, &end);
    GOMP_loop_end_nowait();
    GOMP_loop_static_start(LONG_MAX, LONG_MIN, -2, 5, &first, &end);
    GOMP_loop_end_nowait();
    GOMP_loop_dynamic_start(LONG_MIN, LONG_MAX, LONG_MAX, 1, &first, &end);
    GOMP_loop_end_nowait();
    GOMP_loop_dynamic_start(5, 3, 1, 1, &first, &end);
    GOMP_loop_end_nowait();
    GOMP_loop_dynamic_start(3, 5, -1, 1, &first, &end);
    GOMP_loop_end_nowait();
    GOMP_loop_ull_guided_start(true, 0, ULLONG_MAX, 1, 1, &ull_first, &ull_end);
    GOMP_loop_end_nowait();
    GOMP_loop_ull_guided_start(false, ULLONG_MAX, 0, -2ULL, 1, &ull_first, &ull_end);
    GOMP_loop_end_nowait();
    // A static schedule whose chunks the caller computes itself: no chunk is handed out.
    GOMP_loop_start(0, 100, 1, 1, 0, NULL, NULL, NULL, NULL);
    GOMP_loop_end_nowait();
  }
  return 0;
}

// EXPECT(initial): work work=loop endpoint=begin count=18446744073709551615
// EXPECT(initial): dispatch kind=iteration instance=0
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=9223372036854775808
// EXPECT(initial): dispatch kind=iteration instance=0
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=3
// EXPECT(initial): dispatch kind=iteration instance=0
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=0
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=0
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=18446744073709551615
// EXPECT(initial): dispatch kind=iteration instance=0
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=9223372036854775808
// EXPECT(initial): dispatch kind=iteration instance=0
// EXPECT(initial): work work=loop endpoint=end
// EXPECT(initial): work work=loop endpoint=begin count=100
// EXPECT(initial): work work=loop endpoint=end
