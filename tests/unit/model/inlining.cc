// The library of symbolizer_test: `outer` has `middle` inlined, which has `inner` inlined. The labels mark addresses,
// and #line fixes the lines that the test expects.
#line 10 "shapes.cc"
namespace shapes {
#line 11
static inline __attribute__((always_inline)) int inner(int x) {
#line 12
  __asm__ volatile(".globl at_inner\nat_inner: nop");
#line 13
  return x + 1;
}
#line 20
static inline __attribute__((always_inline)) int middle(int x) {
#line 21
  int y = inner(x);
#line 22
  __asm__ volatile(".globl at_middle\nat_middle: nop");
#line 23
  return y * 3;
}
#line 30
__attribute__((visibility("default"), noinline)) int outer(int x) {
#line 31
  int z = middle(x);
#line 32
  __asm__ volatile(".globl at_outer\nat_outer: nop");
#line 33
  return z;
}
// gcc puts the branch that ends the process into a part of its own, away from the rest.
__attribute__((visibility("default"), noinline)) int with_cold_part(int x) {
  switch (x) {
    case 0:
      __asm__ volatile(".globl at_hot\nat_hot: nop");
      return 1;
    case 1:
      __asm__ volatile("nop");
      return 5;
    case 2:
      __asm__ volatile("nop");
      return 9;
    default:
      __builtin_abort();
  }
}
// Without debug information this one has no name.
static __attribute__((noinline)) int unnamed(int x) {
  __asm__ volatile(".globl at_unnamed\n.hidden at_unnamed\nat_unnamed: nop");
  return x;
}
int named(int x) { return unnamed(x) + 1; }
}  // namespace shapes
