// A web server for a browser on this machine. `ompprof serve` answers with it.
//
// One thread does all: connections are few, and each answer comes from one profile. The server knows GET and HEAD, one
// request per connection, and no encryption: nobody listens on a machine's own network.
#ifndef OMPPROF_PROFILER_CLI_SERVE_HTTP_SERVER_H_
#define OMPPROF_PROFILER_CLI_SERVE_HTTP_SERVER_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ompprof::cli {

struct HttpRequest {
  std::string path;   // as sent: nothing is decoded
  std::string query;  // behind the question mark, as sent
  std::string host;   // the field Host

  // The value of `name` in the query; empty if the query has no such name.
  std::string Parameter(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string type;  // of the body, for example text/html
  std::string body;
  std::vector<std::pair<std::string, std::string>> fields;  // further fields of the header
};

// The request in `text`, a header with its empty line. False: `refusal` is the answer.
bool ParseHttpRequest(const std::string& text, HttpRequest* request, bool* head_only, HttpResponse* refusal);

class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  HttpServer() = default;
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Takes `port` of 127.0.0.1, and a free port for 0. Returns the port; 0 if errno says why not.
  int Listen(int port);

  // Answers requests until the descriptor `stop` is readable. False if errno says why no connection can be accepted.
  bool Serve(int stop, const Handler& handler);

 private:
  int listener_ = -1;
};

}  // namespace ompprof::cli

#endif  // OMPPROF_PROFILER_CLI_SERVE_HTTP_SERVER_H_
