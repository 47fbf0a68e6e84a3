#include "store/libcurl.hpp"

#include "store/loaded_library.hpp"

namespace dibs::store {

const libcurl* libcurl_functions() {
  static libcurl all;
  static const bool is_there = [] {
    loaded_library library("libcurl.so.4");
    library.find("curl_global_init", all.curl_global_init);
    library.find("curl_easy_init", all.curl_easy_init);
    library.find("curl_easy_setopt", all.curl_easy_setopt);
    library.find("curl_easy_getinfo", all.curl_easy_getinfo);
    library.find("curl_easy_cleanup", all.curl_easy_cleanup);
    library.find("curl_easy_strerror", all.curl_easy_strerror);
    library.find("curl_slist_append", all.curl_slist_append);
    library.find("curl_slist_free_all", all.curl_slist_free_all);
    library.find("curl_multi_init", all.curl_multi_init);
    library.find("curl_multi_cleanup", all.curl_multi_cleanup);
    library.find("curl_multi_setopt", all.curl_multi_setopt);
    library.find("curl_multi_add_handle", all.curl_multi_add_handle);
    library.find("curl_multi_remove_handle", all.curl_multi_remove_handle);
    library.find("curl_multi_socket_action", all.curl_multi_socket_action);
    library.find("curl_multi_info_read", all.curl_multi_info_read);
    return library.is_there() && all.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  }();
  return is_there ? &all : nullptr;
}

}  // namespace dibs::store
