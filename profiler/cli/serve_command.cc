#include "profiler/cli/serve_command.h"

#include <httplib.h>
#include <sys/random.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "profiler/cli/load.h"
#include "profiler/cli/name_cache.h"
#include "profiler/cli/served_profile.h"
#include "profiler/cli/values.h"
#include "profiler/report/html/html_page.h"

namespace ompprof::cli {
namespace {

constexpr char kAddress[] = "127.0.0.1";

struct Options {
  std::vector<std::string> files;
  int port = 0;
  bool no_cache = false;
};

// 128 random bits, as text for an address. Empty if the system gives no random bits.
std::string NewToken() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) return "";
  std::string token;
  for (const unsigned char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    token += kDigits[byte >> 4];
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
  std::string Wanted(const httplib::Request& request) const {
    const std::string host = request.get_header_value("Host");
    if (host != kAddress + port_ && host != "localhost" + port_) return "";
    const std::string& path = request.path;
    const size_t slash = path.find('/', 1);
    if (path.empty() || slash == std::string::npos || !SameToken(path.substr(1, slash - 1), token_)) return "";
    return path.substr(slash);
  }

 private:
  const std::string token_;
  const std::string port_;
};

void Answer(const Gate& gate, ServedProfile* profile, const httplib::Request& request, httplib::Response* response) {
  response->set_header("Cache-Control", "no-store");
  response->set_header("X-Content-Type-Options", "nosniff");
  response->set_header("Referrer-Policy", "no-referrer");
  response->set_header("Cross-Origin-Resource-Policy", "same-origin");
  response->set_header("Content-Security-Policy", "frame-ancestors 'none'");
  const std::string wanted = gate.Wanted(request);
  if (wanted != "/" && wanted != "/data.json") {
    response->status = 403;
    response->set_content("This is not the address that ompprof serve printed.\n", "text/plain");
    return;
  }
  std::string error;
  const std::shared_ptr<const ServedProfile::Data> data = profile->Get(&error);
  if (data == nullptr) {
    response->status = 503;
    response->set_content(error + "\n", "text/plain; charset=utf-8");
  } else if (wanted == "/") {
    response->set_content(report::ServedPage(data->title), "text/html; charset=utf-8");
  } else if (request.get_param_value("after") == data->version) {
    response->status = 204;
  } else {
    response->set_header("X-Profile-Version", data->version);
    response->set_content(data->json, "application/json");
  }
}

int Run(const Options& options) {
  ServedProfile profile(options.files, options.no_cache);
  std::string error;
  if (profile.Get(&error) == nullptr) {
    Complain(error);
    return kFailure;
  }
  const std::string token = NewToken();
  if (token.empty()) {
    Complain(std::string("serve: the system gives no random numbers: ") + std::strerror(errno));
    return kFailure;
  }

  // Blocked before any thread is made: only the thread that waits for these signals gets them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  httplib::Server server;
  server.set_keep_alive_timeout(1);  // seconds; Ctrl-C waits for connections to end
  int port = options.port;
  const bool bound = port == 0 ? (port = server.bind_to_any_port(kAddress)) > 0 : server.bind_to_port(kAddress, port);
  if (!bound) {
    Complain("serve: port " + std::to_string(options.port) + " of " + kAddress +
             " is not available: " + std::strerror(errno));
    return kFailure;
  }
  const Gate gate(token, port);
  server.Get(".*", [&](const httplib::Request& request, httplib::Response& response) {
    Answer(gate, &profile, request, &response);
  });
  std::thread([&server, signals] {
    int signal = 0;
    sigwait(&signals, &signal);
    server.stop();
  }).detach();
  std::printf("http://%s:%d/%s/\nOpen this address in a browser. Ctrl-C ends the server.\n", kAddress, port,
              token.c_str());
  std::fflush(stdout);
  if (server.listen_after_bind()) return kSuccess;
  Complain("serve: the server stopped unexpectedly");
  return kFailure;
}

}  // namespace

void AddServeCommand(CLI::App* app, int* status) {
  auto options = std::make_shared<Options>();
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
