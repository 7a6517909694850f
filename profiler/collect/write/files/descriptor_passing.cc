#include "profiler/collect/write/files/descriptor_passing.h"

#include <string.h>
#include <sys/socket.h>

#include "profiler/collect/base/os.h"
#include "scripts/bazel/libc_floor/system_calls.h"

namespace ompprof::collect {
namespace {

// A message of one byte with room for one descriptor.
struct Message {
  char byte = 0;
  iovec part = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header = {/*msg_name=*/nullptr, /*msg_namelen=*/0, &part, /*msg_iovlen=*/1, control,
                   sizeof(control),      /*msg_flags=*/0};
};

}  // namespace

DescriptorPassing::DescriptorPassing() : ends_{-1, -1} {
  RawSyscall(SYS_socketpair, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, reinterpret_cast<long>(ends_));
}

DescriptorPassing::~DescriptorPassing() {
  for (const int end : ends_) {
    if (end >= 0) RawSyscall(SYS_close, end);
  }
}

int DescriptorPassing::Receive() const {
  if (ends_[0] < 0) return -1;
  Message message;
  if (RawSyscall(SYS_recvmsg, ends_[0], reinterpret_cast<long>(&message.header), MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0)
    return -1;
  const cmsghdr* part = CMSG_FIRSTHDR(&message.header);
  if (part == nullptr || part->cmsg_type != SCM_RIGHTS) return -1;
  int fd;
  memcpy(&fd, CMSG_DATA(part), sizeof(fd));
  return fd;
}

void SendDescriptor(int process, int sender, int fd) {
  const long owner = RawSyscall(SYS_pidfd_open, process, 0);
  if (owner < 0) return;
  const long socket = RawSyscall(SYS_pidfd_getfd, owner, sender, 0);
  RawSyscall(SYS_close, owner);
  if (socket < 0) return;
  Message message;
  cmsghdr* part = CMSG_FIRSTHDR(&message.header);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof(fd));
  memcpy(CMSG_DATA(part), &fd, sizeof(fd));
  RawSyscall(SYS_sendmsg, socket, reinterpret_cast<long>(&message.header), MSG_DONTWAIT | MSG_NOSIGNAL);
  RawSyscall(SYS_close, socket);
}

}  // namespace ompprof::collect
