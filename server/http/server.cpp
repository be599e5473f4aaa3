#include "server/http/server.hpp"

#include <atomic>
#include <thread>
#include <utility>

#include "collectors/core/thread.hpp"
#include "server/api/api.hpp"
#include "server/api/problem.hpp"
#include "server/http/connection_stream.hpp"
#include "server/http/parking.hpp"
#include "server/http/request_watch.hpp"
#include "server/http/thread_pool.hpp"

namespace countertop::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Longer paths than that are nothing that a request with a body could mean.
constexpr std::size_t kMostPostPathBytes = 200;

/// The library starts its tasks on our threads.
class PoolTasks final : public httplib::TaskQueue {
 public:
  explicit PoolTasks(ThreadPool& pool) : pool_(pool) {}
  bool enqueue(std::function<void()> task) override { return pool_.enqueue(std::move(task)); }
  void shutdown() override {}  // the pool's owner does that

 private:
  ThreadPool& pool_;
};

api::Request to_request(const httplib::Request& from, std::stop_token stop) {
  api::Request request;
  request.method = from.method;
  api::set_target(request, from.target);
  for (const auto& [name, value] : from.headers) request.headers.emplace_back(api::to_lower(name), value);
  request.body = from.body;
  request.peer = from.remote_addr;
  request.stop = std::move(stop);
  return request;
}

api::Response plain_problem(int status, const char* slug, const char* title, const char* fix) {
  api::Response response = api::problem_response({status, slug, title, {}, fix, {}, 0}, {});
  api::add_safety_headers(response);
  return response;
}

/// For what the library refuses by itself.
api::Response refusal(int status) {
  switch (status) {
    case 413:
      return plain_problem(413, "body-too-large", "The body is too large", "Send at most 64 kB.");
    case 414:
      return plain_problem(414, "address-too-long", "The address is too long",
                           "Ask for fewer series at a time.");
    default:
      return plain_problem(status, "malformed", "The request is malformed",
                           "Send HTTP/1.1 as RFC 9112 has it.");
  }
}

void copy_head(const api::Response& from, httplib::Response& to) {
  to.status = from.status;
  to.headers.clear();
  for (const auto& [name, value] : from.headers) to.headers.emplace(name, value);
}

}  // namespace

class Server::Impl final : public httplib::Server {
 public:
  Impl(const ServerOptions& options, http::Handler handler);
  ~Impl() override { shut_down(); }

  [[nodiscard]] Result<void> bind_socket();
  void start();
  void shut_down();
  [[nodiscard]] std::uint16_t bound_port() const { return port_; }
  [[nodiscard]] std::size_t thread_count() const { return pool_.threads(); }
  [[nodiscard]] std::size_t parked() const { return parking_.parked(); }

 private:
  /// What one connection's thread knows beyond what the library hands on.
  struct Connection {
    Socket socket;
    std::unique_ptr<RequestWatch::Guard> guard;  // lives until the answer is written
    bool must_close = false;
    bool is_stream = false;  // the answer that is being written
  };

  bool process_and_close_socket(socket_t socket) override;
  void serve(Socket socket);
  [[nodiscard]] bool serve_one(ConnectionStream& stream, Connection& connection);
  void prepare(httplib::Request& request, Connection& connection);
  void answer(const httplib::Request& request, httplib::Response& response);
  void add_stream(const httplib::Request& request, httplib::Response& response, api::Stream stream);

  static thread_local Connection* current_;

  const ServerOptions options_;
  const http::Handler handler_;
  std::uint16_t port_ = 0;
  std::atomic<bool> is_stopping_{false};
  RequestWatch watch_;
  ThreadPool pool_;
  Parking parking_;
  std::thread accepting_;
};

thread_local Server::Impl::Connection* Server::Impl::current_ = nullptr;

Server::Impl::Impl(const ServerOptions& options, http::Handler handler)
    : options_(options),
      handler_(std::move(handler)),
      pool_(options.most_threads),
      parking_(
          [this](Socket socket) {
            if (!pool_.enqueue([this, socket] { serve(socket); })) close_connection(socket);
          },
          options.idle_limit, options.most_idle) {
  new_task_queue = [this] { return new PoolTasks(pool_); };
  set_payload_max_length(api::kMaxBodyBytes);
  set_keep_alive_timeout(std::chrono::duration_cast<std::chrono::seconds>(options.idle_limit).count());
  set_tcp_nodelay(true);
  // The library's default would let two programs listen on one port.
  set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, reinterpret_cast<const char*>(&yes), sizeof(yes));
  });
  set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    // Only a POST has a body that anybody reads, and the library reads it after this.
    if (request.method == "POST" && request.path.size() <= kMostPostPathBytes)
      return HandlerResponse::Unhandled;
    answer(request, response);
    return HandlerResponse::Handled;
  });
  Post(".*",
       [this](const httplib::Request& request, httplib::Response& response) { answer(request, response); });
  set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (!response.body.empty() || response.has_header("Content-Type")) return HandlerResponse::Unhandled;
    if (current_ != nullptr) current_->must_close = true;  // nobody knows what is left of the request
    const api::Response refused = refusal(response.status);
    copy_head(refused, response);
    response.body = refused.body;
    return HandlerResponse::Handled;
  });
  set_post_routing_handler([](const httplib::Request&, httplib::Response& response) {
    response.headers.erase("Accept-Ranges");
    const bool has_no_body = response.status == 204 || response.status == 304;
    // The length of a stream is not known, to HEAD neither.
    if (has_no_body || (current_ != nullptr && current_->is_stream)) response.headers.erase("Content-Length");
  });
  set_exception_handler([](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
    copy_head(plain_problem(500, "internal", "The program made a mistake", "Please report it."), response);
  });
}

Result<void> Server::Impl::bind_socket() {
  const std::string host = options_.host == "localhost" ? "127.0.0.1" : options_.host;
  if (options_.port == 0) {
    const int port = bind_to_any_port(host);
    if (port <= 0) return tl::unexpected(why_not_bound(host, 0));
    port_ = static_cast<std::uint16_t>(port);
    return {};
  }
  if (!bind_to_port(host, options_.port)) return tl::unexpected(why_not_bound(host, options_.port));
  port_ = options_.port;
  return {};
}

void Server::Impl::start() {
  accepting_ = std::thread([this] {
    set_thread_name("ct-accept");
    listen_after_bind();
  });
}

void Server::Impl::shut_down() {
  if (is_stopping_.exchange(true)) return;
  watch_.stop_all();
  if (accepting_.joinable()) {
    wait_until_ready();
    stop();
    accepting_.join();
  }
  parking_.close_all();
  pool_.shutdown();
}

bool Server::Impl::process_and_close_socket(socket_t socket) {
  serve(static_cast<Socket>(socket));
  return true;
}

/// Answers what has come, then parks the connection: it costs no thread until something comes again.
void Server::Impl::serve(Socket socket) {
  Connection connection{socket, nullptr};
  ConnectionStream stream(socket, options_.send_limit);
  current_ = &connection;
  while (!is_stopping_) {
    if (!stream.has_buffered() && !wait_readable(socket, milliseconds(0))) {
      current_ = nullptr;
      parking_.park(socket);
      return;
    }
    if (!serve_one(stream, connection)) break;
  }
  current_ = nullptr;
  close_connection(socket);
}

bool Server::Impl::serve_one(ConnectionStream& stream, Connection& connection) {
  stream.set_receive_deadline(steady_clock::now() + options_.receive_limit);
  connection.is_stream = false;
  std::string remote, local;
  int remote_port = 0, local_port = 0;
  stream.get_remote_ip_and_port(remote, remote_port);
  stream.get_local_ip_and_port(local, local_port);
  bool is_closed = false;
  const bool is_done = process_request(stream, remote, remote_port, local, local_port, false, is_closed,
                                       [&](httplib::Request& request) { prepare(request, connection); });
  connection.guard.reset();
  return is_done && !is_closed && !connection.must_close && !stream.is_late();
}

void Server::Impl::prepare(httplib::Request& request, Connection& connection) {
  request.ranges.clear();  // answers are made anew each time: parts of them would not fit together
  const std::string length = request.get_header_value("Content-Length");
  const bool has_body = (!length.empty() && length != "0") || request.has_header("Transfer-Encoding");
  if (has_body && (request.method != "POST" || request.path.size() > kMostPostPathBytes))
    connection.must_close = true;
}

void Server::Impl::answer(const httplib::Request& request, httplib::Response& response) {
  Connection& connection = *current_;
  connection.guard = std::make_unique<RequestWatch::Guard>(watch_, connection.socket, options_.answer_limit);
  api::Response made = handler_(to_request(request, connection.guard->token()));
  copy_head(made, response);
  if (connection.must_close) response.set_header("Connection", "close");
  if (made.stream) {
    connection.is_stream = true;
    connection.guard->lift_time_limit();
    if (request.method != "HEAD") add_stream(request, response, std::move(made.stream));
    return;
  }
  response.body = std::move(made.body);
}

void Server::Impl::add_stream(const httplib::Request& request, httplib::Response& response,
                              api::Stream stream) {
  const std::string type = response.get_header_value("Content-Type");
  const auto run = [stream = std::move(stream), stop = current_->guard->token()](httplib::DataSink& sink) {
    const auto write = [&](std::string_view text) {
      return text.empty() || sink.write(text.data(), text.size());
    };
    return stream(write, stop) == api::StreamEnd::complete;
  };
  response.headers.erase("Content-Type");  // the library sets it again
  if (request.version ==
      "HTTP/1.0") {  // which knows no chunks: the end of the connection is the end of the body
    current_->must_close = true;
    response.set_content_provider(type, [run](std::size_t, httplib::DataSink& sink) {
      const bool is_complete = run(sink);
      if (is_complete) sink.done();
      return is_complete;
    });
    return;
  }
  response.set_chunked_content_provider(type, [run](std::size_t, httplib::DataSink& sink) {
    const bool is_complete = run(sink);
    if (is_complete) sink.done();
    return is_complete;  // false: no last chunk, so that the client sees that something is missing
  });
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::bind(const ServerOptions& options, Handler handler) {
  auto impl = std::make_unique<Impl>(options, std::move(handler));
  if (const auto bound = impl->bind_socket(); !bound) return tl::unexpected(bound.error());
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

void Server::start() { impl_->start(); }
void Server::stop() { impl_->shut_down(); }
std::uint16_t Server::port() const { return impl_->bound_port(); }
std::size_t Server::threads() const { return impl_->thread_count(); }
std::size_t Server::idle_connections() const { return impl_->parked(); }

}  // namespace countertop::http
