/// Large pages of memory for the whole program.
///
/// A run keeps some forty tables of drivers, tries and rides and looks into most of them at random.
/// With pages of 4 KiB it waits for page tables, and for the system to supply each page when it is
/// first touched.
#pragma once

#include <optional>
#include <string>

namespace dibs {

/// What `GLIBC_TUNABLES` has to be so that memory comes in large pages, where it is `now`; nothing
/// if it says something of them already. What else it says of memory stays.
[[nodiscard]] std::optional<std::string> large_page_tunables(const std::string& now);

/// From here on memory comes in large pages (2 MiB on x86), if the system has them. glibc asks for
/// them only where its environment says so when the program starts; so this starts the program
/// anew, unless that was done. With another C library, and built for sanitizers, it does nothing.
/// Requires: nothing has been read, written or started that could not be once more, and signals do
/// what they do by default: one that comes before the new start would be forgotten.
void take_large_pages();

/// Threads share so many heaps at most. Each heap keeps much of what was freed in it, so that a
/// program of many threads that come and go would only grow. To be called before any thread begins.
void limit_heaps(int most);

/// What was freed goes back to the system.
void give_back_memory();

}  // namespace dibs
