#include "processes/meeting_place.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <fstream>
#include <memory>

namespace dibs::processes {
namespace {

struct frees {
  void operator()(SSL_CTX* c) const { ::SSL_CTX_free(c); }
};

/// The words of OpenSSL for what went wrong last on this thread, which it then forgets.
std::string last_tls_error() {
  std::array<char, 256> words{};
  ::ERR_error_string_n(::ERR_peek_last_error(), words.data(), words.size());
  ::ERR_clear_error();
  const std::string all(words.data());
  return all.substr(all.rfind(':') + 1);
}

/// What CAF would do with these files in the middle of a connection, where it ends the process.
result<void> try_files(const tls_files& files) {
  const std::unique_ptr<SSL_CTX, frees> tried(::SSL_CTX_new(::TLS_method()));
  ::ERR_clear_error();
  const auto refused = [](const std::string& file, const std::string& as) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} cannot be used as {}: {}", file, as, last_tls_error()));
  };
  if (::SSL_CTX_use_certificate_chain_file(tried.get(), files.certificate.c_str()) != 1) {
    return refused(files.certificate, "a certificate");
  }
  if (::SSL_CTX_use_PrivateKey_file(tried.get(), files.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return refused(files.key, "the key of " + files.certificate);
  }
  if (::SSL_CTX_load_verify_locations(tried.get(), files.authority.c_str(), nullptr) != 1) {
    return refused(files.authority, "the authority's certificate");
  }
  return {};
}

}  // namespace

bool is_loopback(const std::string& host) {
  // Of names only the one that no network may give to another machine (RFC 6761, section 6.3).
  in_addr address{};
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && ::inet_pton(AF_INET, host.c_str(), &address) == 1);
}

result<void> check_safety(const meeting_place& where) {
  if (where.tls || is_loopback(where.host)) {
    return {};
  }
  return failure(exit_code::usage,
                 fmt::format("{} is another machine's address, and what goes there must not be "
                             "read or forged: give --tls-cert, --tls-key and --tls-ca",
                             where.host));
}

result<void> check_files(const meeting_place& where) {
  if (!where.tls) {
    return {};
  }
  for (const std::string* file :
       {&where.tls->certificate, &where.tls->key, &where.tls->authority}) {
    if (!std::ifstream(*file)) {
      return failure(exit_code::invalid_input, fmt::format("{}: cannot be read", *file));
    }
  }
  return try_files(*where.tls);
}

}  // namespace dibs::processes
