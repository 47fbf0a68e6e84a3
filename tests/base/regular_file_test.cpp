#include "base/regular_file.hpp"

#include "catch.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

TEST_CASE("regular file: whatever else is there is called by its name", "[regular_file]") {
  std::string pattern = (fs::temp_directory_path() / "dibs-kinds-XXXXXX").string();
  REQUIRE(::mkdtemp(pattern.data()) != nullptr);
  const fs::path folder = pattern;
  std::ofstream(folder / "file") << "x";
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  fs::create_symlink(folder / "pipe", folder / "link");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket").c_str(), sizeof address.sun_path - 1);
  REQUIRE(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);

  CHECK_FALSE(dibs::objection_to_file(folder / "file"));
  CHECK(dibs::objection_to_file(folder / "pipe") == "expected a file (got a pipe)");
  CHECK(dibs::objection_to_file(folder / "link") == "expected a file (got a pipe)");
  CHECK(dibs::objection_to_file(folder / "socket") == "expected a file (got a socket)");
  CHECK(dibs::objection_to_file(folder) == "expected a file (got a directory)");
  CHECK(dibs::objection_to_file("/dev/zero") == "expected a file (got a device)");
  CHECK(dibs::objection_to_file(folder / "none") == "No such file or directory");
  ::close(socket);
  fs::remove_all(folder);
}

}  // namespace
