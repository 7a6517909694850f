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

// Templates for lambdas. Labels are in the instances for the lambdas below.
#define AT(label) __asm__ volatile(".globl " #label "\n" #label ": nop")

template <class Body>
__attribute__((noinline)) void each(Body body) {
  body(0);
}

template <class Range, class Body>
struct Loop {
  Body body;
  template <class Index>
  __attribute__((noinline)) void execute(Index i) {
    body(i);
  }
};

template <class Range, class Body>
Loop<Range, Body> make_loop(Body body) {
  return {body};
}

template <class Body>
struct Wrapper {
  Body body;
};

template <class Body>
__attribute__((noinline)) void wrapped(Wrapper<Body> wrapper) {
  wrapper.body(0);
}

template <class Body>
Wrapper<Body> wrap(Body body) {
  return {body};
}

// A lambda within an instance for a lambda.
template <class Body>
__attribute__((noinline)) void around_each(Body body) {
  each([=](int i) { body(i); });
}

struct Plain {
  void operator()(int) const { AT(in_plain); }
};

extern "C" void instances() {
#line 101
  each([](int) { AT(in_first); });
#line 102
  make_loop<long>([](int) { AT(in_class); }).execute(1);
#line 103
  wrapped(wrap([](int) { AT(in_wrapped); }));
  each(Plain());
#line 104
  around_each([](int) { AT(in_one_nested); });
#line 105
  around_each([](int) { AT(in_other_nested); });
}
