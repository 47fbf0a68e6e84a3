#include "results/run_directory.hpp"

#include "base/os_error.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace dibs::results {
namespace {

constexpr const char* lock_name = ".lock";
constexpr int directories_max = 100'000;

tl::unexpected<error> cannot_make(const std::filesystem::path& path, int number) {
  return failure(
      exit_code::internal_error,
      fmt::format("cannot make the run directory {}: {}", listed(path), os_error_text(number)));
}

/// Whether another process holds the lock of a directory.
bool is_being_written(const std::filesystem::path& directory) {
  const int fd = ::open((directory / lock_name).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return false;
  }
  const bool held = ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return held;
}

int make_parents(const std::filesystem::path& path) {
  std::error_code failed;
  if (const auto parent = path.parent_path(); !parent.empty()) {
    std::filesystem::create_directories(parent, failed);
  }
  return failed.value();
}

int make_one(const std::filesystem::path& path) {
  return ::mkdir(path.c_str(), 0777) == 0 ? 0 : errno;
}

}  // namespace

std::string folder_name(std::string_view name) {
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  constexpr std::size_t length_max = 100;
  std::string text(name.substr(0, length_max));
  for (char& c : text) {
    if (allowed.find(c) == std::string_view::npos) {
      c = '-';
    }
  }
  // Neither hidden, nor `..`, nor an option to the next command.
  if (!text.empty() && (text[0] == '.' || text[0] == '-')) {
    text[0] = '_';
  }
  return text.empty() ? "run" : text;
}

std::string unfinished_reason(const std::filesystem::path& directory) {
  if (is_being_written(directory)) {
    const auto pid = read_whole(directory / lock_name, 32);
    return fmt::format("{} is being written by another dibs, process {}",
                       listed(directory),
                       pid ? pid->substr(0, pid->find('\n')) : "unknown");
  }
  std::error_code failed;
  if (std::filesystem::exists(directory / lock_name, failed)) {
    return fmt::format("{} is unfinished: dibs was stopped while writing it", listed(directory));
  }
  return fmt::format("{} holds no {}: it is not a finished run", listed(directory), manifest_name);
}

result<run_directory> run_directory::make_numbered(const std::filesystem::path& parent,
                                                   std::string_view name) {
  const std::string stem = folder_name(name);
  if (const int failed = make_parents(parent / stem); failed != 0) {
    return cannot_make(parent / stem, failed);
  }
  for (int n = 1; n <= directories_max; ++n) {
    run_directory made(parent / (n == 1 ? stem : fmt::format("{}-{}", stem, n)));
    const int failed = make_one(made.path_);
    if (failed == EEXIST) {
      continue;
    }
    if (failed != 0) {
      return cannot_make(made.path_, failed);
    }
    if (auto locked = made.lock(); !locked) {
      return tl::unexpected<error>(locked.error());
    }
    return made;
  }
  return cannot_make(parent / stem, EEXIST);
}

result<run_directory> run_directory::make(const std::filesystem::path& path) {
  run_directory made(path.has_filename() ? path : path.parent_path());
  if (const int failed = make_parents(made.path_); failed != 0) {
    return cannot_make(made.path_, failed);
  }
  const int failed = make_one(made.path_);
  if (failed == EEXIST && is_being_written(made.path_)) {
    return failure(exit_code::internal_error, unfinished_reason(made.path_));
  }
  if (failed == EEXIST) {
    return failure(exit_code::usage,
                   fmt::format("{} is there already, and a run directory is never overwritten; "
                               "choose another --out, or leave it away for a numbered one",
                               listed(made.path_)));
  }
  if (failed != 0) {
    return cannot_make(made.path_, failed);
  }
  if (auto locked = made.lock(); !locked) {
    return tl::unexpected<error>(locked.error());
  }
  return made;
}

run_directory::run_directory(run_directory&& other) noexcept
    : path_(std::move(other.path_)),
      files_(std::move(other.files_)),
      lock_fd_(std::exchange(other.lock_fd_, -1)) {}

run_directory::~run_directory() {
  if (lock_fd_ >= 0) {
    remove();
  }
}

result<void> run_directory::lock() {
  const std::string file = (path_ / lock_name).string();
  lock_fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (lock_fd_ < 0 || ::flock(lock_fd_, LOCK_EX | LOCK_NB) != 0) {
    const int number = errno;
    ::rmdir(path_.c_str());
    return failure(
        exit_code::internal_error,
        fmt::format(
            "cannot write in the run directory {}: {}", listed(path_), os_error_text(number)));
  }
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::write(lock_fd_, pid.data(), pid.size()) != static_cast<ssize_t>(pid.size())) {
    const int number = errno;
    return failure(exit_code::internal_error,
                   fmt::format("cannot write {}: {}; {} bytes needed",
                               listed(path_ / lock_name),
                               os_error_text(number),
                               pid.size()));
  }
  return {};
}

void run_directory::remove() {
  for (const file_record& f : files_) {
    ::unlink((path_ / f.name).c_str());
  }
  ::unlink((path_ / lock_name).c_str());
  ::close(std::exchange(lock_fd_, -1));
  ::rmdir(path_.c_str());
}

result<void> run_directory::write(const std::string& name, std::string_view text) {
  auto record = write_file(path_, name, text);
  if (!record) {
    return tl::unexpected<error>(record.error());
  }
  files_.push_back(std::move(*record));
  return {};
}

result<void> run_directory::commit(pending_file file) {
  auto record = file.commit();
  if (!record) {
    return tl::unexpected<error>(record.error());
  }
  files_.push_back(std::move(*record));
  return {};
}

result<void> run_directory::seal(manifest m) {
  m.files = files_;
  const auto record = write_file(path_, manifest_name, to_json(m));
  if (!record) {
    return tl::unexpected<error>(record.error());
  }
  ::unlink((path_ / lock_name).c_str());
  ::close(std::exchange(lock_fd_, -1));
  return {};
}

}  // namespace dibs::results
