#include "profiler/cli/commands/commands.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "profiler/cli/files/name_cache.h"
#include "profiler/cli/options/complaint.h"
#include "profiler/cli/options/values.h"
#include "profiler/cli/serve/http_server.h"
#include "profiler/cli/serve/served_profile.h"
#include "profiler/report/html/html_page.h"

namespace ompprof::cli {
namespace {

constexpr char kAddress[] = "127.0.0.1";

struct ServeArguments {
  std::vector<std::string> files;
  int port = 0;
  bool no_cache = false;
};

constexpr char kRandomBits[] = "/dev/urandom";

// 128 random bits, as text for an address. Empty if the system gives no random bits.
std::string NewToken() {
  char bytes[16];
  if (!std::ifstream(kRandomBits, std::ios::binary).read(bytes, sizeof bytes)) return "";
  std::string token;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    token += kDigits[(byte >> 4) & 15];
    token += kDigits[byte & 15];
  }
  return token;
}

// Takes a time that does not depend on how much of `given` is right.
bool SameToken(const std::string& given, const std::string& token) {
  if (given.size() != token.size()) return false;
  volatile unsigned char differs = 0;
  for (size_t i = 0; i < token.size(); ++i) differs = static_cast<unsigned char>(differs | (given[i] ^ token[i]));
  return differs == 0;
}

// Decides who may ask. Pages of other sites may not, whatever their names resolve to (DNS rebinding): the Host that the
// browser sends must be this address. Other users of the machine may not: the address has the token in it.
class Gate {
 public:
  Gate(std::string token, int port) : token_(std::move(token)), port_(":" + std::to_string(port)) {}

  // What is asked for: "/" or "/data.json". Empty: a request that gets nothing.
  std::string Wanted(const HttpRequest& request) const {
    if (request.host != kAddress + port_ && request.host != "localhost" + port_) return "";
    const std::string& path = request.path;
    const size_t slash = path.find('/', 1);
    if (path.empty() || slash == std::string::npos || !SameToken(path.substr(1, slash - 1), token_)) return "";
    return path.substr(slash);
  }

 private:
  const std::string token_;
  const std::string port_;
};

HttpResponse Answer(const Gate& gate, ServedProfile* profile, const HttpRequest& request) {
  HttpResponse response;
  response.fields = {{"Cache-Control", "no-store"},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Referrer-Policy", "no-referrer"},
                     {"Cross-Origin-Resource-Policy", "same-origin"},
                     {"Content-Security-Policy", "frame-ancestors 'none'"}};
  response.type = "text/plain; charset=utf-8";
  const std::string wanted = gate.Wanted(request);
  if (wanted != "/" && wanted != "/data.json") {
    response.status = 403;
    response.body = "This is not the address that ompprof serve printed.\n";
    return response;
  }
  std::string error;
  const std::shared_ptr<const ServedProfile::Data> data = profile->Get(&error);
  if (data == nullptr) {
    response.status = 503;
    response.body = error + "\n";
  } else if (wanted == "/") {
    response.type = "text/html; charset=utf-8";
    response.body = report::ServedPage(data->title);
  } else if (request.Parameter("after") == data->version) {
    response.status = 204;
  } else {
    response.fields.emplace_back("X-Profile-Version", data->version);
    response.type = "application/json";
    response.body = data->json;
  }
  return response;
}

// Readable when Ctrl-C is pressed or the process is told to end; -1 if errno says why there is none.
int EndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  return signalfd(-1, &signals, SFD_CLOEXEC);
}

int Run(const ServeArguments& options) {
  ServedProfile profile(options.files, options.no_cache);
  std::string error;
  if (profile.Get(&error) == nullptr) {
    Complain(error);
    return kFailure;
  }
  const std::string token = NewToken();
  if (token.empty()) {
    Complain(std::string("serve: the system gives no random numbers: ") + kRandomBits + ": " + std::strerror(errno));
    return kFailure;
  }
  HttpServer server;
  const int port = server.Listen(options.port);
  if (port == 0) {
    Complain("serve: port " + std::to_string(options.port) + " of " + kAddress +
             " is not available: " + std::strerror(errno));
    return kFailure;
  }
  const int end = EndSignals();
  if (end < 0) {
    Complain(std::string("serve: the system gives no descriptor for signals: ") + std::strerror(errno));
    return kFailure;
  }
  const Gate gate(token, port);
  std::printf("http://%s:%d/%s/\nOpen this address in a browser. Ctrl-C ends the server.\n", kAddress, port,
              token.c_str());
  std::fflush(stdout);
  const bool ended = server.Serve(end, [&](const HttpRequest& request) { return Answer(gate, &profile, request); });
  if (!ended) Complain(std::string("serve: the server stopped unexpectedly: ") + std::strerror(errno));
  close(end);
  return ended ? kSuccess : kFailure;
}

}  // namespace

void AddServeCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<ServeArguments>();
  CLI::App* command =
      app->add_subcommand("serve", "Show one or several profiles as a web page, live while the program runs");
  command->footer(
      "Only this user of this machine can see the page: its address is at 127.0.0.1 and cannot be guessed.\n"
      "\n"
      "Examples:\n"
      "  ompprof record -o run.ompprof -- ./program &\n"
      "  ompprof serve run.ompprof");
  command
      ->add_option(
          "FILE", options->files,
          "Profiles that `ompprof record` wrote or is writing; a folder stands for the profiles in it and below it")
      ->required();
  command->add_option("--port", options->port, "TCP port; 0: any free port")
      ->type_name("N")
      ->check(Whole(0, 65535))
      ->capture_default_str();
  AddCacheOption(command, &options->no_cache);
  command->callback([options, status] { *status = Run(*options); });
}

}  // namespace ompprof::cli
