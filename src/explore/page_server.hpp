/// Serves the page of `dibs explore` over HTTP, on loopback alone. Its source alone knows
/// cpp-httplib here.
///
///   GET /               the page
///   GET /look           the figures of a place as they come, a line of JSON for each state, until
///                       all runs are in or the same page looks elsewhere
///   GET /scenario.yaml  the scenario of a place
///
/// Each with `token`, the latter two with `at` (`3.0.12`), `/look` with `page`, any word that tells
/// one tab from another. A line without text says that the connection is still there.
#pragma once

#include "base/result.hpp"
#include "explore/point_runner.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dibs::explore {

struct page_content {
  std::string page;  ///< HTML
  std::string token;
  std::vector<slider> sliders;
  point_runner* runner = nullptr;
  /// The scenario of a place as a file, and what to call it.
  std::function<tl::expected<std::string, objection>(const place&)> file{};
  std::string file_name;
};

/// Whether this dibs was built with the library. Errors (exit 2): its package.
[[nodiscard]] result<void> can_show();

class page_server {
 public:
  /// Takes connections from here on; port 0 is any that is free. Errors (exit 1): it is in use.
  [[nodiscard]] static result<std::unique_ptr<page_server>> listen(int port);

  page_server(const page_server&) = delete;
  page_server& operator=(const page_server&) = delete;
  ~page_server();

  [[nodiscard]] int port() const;

  /// Answers until `stop` is true, and then stops the runner.
  void serve(const page_content& what, const std::atomic<bool>& stop);

 private:
  struct parts;
  explicit page_server(std::unique_ptr<parts> p);

  std::unique_ptr<parts> parts_;
};

}  // namespace dibs::explore
