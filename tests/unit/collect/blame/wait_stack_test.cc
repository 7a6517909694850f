// A thread's stack of waits: the innermost wait comes first, a search is bounded, and entries without room are counted.
#include "profiler/collect/blame/wait_stack.h"
#include "profiler/collect/blame/wait_state.h"

#include <gtest/gtest.h>

namespace ompprof::collect {
namespace {

WaitStack* NewStack() { return static_cast<WaitStack*>(MapFixed(sizeof(WaitStack))); }

const void* Task(uint64_t number) { return reinterpret_cast<const void*>(number); }

void PushEntry(WaitStack* stack, uint8_t kind, uint64_t task) {
  if (OpenWait* entry = stack->Next()) {
    entry->state = SyncRegionState(kind);
    entry->task = Task(task);
  }
  stack->Push(kind);
}

TEST(WaitStack, SaysWhatIsInnermost) {
  WaitStack* stack = NewStack();
  EXPECT_EQ(stack->kind(), 0);
  EXPECT_EQ(stack->Innermost(), nullptr);
  PushEntry(stack, 5, 1);
  PushEntry(stack, 0, 2);
  EXPECT_EQ(stack->kind(), 0);
  EXPECT_EQ(stack->Innermost()->task, Task(2));
  stack->Pop();
  EXPECT_EQ(stack->kind(), 5);
  EXPECT_EQ(stack->Innermost()->task, Task(1));
  stack->Pop();
  stack->Pop();
  EXPECT_EQ(stack->depth(), 0u);
}

TEST(WaitStack, KeepsTwentyThousandEntries) {
  WaitStack* stack = NewStack();
  constexpr uint32_t kEntries = 20000;
  for (uint32_t i = 0; i < kEntries; ++i) PushEntry(stack, i % 2 == 0 ? 5 : 0, i + 1);
  EXPECT_EQ(stack->depth(), kEntries);
  for (uint32_t i = kEntries; i > 0; --i) {
    ASSERT_NE(stack->Innermost(), nullptr);
    ASSERT_EQ(stack->Innermost()->task, Task(i));
    ASSERT_EQ(stack->kind(), (i - 1) % 2 == 0 ? 5 : 0);
    stack->Pop();
  }
}

TEST(WaitStack, CountsWhatItDoesNotKeep) {
  WaitStack* stack = NewStack();
  for (uint32_t i = 0; i < WaitStack::kMost; ++i) PushEntry(stack, 5, 1);
  EXPECT_EQ(stack->Next(), nullptr);
  PushEntry(stack, 7, 2);
  EXPECT_EQ(stack->kind(), 7);
  EXPECT_EQ(stack->Innermost(), nullptr);
  EXPECT_EQ(stack->depth(), WaitStack::kMost + 1);
  stack->Pop();
  EXPECT_EQ(stack->kind(), 5);
  EXPECT_EQ(stack->Innermost()->task, Task(1));
}

// The search is bounded: it does not find an entry further away, and costs no more.
TEST(WaitStack, LooksAsFarAsItsReach) {
  WaitStack* stack = NewStack();
  PushEntry(stack, 5, 1);
  for (uint32_t i = 1; i < WaitStack::kReach; ++i) PushEntry(stack, 0, 2);
  EXPECT_EQ(stack->Find(/*wait=*/true, Task(1), 0), 1u);
  EXPECT_EQ(stack->Find(/*wait=*/true, Task(1), 1), 0u);
  EXPECT_EQ(stack->Find(/*wait=*/false, Task(1), 0), 0u);
  PushEntry(stack, 0, 2);
  EXPECT_EQ(stack->Find(/*wait=*/true, Task(1), 0), 0u);
}

}  // namespace
}  // namespace ompprof::collect
