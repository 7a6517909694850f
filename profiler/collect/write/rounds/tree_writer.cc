#include "profiler/collect/write/rounds/tree_writer.h"

#include "profiler/collect/write/encoding/records.h"

namespace ompprof::collect {

bool TreeWriter::WriteTree(TreeSlot* slot) {
  const uint32_t end = slot->tree.size();
  while (slot->written < end) {
    if (!file_->MakeRoom()) return false;
    const uint32_t first = slot->written + 1;
    const uint32_t count = end - slot->written < kMaxNodesPerBatch ? end - slot->written : kMaxNodesPerBatch;
    for (uint32_t i = 0; i < count; ++i) {
      const NodeKey key = slot->tree.node(first + i).key;
      const bool has_address =
          (KeyKind(key) & 15) <= fields::kNodeExplicitTask && (KeyKind(key) & 15) >= fields::kNodeFrame;
      if (has_address && modules_->At(KeyValue(key)) == nullptr) generated_->Expect();
    }
    EncodeNodes(slot->tree, first, count, &file_->out);
    slot->written += count;
  }
  return true;
}

bool TreeWriter::Write() {
  while (left_behind_.size() != 0) {
    TreeSlot* slot = left_behind_[left_behind_.size() - 1];
    if (!WriteTree(slot)) return false;
    slot->left_behind = false;
    left_behind_.RemoveBySwap(left_behind_.size() - 1);
  }
  for (ThreadState* thread = FirstThread(); thread != nullptr; thread = thread->next) {
    if (!WriteTree(thread->paths.slot)) return false;
  }
  return modules_->Write();
}

void TreeWriter::LeaveBehind(TreeSlot* slot) {
  if (slot->written < slot->tree.size() && !slot->left_behind) slot->left_behind = left_behind_.Add(slot);
}

}  // namespace ompprof::collect
