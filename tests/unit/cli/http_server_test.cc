// The web server of `ompprof serve`: what it reads, refuses and sends.
#include "profiler/cli/serve/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

namespace ompprof::cli {
namespace {

int StatusOf(const std::string& text, HttpRequest* request) {
  HttpResponse refusal;
  bool head_only = false;
  return ParseHttpRequest(text, request, &head_only, &refusal) ? 0 : refusal.status;
}

TEST(ParseHttpRequest, PathQueryAndHost) {
  HttpRequest request;
  bool head_only = false;
  HttpResponse refusal;
  ASSERT_TRUE(
      ParseHttpRequest("HEAD /a/b?one=1&after=2.3-&x HTTP/1.1\r\nX-Host: other\r\nhOST: \t127.0.0.1:80 \r\n\r\n",
                       &request, &head_only, &refusal));
  EXPECT_TRUE(head_only);
  EXPECT_EQ(request.path, "/a/b");
  EXPECT_EQ(request.host, "127.0.0.1:80");
  EXPECT_EQ(request.Parameter("after"), "2.3-");
  EXPECT_EQ(request.Parameter("one"), "1");
  EXPECT_EQ(request.Parameter("fter"), "");
  EXPECT_EQ(request.Parameter("x"), "");
  HttpRequest bare;
  EXPECT_EQ(StatusOf("GET / HTTP/1.0\r\n\r\n", &bare), 0);
  EXPECT_EQ(bare.path + "|" + bare.query + "|" + bare.host, "/||");
}

TEST(ParseHttpRequest, RefusesWhatItDoesNotKnow) {
  HttpRequest request;
  for (const char* bad :
       {"\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "GET / HTTP/2\r\n\r\n",
        "GET / / HTTP/1.1\r\n\r\n", "GET http://a/ HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"}) {
    EXPECT_EQ(StatusOf(bad, &request), 400) << bad;
  }
  for (const char* method : {"POST", "get", "OPTIONS"}) {
    EXPECT_EQ(StatusOf(std::string(method) + " / HTTP/1.1\r\n\r\n", &request), 405) << method;
  }
}

class HttpServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(pipe(stop_), 0);
    port_ = server_.Listen(0);
    ASSERT_GT(port_, 0) << errno;
    thread_ = std::thread([this] {
      served_ = server_.Serve(stop_[0], [](const HttpRequest& request) {
        return HttpResponse{request.path == "/none" ? 204 : 200,
                            "text/plain",
                            request.path == "/long" ? std::string(kLong, 'x') : "path " + request.path,
                            {{"X-Test", "yes"}}};
      });
    });
  }
  void TearDown() override {
    ASSERT_EQ(write(stop_[1], "x", 1), 1);
    thread_.join();
    EXPECT_TRUE(served_);
    close(stop_[0]);
    close(stop_[1]);
  }

  int Connect() const {
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << errno;
    return client;
  }
  static void Send(int client, const std::string& text) {
    EXPECT_EQ(send(client, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size())) << errno;
  }
  static std::string ReadAll(int client) {
    std::string all;
    char bytes[65536];
    ssize_t size;
    while ((size = recv(client, bytes, sizeof bytes, 0)) > 0) all.append(bytes, static_cast<size_t>(size));
    close(client);
    return all;
  }
  std::string Ask(const std::string& text) const {
    const int client = Connect();
    Send(client, text);
    return ReadAll(client);
  }

  static constexpr size_t kLong = 20000000;  // more than the sockets hold
  HttpServer server_;
  int stop_[2] = {-1, -1};
  int port_ = 0;
  bool served_ = false;
  std::thread thread_;
};

TEST_F(HttpServerTest, Answers) {
  EXPECT_EQ(
      Ask("GET /a HTTP/1.1\r\n\r\n"),
      "HTTP/1.1 200 OK\r\nConnection: close\r\nX-Test: yes\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\n"
      "path /a");
  EXPECT_EQ(Ask("HEAD /a HTTP/1.1\r\n\r\n").substr(0, 15), "HTTP/1.1 200 OK");
  EXPECT_EQ(Ask("HEAD /a HTTP/1.1\r\n\r\n").find("path"), std::string::npos);
  EXPECT_EQ(Ask("GET /none HTTP/1.1\r\n\r\n").find("Content-Length"), std::string::npos);
  const std::string whole = Ask("GET /long HTTP/1.1\r\n\r\n");
  EXPECT_EQ(whole.size() - whole.find("\r\n\r\n") - 4, kLong);
  EXPECT_EQ(Ask("nonsense\r\n\r\n").substr(0, 24), "HTTP/1.1 400 Bad Request");
  EXPECT_EQ(Ask(std::string(17000, 'x')).substr(0, 12), "HTTP/1.1 431");
}

// Others are served beside a client that sends half a request, one that says nothing, and one that reads nothing.
TEST_F(HttpServerTest, NoClientHoldsUpAnother) {
  const int silent = Connect();
  const int half = Connect();
  Send(half, "GET /half HT");
  const int deaf = Connect();
  Send(deaf, "GET /long HTTP/1.1\r\n\r\n");
  EXPECT_NE(Ask("GET /a HTTP/1.1\r\n\r\n").find("path /a"), std::string::npos);
  Send(half, "TP/1.1\r\n\r\n");
  EXPECT_NE(ReadAll(half).find("path /half"), std::string::npos);
  close(deaf);
  close(silent);
  EXPECT_NE(Ask("GET /b HTTP/1.1\r\n\r\n").find("path /b"), std::string::npos);
}

// Clients beyond the most connections wait until idle ones have had their time.
TEST_F(HttpServerTest, IdleConnectionsGiveWay) {
  std::vector<int> idle;
  for (int i = 0; i < 40; ++i) idle.push_back(Connect());
  EXPECT_NE(Ask("GET /a HTTP/1.1\r\n\r\n").find("path /a"), std::string::npos);
  for (const int client : idle) close(client);
}

TEST_F(HttpServerTest, APortThatIsTaken) {
  HttpServer second;
  EXPECT_EQ(second.Listen(port_), 0);
  EXPECT_EQ(errno, EADDRINUSE);
}

}  // namespace
}  // namespace ompprof::cli
