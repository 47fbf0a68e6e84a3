/// Where a server for HTTP listens, and how it lets go of connections. For the files that know
/// cpp-httplib.
#pragma once

#include "base/result.hpp"
#include "service/http_server.hpp"

namespace httplib {
class Server;
}

namespace dibs::service {

/// The port that the server got. Errors (exit 1): the address is in use, or is none of this
/// machine.
[[nodiscard]] result<int> bound_port(httplib::Server& s, const listen_address& a);

/// Nothing more is read from connections to this port, or the library would wait for each idle one.
/// Nor does it answer any more: it takes the caller for gone.
void end_idle_connections(int port);

}  // namespace dibs::service
