#include "base/spill_file.hpp"

#include "base/ensure.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace dibs {
namespace {

constexpr std::size_t written_at_once = std::size_t{1} << 14;
constexpr std::size_t read_at_once = std::size_t{1} << 14;
constexpr std::uint64_t left_to_others = std::uint64_t{1} << 30;

std::string folder() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/var/tmp";
}

int opened_in(const std::string& folder) {
#ifdef O_TMPFILE
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) {
    return file;
  }
#endif
  std::string name = folder + "/dibs-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) {
    ::unlink(name.c_str());
  }
  return named;
}

std::uint64_t free_beside(int file) {
  struct statvfs disk {};
  return ::fstatvfs(file, &disk) == 0 ? std::uint64_t{disk.f_bavail} * disk.f_frsize : 0;
}

/// Calls `move(done)`, which moves some of the bytes from there on and returns how many, until all
/// are moved; false if it cannot.
template <class Move>
bool move_all(std::size_t size, Move move) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t moved = move(done);
    if (moved > 0) {
      done += static_cast<std::size_t>(moved);
    } else if (moved == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

unnamed_file::unnamed_file(const std::string& folder) : descriptor_(opened_in(folder)) {
  rlimit files{};
  const bool is_known = ::getrlimit(RLIMIT_NOFILE, &files) == 0;
  if (is_known && std::cmp_greater_equal(descriptor_, files.rlim_cur / 2)) {
    ::close(std::exchange(descriptor_, -1));
  }
}

unnamed_file::unnamed_file(unnamed_file&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

unnamed_file& unnamed_file::operator=(unnamed_file&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

unnamed_file::~unnamed_file() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

spill::place spill::put(std::span<const std::byte> what) {
  ensure(!what.empty() && what.size() <= UINT32_MAX, "what is put away has a size");
  const auto size = static_cast<std::uint32_t>(what.size());
  if (!takes_more_) {
    return {.here = {what.begin(), what.end()}, .at = 0, .size = size};
  }
  const std::uint64_t at = written_ + on_its_way_.size();
  on_its_way_.insert(on_its_way_.end(), what.begin(), what.end());
  if (on_its_way_.size() >= written_at_once) {
    flush();
  }
  return {.here = {}, .at = at, .size = size};
}

std::span<const std::byte> spill::get(const place& from) const {
  if (!from.here.empty()) {
    return from.here;
  }
  if (from.at >= written_) {
    return std::span(on_its_way_).subspan(from.at - written_, from.size);
  }
  if (from.at < read_at_ || from.at + from.size > read_at_ + read_.size()) {
    read_from(from.at, from.size);
  }
  return std::span(read_).subspan(from.at - read_at_, from.size);
}

void spill::flush() {
  const auto write = [this](std::size_t done) {
    return ::pwrite(file_.descriptor(),
                    on_its_way_.data() + done,
                    on_its_way_.size() - done,
                    static_cast<off_t>(written_ + done));
  };
  // What cannot be written stays where it is.
  takes_more_ = has_room() && move_all(on_its_way_.size(), write);
  if (takes_more_) {
    written_ += on_its_way_.size();
    on_its_way_.clear();
  }
}

bool spill::has_room() {
  if (file_.descriptor() < 0) {
    file_ = unnamed_file(folder());
  }
  return file_.descriptor() >= 0 && free_beside(file_.descriptor()) >= left_to_others;
}

void spill::read_from(std::uint64_t at, std::size_t size) const {
  read_.clear();
  read_at_ = at;
  read_.resize(std::min<std::uint64_t>(std::max(size, read_at_once), written_ - at));
  errno = 0;
  const bool is_whole = move_all(read_.size(), [&](std::size_t done) {
    return ::pread(file_.descriptor(),
                   read_.data() + done,
                   read_.size() - done,
                   static_cast<off_t>(at + done));
  });
  if (!is_whole) {
    read_.clear();
    throw std::system_error(errno == 0 ? EIO : errno,
                            std::generic_category(),
                            "cannot read back what a long run keeps in " + folder());
  }
}

}  // namespace dibs
