/// A shared library that is loaded when something of it is needed: what links it starts with it,
/// and a program of 5 ms should not wait 10 ms for what most commands never use.
#pragma once

#include <dlfcn.h>

namespace dibs::store {

/// Never unloaded.
class loaded_library {
 public:
  /// `name`: as the loader knows it, `libpq.so.5`.
  explicit loaded_library(const char* name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

  [[nodiscard]] bool is_there() const { return handle_ != nullptr && has_all_; }

  /// Sets `function` to the one of this name; null if there is none.
  template <class Function>
  void find(const char* name, Function*& function) {
    void* const found = handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
    function = reinterpret_cast<Function*>(found);
    has_all_ = has_all_ && found != nullptr;
  }

 private:
  void* handle_;
  bool has_all_ = true;
};

}  // namespace dibs::store
