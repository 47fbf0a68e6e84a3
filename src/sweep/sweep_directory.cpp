#include "sweep/sweep_directory.hpp"

#include "results/run_directory.hpp"
#include "sweep/journal.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace dibs::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = ".lock";
constexpr int directories_max = 100'000;

std::string listed(const fs::path& p) { return text::display_text(p.string(), 400); }

tl::unexpected<error> cannot_make(const fs::path& path, int number) {
  return failure(
      exit_code::internal_error,
      fmt::format("cannot make the directory {}: {}", listed(path), std::strerror(number)));
}

int make_one(const fs::path& path) {
  std::error_code failed;
  if (const auto parent = path.parent_path(); !parent.empty()) {
    fs::create_directories(parent, failed);
  }
  return failed ? failed.value() : ::mkdir(path.c_str(), 0777) == 0 ? 0 : errno;
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(fs::symlink_status(path, failed));
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    names.push_back(at->path().filename().string());
  }
  return names;
}

}  // namespace

result<sweep_directory> sweep_directory::open(const fs::path& path, bool resume) {
  sweep_directory d(path.has_filename() ? path : path.parent_path());
  const int failed = make_one(d.path_);
  if (failed == EEXIST && !resume) {
    return failure(exit_code::usage,
                   fmt::format("{} is there already, and a sweep's directory is never overwritten; "
                               "go on with it by --resume, or choose another --out",
                               listed(d.path_)));
  }
  if (failed != 0 && failed != EEXIST) {
    return cannot_make(d.path_, failed);
  }
  if (failed == EEXIST) {
    if (auto own = d.check_content(); !own) {
      return tl::unexpected<error>(own.error());
    }
  }
  if (auto locked = d.lock(); !locked) {
    return tl::unexpected<error>(locked.error());
  }
  d.remove_partial_files();
  return d;
}

result<sweep_directory> sweep_directory::open_numbered(const fs::path& parent,
                                                       std::string_view name,
                                                       bool resume) {
  const std::string stem = results::folder_name(name);
  fs::path last;
  for (int n = 1; n <= directories_max; ++n) {
    const fs::path path = parent / (n == 1 ? stem : fmt::format("{}-{}", stem, n));
    if (is_there(path)) {
      last = path;
      continue;
    }
    if (resume) {
      return open(last.empty() ? path : last, true);
    }
    auto made = open(path, false);
    // Another process may have been faster.
    if (made || made.error().code != exit_code::usage) {
      return made;
    }
  }
  return cannot_make(parent / stem, EEXIST);
}

sweep_directory::sweep_directory(sweep_directory&& other) noexcept
    : path_(std::move(other.path_)), lock_fd_(std::exchange(other.lock_fd_, -1)) {}

sweep_directory::~sweep_directory() {
  if (lock_fd_ >= 0) {
    ::unlink((path_ / lock_name).c_str());
    ::close(lock_fd_);
  }
}

fs::path sweep_directory::journal() const { return path_ / journal_name; }

void sweep_directory::remove_tables() const {
  // The last one first, since it says that the directory is whole.
  ::unlink((path_ / summary_name).c_str());
  ::unlink((path_ / points_name).c_str());
}

result<results::pending_file> sweep_directory::table(const char* name) const {
  return results::pending_file::open(path_, name);
}

result<void> sweep_directory::lock() {
  const std::string file = (path_ / lock_name).string();
  lock_fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (lock_fd_ < 0) {
    return failure(exit_code::internal_error,
                   fmt::format("cannot write in {}: {}", listed(path_), std::strerror(errno)));
  }
  // Who gives the lock up takes the file away, perhaps between our opening and our locking it.
  struct stat ours {};
  struct stat there {};
  if (::flock(lock_fd_, LOCK_EX | LOCK_NB) != 0 || ::fstat(lock_fd_, &ours) != 0 ||
      ::stat(file.c_str(), &there) != 0 || ours.st_ino != there.st_ino) {
    ::close(std::exchange(lock_fd_, -1));
    return failure(exit_code::usage,
                   fmt::format("another dibs is at work in {}; wait for its end, or choose another "
                               "--out",
                               listed(path_)));
  }
  return {};
}

result<void> sweep_directory::check_content() const {
  std::error_code failed;
  if (!fs::is_directory(path_, failed)) {
    return failure(exit_code::invalid_input, fmt::format("{} is no directory", listed(path_)));
  }
  for (const std::string& name : names_in(path_)) {
    const bool own = name == lock_name || name.starts_with(journal_name);
    if (!own && !is_there(path_ / journal_name)) {
      return failure(
          exit_code::invalid_input,
          fmt::format(
              "{} holds no {}: it is not the directory of a sweep", listed(path_), journal_name));
    }
  }
  return {};
}

void sweep_directory::remove_partial_files() const {
  for (const std::string& name : names_in(path_)) {
    if (name.starts_with(std::string(points_name) + ".partial-") ||
        name.starts_with(std::string(summary_name) + ".partial-")) {
      ::unlink((path_ / name).c_str());
    }
  }
}

}  // namespace dibs::sweep
