#include "results/atomic_file.hpp"

#include "base/os_error.hpp"
#include "base/regular_file.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace dibs::results {
namespace {

constexpr std::size_t buffer_max = 1U << 18;

std::string digits_of(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// Some file systems cannot sync a folder and say so; there is nothing to be done about it.
int sync(int fd) {
  while (::fsync(fd) != 0) {
    if (errno == EINVAL || errno == ENOTSUP || errno == EROFS) {
      return 0;
    }
    if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int sync_folder(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    return errno;
  }
  const int failed = sync(fd);
  ::close(fd);
  return failed;
}

int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

tl::unexpected<error> cannot_read(const std::filesystem::path& file, const std::string& why) {
  return failure(exit_code::invalid_input, fmt::format("cannot read {}: {}", listed(file), why));
}

/// Reads a file in pieces, until `consume` says that it is enough.
template <class Consumer>
result<void> read_pieces(const std::filesystem::path& file, Consumer consume) {
  if (const auto no = objection_to_file(file)) {
    return cannot_read(file, *no);
  }
  // The name may stand for something else by now: to open it must not block.
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return cannot_read(file, os_error_text(errno));
  }
  std::array<char, 1U << 16> piece{};
  int failed = 0;
  for (;;) {
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      failed = errno;
    }
    if (got <= 0 || !consume(std::string_view(piece.data(), static_cast<std::size_t>(got)))) {
      break;
    }
  }
  ::close(fd);
  return failed == 0 ? result<void>() : cannot_read(file, os_error_text(failed));
}

}  // namespace

std::string listed(const std::filesystem::path& p) { return text::display_text(p.string(), 400); }

pending_file::pending_file(std::filesystem::path folder, std::string name, int fd)
    : folder_(std::move(folder)),
      name_(std::move(name)),
      partial_(folder_ / fmt::format("{}.partial-{}", name_, ::getpid())),
      fd_(fd),
      hash_(XXH3_createState()) {
  XXH3_128bits_reset(hash_.get());
}

pending_file::pending_file(pending_file&& other) noexcept
    : folder_(std::move(other.folder_)),
      name_(std::move(other.name_)),
      partial_(std::move(other.partial_)),
      fd_(std::exchange(other.fd_, -1)),
      error_number_(other.error_number_),
      bytes_(other.bytes_),
      buffer_(std::move(other.buffer_)),
      hash_(std::move(other.hash_)) {}

pending_file::~pending_file() {
  if (fd_ >= 0) {
    ::close(fd_);
    ::unlink(partial_.c_str());
  }
}

result<pending_file> pending_file::open(const std::filesystem::path& folder,
                                        const std::string& name) {
  pending_file file(folder, name, -1);
  file.fd_ = ::open(file.partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file.fd_ < 0) {
    return failure(exit_code::internal_error,
                   fmt::format("cannot write {}: {}", listed(folder / name), os_error_text(errno)));
  }
  return file;
}

void pending_file::append(std::string_view text) {
  bytes_ += text.size();
  if (failed()) {
    return;
  }
  buffer_ += text;
  if (buffer_.size() >= buffer_max) {
    flush();
  }
}

void pending_file::flush() {
  XXH3_128bits_update(hash_.get(), buffer_.data(), buffer_.size());
  if (!failed()) {
    error_number_ = write_all(fd_, buffer_);
  }
  buffer_.clear();
  if (failed()) {
    buffer_.shrink_to_fit();
  }
}

error pending_file::why() const {
  std::string text = fmt::format("cannot write {}: {}; {} bytes needed",
                                 listed(folder_ / name_),
                                 os_error_text(error_number_),
                                 text::with_thousands(bytes_));
  struct statvfs space {};
  if (::statvfs(folder_.c_str(), &space) == 0) {
    // The partial file goes when we fail, so its blocks count as free.
    struct stat own {};
    const std::uint64_t held =
        fd_ >= 0 && ::fstat(fd_, &own) == 0 ? static_cast<std::uint64_t>(own.st_blocks) * 512 : 0;
    text += fmt::format(
        ", {} free", text::with_thousands(std::uint64_t{space.f_bavail} * space.f_frsize + held));
  }
  return {exit_code::internal_error, text};
}

result<file_record> pending_file::commit() {
  flush();
  if (!failed()) {
    error_number_ = sync(fd_);
  }
  // A file system may find out only now that there was no room.
  if (!failed() && ::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) {
    error_number_ = errno;
    ::unlink(partial_.c_str());
  }
  // A hard link, unlike a rename, never replaces what is there; not every file system has them.
  if (!failed() && ::link(partial_.c_str(), (folder_ / name_).c_str()) == 0) {
    ::unlink(partial_.c_str());
  } else if (!failed()) {
    std::error_code ignored;
    if (errno == EEXIST || std::filesystem::exists(folder_ / name_, ignored)) {
      error_number_ = EEXIST;
    } else if (::rename(partial_.c_str(), (folder_ / name_).c_str()) != 0) {
      error_number_ = errno;
    }
    if (failed()) {
      ::unlink(partial_.c_str());
    }
  }
  if (!failed()) {
    error_number_ = sync_folder(folder_);
  }
  if (failed()) {
    return tl::unexpected<error>(why());
  }
  return file_record{name_, bytes_, digits_of(XXH3_128bits_digest(hash_.get()))};
}

result<file_record> write_file(const std::filesystem::path& folder,
                               const std::string& name,
                               std::string_view text) {
  auto file = pending_file::open(folder, name);
  if (!file) {
    return tl::unexpected<error>(file.error());
  }
  file->append(text);
  return file->commit();
}

result<file_record> record_of(const std::filesystem::path& file) {
  file_record record{file.filename().string(), 0, {}};
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hash(XXH3_createState(),
                                                                             XXH3_freeState);
  XXH3_128bits_reset(hash.get());
  const auto done = read_pieces(file, [&](std::string_view piece) {
    XXH3_128bits_update(hash.get(), piece.data(), piece.size());
    record.bytes += piece.size();
    return true;
  });
  if (!done) {
    return tl::unexpected<error>(done.error());
  }
  record.hash = digits_of(XXH3_128bits_digest(hash.get()));
  return record;
}

result<file_record> copy_file(const std::filesystem::path& file,
                              const std::filesystem::path& folder,
                              const std::string& name) {
  auto copy = pending_file::open(folder, name);
  if (!copy) {
    return tl::unexpected<error>(copy.error());
  }
  const auto done = read_pieces(file, [&](std::string_view piece) {
    copy->append(piece);
    return true;
  });
  return done ? copy->commit() : tl::unexpected<error>(done.error());
}

result<std::string> read_whole(const std::filesystem::path& file, std::uint64_t bytes_max) {
  std::string text;
  const auto done = read_pieces(file, [&](std::string_view piece) {
    text += piece;
    return text.size() <= bytes_max;
  });
  if (!done) {
    return tl::unexpected<error>(done.error());
  }
  if (text.size() > bytes_max) {
    return cannot_read(file, fmt::format("larger than {} bytes", bytes_max));
  }
  return text;
}

std::string hash_of(std::string_view text) {
  return digits_of(XXH3_128bits(text.data(), text.size()));
}

}  // namespace dibs::results
