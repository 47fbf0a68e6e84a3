/// The functions of libcurl, by the names that its documentation has.
#pragma once

// Its checks of types are macros that know no function pointers.
#define CURL_DISABLE_TYPECHECK  // NOLINT(check): libcurl asks for this name
#include <curl/curl.h>

namespace dibs::store {

struct libcurl {
  decltype(&::curl_global_init) curl_global_init = nullptr;
  decltype(&::curl_easy_init) curl_easy_init = nullptr;
  decltype(&::curl_easy_setopt) curl_easy_setopt = nullptr;
  decltype(&::curl_easy_getinfo) curl_easy_getinfo = nullptr;
  decltype(&::curl_easy_cleanup) curl_easy_cleanup = nullptr;
  decltype(&::curl_easy_strerror) curl_easy_strerror = nullptr;
  decltype(&::curl_slist_append) curl_slist_append = nullptr;
  decltype(&::curl_slist_free_all) curl_slist_free_all = nullptr;
  decltype(&::curl_multi_init) curl_multi_init = nullptr;
  decltype(&::curl_multi_cleanup) curl_multi_cleanup = nullptr;
  decltype(&::curl_multi_setopt) curl_multi_setopt = nullptr;
  decltype(&::curl_multi_add_handle) curl_multi_add_handle = nullptr;
  decltype(&::curl_multi_remove_handle) curl_multi_remove_handle = nullptr;
  decltype(&::curl_multi_socket_action) curl_multi_socket_action = nullptr;
  decltype(&::curl_multi_info_read) curl_multi_info_read = nullptr;
};

/// Loaded at the first call. Null where the library is not there.
[[nodiscard]] const libcurl* libcurl_functions();

}  // namespace dibs::store
