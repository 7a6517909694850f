// Hands an open file from the helper thread's descriptor table to the program's (SCM_RIGHTS, unix(7)). The file need
// not be opened again: a program that has changed its ids may lack the permission.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_FILES_DESCRIPTOR_PASSING_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_FILES_DESCRIPTOR_PASSING_H_

namespace ompprof::collect {

// Two sockets in the calling thread's table; -1 if they cannot be made. The destructor closes them.
class DescriptorPassing {
 public:
  DescriptorPassing();
  ~DescriptorPassing();
  DescriptorPassing(const DescriptorPassing&) = delete;
  DescriptorPassing& operator=(const DescriptorPassing&) = delete;

  // For the sender, which has another table.
  int sender() const { return ends_[1]; }
  // A descriptor in the calling thread's table, which exec closes; -1 if none was sent. Does not wait.
  int Receive() const;

 private:
  int ends_[2];
};

// Called by a thread with a table of its own. Sends `fd` to `sender`, a descriptor of the process's first thread (Linux
// 5.6).
void SendDescriptor(int process, int sender, int fd);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_FILES_DESCRIPTOR_PASSING_H_
