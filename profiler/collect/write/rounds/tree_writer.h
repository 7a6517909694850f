// Writes the calling-context trees' new nodes. Writer thread only.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_TREE_WRITER_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_TREE_WRITER_H_

#include "profiler/collect/thread/thread_state.h"
#include "profiler/collect/write/generated/generated_code.h"
#include "profiler/collect/write/rounds/module_writer.h"
#include "profiler/collect/write/tables/vector.h"

namespace ompprof::collect {

class TreeWriter {
 public:
  TreeWriter(ProfileFile* file, ModuleWriter* modules, GeneratedCode* generated)
      : file_(file), modules_(modules), generated_(generated) {}

  // Writes the new nodes of all trees, and the objects in which their addresses lie. False: the file does not take
  // them.
  bool Write();

  // The thread of this tree is discarded. The next Write still writes the tree's nodes, because regions may refer to
  // them.
  void LeaveBehind(TreeSlot* slot);

 private:
  bool WriteTree(TreeSlot* slot);

  ProfileFile* const file_;
  ModuleWriter* const modules_;
  GeneratedCode* const generated_;
  Vector<TreeSlot*> left_behind_;
};

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_ROUNDS_TREE_WRITER_H_
