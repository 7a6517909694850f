#include "profiler/cli/serve/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <list>

namespace ompprof::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostHeaderBytes = 16384;
// A browser opens up to six connections for a page. Further clients wait in the kernel.
constexpr size_t kMostConnections = 32;
// Browsers also open connections that they may need later. These give way to others after a while.
constexpr auto kPatience = std::chrono::seconds(5);
constexpr char kHeaderEnd[] = "\r\n\r\n";

const char* Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 405:
      return "Method Not Allowed";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Service Unavailable";
  }
}

HttpResponse Refusal(int status) { return {status, "text/plain", std::string(Reason(status)) + "\n", {}}; }

std::string ToText(const HttpResponse& response, bool head_only) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " " + Reason(response.status) + "\r\n";
  text += "Connection: close\r\n";
  for (const auto& [name, value] : response.fields) text += name + ": " + value + "\r\n";
  if (!response.type.empty()) text += "Content-Type: " + response.type + "\r\n";
  if (response.status != 204) text += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
  text += "\r\n";
  if (!head_only && response.status != 204) text += response.body;
  return text;
}

// The value of a field in the lines of a header. False if the field is there twice: the two may differ.
bool Field(const std::string& lines, const char* name, std::string* value) {
  const size_t length = std::char_traits<char>::length(name);
  bool found = false;
  for (size_t at = lines.find("\r\n"); at != std::string::npos; at = lines.find("\r\n", at + 2)) {
    const size_t begin = at + 2;
    if (strncasecmp(lines.c_str() + begin, name, length) != 0 || lines[begin + length] != ':') continue;
    if (found) return false;
    found = true;
    const std::string line = lines.substr(begin + length + 1, lines.find("\r\n", begin) - begin - length - 1);
    const size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos) *value = line.substr(first, line.find_last_not_of(" \t") - first + 1);
  }
  return true;
}

class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  pollfd Wanted() const { return {socket_, static_cast<short>(out_.empty() ? POLLIN : POLLOUT), 0}; }
  bool IsLate(Clock::time_point now) const { return now > deadline_; }

  // Reads or writes what goes without waiting. False when the connection is over.
  bool GoOn(const HttpServer::Handler& handler) { return out_.empty() ? Read(handler) : Write(); }

 private:
  bool Read(const HttpServer::Handler& handler) {
    char bytes[4096];
    const ssize_t size = recv(socket_, bytes, sizeof bytes, 0);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    if (size == 0) return false;
    in_.append(bytes, static_cast<size_t>(size));
    const size_t end = in_.find(kHeaderEnd);
    if (end == std::string::npos && in_.size() <= kMostHeaderBytes) return true;
    HttpRequest request;
    HttpResponse response;
    bool head_only = false;
    if (end == std::string::npos || end > kMostHeaderBytes) {
      response = Refusal(431);
    } else if (ParseHttpRequest(in_.substr(0, end + 4), &request, &head_only, &response)) {
      response = handler(request);
    }
    out_ = ToText(response, head_only);
    deadline_ = Clock::now() + kPatience;
    return Write();
  }

  bool Write() {
    const ssize_t size = send(socket_, out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    sent_ += static_cast<size_t>(size);
    deadline_ = Clock::now() + kPatience;
    return sent_ < out_.size();
  }

  const int socket_;
  std::string in_;
  std::string out_;  // empty until the request is whole
  size_t sent_ = 0;
  Clock::time_point deadline_ = Clock::now() + kPatience;
};

// False if errno says why this and later connections cannot be accepted.
bool Accept(int listener, std::list<Connection>* connections) {
  const int socket = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (socket >= 0) {
    connections->emplace_back(socket);
    return true;
  }
  if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
    poll(nullptr, 0, 100);  // the client stays in the queue
    return true;
  }
  return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED || errno == EPROTO || errno == EPERM;
}

}  // namespace

std::string HttpRequest::Parameter(const std::string& name) const {
  size_t at = 0;
  while (at < query.size()) {
    const size_t end = std::min(query.find('&', at), query.size());
    if (query.compare(at, name.size() + 1, name + "=") == 0) {
      return query.substr(at + name.size() + 1, end - at - name.size() - 1);
    }
    at = end + 1;
  }
  return "";
}

bool ParseHttpRequest(const std::string& text, HttpRequest* request, bool* head_only, HttpResponse* refusal) {
  const std::string line = text.substr(0, text.find("\r\n"));
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  *refusal = Refusal(400);
  if (first == std::string::npos || first == last || line.compare(last, 8, " HTTP/1.") != 0) return false;
  const std::string target = line.substr(first + 1, last - first - 1);
  if (target[0] != '/' || target.find(' ') != std::string::npos) return false;
  if (!Field(text, "Host", &request->host)) return false;
  const std::string method = line.substr(0, first);
  *head_only = method == "HEAD";
  if (method != "GET" && !*head_only) {
    *refusal = Refusal(405);
    refusal->fields = {{"Allow", "GET, HEAD"}};
    return false;
  }
  const size_t mark = target.find('?');
  request->path = target.substr(0, mark);
  if (mark != std::string::npos) request->query = target.substr(mark + 1);
  return true;
}

HttpServer::~HttpServer() {
  if (listener_ >= 0) close(listener_);
}

int HttpServer::Listen(int port) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener_ < 0) return 0;
  const int yes = 1;  // the port of a server that ended a moment ago is free
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener_, any, size) != 0 || listen(listener_, SOMAXCONN) != 0 || getsockname(listener_, any, &size) != 0) {
    return 0;
  }
  return ntohs(address.sin_port);
}

bool HttpServer::Serve(int stop, const Handler& handler) {
  std::list<Connection> connections;
  std::vector<pollfd> polled;
  for (;;) {
    polled = {{stop, POLLIN, 0}, {connections.size() < kMostConnections ? listener_ : -1, POLLIN, 0}};
    for (const Connection& connection : connections) polled.push_back(connection.Wanted());
    const int ready = poll(polled.data(), polled.size(), connections.empty() ? -1 : 1000);
    if (ready < 0 && errno != EINTR) return false;
    if (ready < 0) continue;
    if (polled[0].revents != 0) return true;
    size_t at = 2;
    for (auto connection = connections.begin(); connection != connections.end(); ++at) {
      const bool goes_on = polled[at].revents == 0 ? !connection->IsLate(Clock::now()) : connection->GoOn(handler);
      connection = goes_on ? std::next(connection) : connections.erase(connection);
    }
    if (polled[1].revents != 0 && !Accept(listener_, &connections)) return false;
  }
}

}  // namespace ompprof::cli
