// parallel for and parallel sections: each thread begins the work with its implicit task.
// VARIANTS: -O0 | -O2
#include "conformance.h"

int main(void) {
  int arrived = 0;
  conf_raise(&arrived);                                    // AT(loop)
#pragma omp parallel for num_threads(2) schedule(dynamic)  // AT(loop)
  for (int i = 0; i < 4; i++)                              // AT(loop)
    conf_raise(&arrived);                                  // AT(loop)
  conf_mark("between");                                    // AT(sections)
#pragma omp parallel sections num_threads(2)               // AT(sections)
  {                                                        // AT(sections)
    conf_raise(&arrived);                                  // AT(sections)
#pragma omp section                                        // AT(sections)
    conf_raise(&arrived);                                  // AT(sections)
#pragma omp section                                        // AT(sections)
    conf_raise(&arrived);                                  // AT(sections)
  }                                                        // AT(sections)
  return arrived != 8;
}

// IGNORE: task_info parallel_info
// EXPECT(initial): implicit_task endpoint=begin flags=initial
// EXPECT(initial): implicit_task endpoint=begin parallel=$P task=$T
// EXPECT(initial): work work=loop endpoint=begin parallel=$P task=$T count=4 codeptr=@loop
// EXPECT(initial): work work=loop endpoint=end parallel=$P task=$T
// EXPECT(initial): implicit_task endpoint=end task=$T
// EXPECT(initial): mark name=between
// EXPECT(initial): implicit_task endpoint=begin parallel=$Q task=$S
// EXPECT(initial): work work=sections endpoint=begin parallel=$Q task=$S count=3 codeptr=@sections
// EXPECT(initial): work work=sections endpoint=end parallel=$Q task=$S
// EXPECT(initial): implicit_task endpoint=end task=$S
// EXPECT(initial): implicit_task endpoint=end flags=initial
// EXPECT(worker): implicit_task endpoint=begin parallel=$P task=$T1
// EXPECT(worker): work work=loop endpoint=begin parallel=$P task=$T1 count=4 codeptr=@loop
// EXPECT(worker): work work=loop endpoint=end parallel=$P task=$T1
// EXPECT(worker): implicit_task endpoint=end task=$T1
// EXPECT(worker): implicit_task endpoint=begin parallel=$Q task=$S1
// EXPECT(worker): work work=sections endpoint=begin parallel=$Q task=$S1 count=3 codeptr=@sections
// EXPECT(worker): work work=sections endpoint=end parallel=$Q task=$S1
// EXPECT(worker): ? implicit_task endpoint=end task=$S1
// COUNT[gomp no-dispatch]: dispatch kind=iteration parallel=* == 4
// COUNT[gomp no-dispatch]: dispatch kind=section parallel=* == 3
