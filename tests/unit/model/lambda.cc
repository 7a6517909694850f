// A lambda before other lines of its function. Nothing tells where the lambda's text ends.
#line 1 "lambda.cc"
namespace {

volatile int sink;

__attribute__((noinline)) void around(int x) {
  const auto within = [&](int y) __attribute__((noinline)) { sink = x + y; };
  sink = x;
  sink = x;
  sink = x;
  within(2);
}

}  // namespace

extern "C" void at_start(int x) { around(x); }
