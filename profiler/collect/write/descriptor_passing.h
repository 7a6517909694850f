// Hands an open file from one descriptor table to another (SCM_RIGHTS, unix(7)): from the helper's thread to the
// program's. Needs no permission to open the file again, which a program that has changed its ids may lack.
#ifndef OMPPROF_PROFILER_COLLECT_WRITE_DESCRIPTOR_PASSING_H_
#define OMPPROF_PROFILER_COLLECT_WRITE_DESCRIPTOR_PASSING_H_

namespace ompprof::collect {

// Two sockets of the calling thread's table, -1 if they cannot be had. Closes them.
class DescriptorPassing {
 public:
  DescriptorPassing();
  ~DescriptorPassing();
  DescriptorPassing(const DescriptorPassing&) = delete;
  DescriptorPassing& operator=(const DescriptorPassing&) = delete;

  // For the sender, whose table is another.
  int sender() const { return ends_[1]; }
  // A descriptor of the calling thread's table, closed by exec; -1 if none was sent. Does not wait.
  int Receive() const;

 private:
  int ends_[2];
};

// By a thread with a table of its own: sends `fd` to `sender`, a descriptor of the process's first thread (Linux 5.6).
void SendDescriptor(int process, int sender, int fd);

}  // namespace ompprof::collect

#endif  // OMPPROF_PROFILER_COLLECT_WRITE_DESCRIPTOR_PASSING_H_
