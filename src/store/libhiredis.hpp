/// The functions of Redis's client library, by the names that its documentation has.
#pragma once

#include <hiredis/hiredis.h>

namespace dibs::store {

struct libhiredis {
  decltype(&::redisAppendCommand) redisAppendCommand = nullptr;
  decltype(&::redisAppendCommandArgv) redisAppendCommandArgv = nullptr;
  decltype(&::redisBufferRead) redisBufferRead = nullptr;
  decltype(&::redisBufferWrite) redisBufferWrite = nullptr;
  decltype(&::redisCommandArgv) redisCommandArgv = nullptr;
  decltype(&::redisConnectWithTimeout) redisConnectWithTimeout = nullptr;
  decltype(&::redisFree) redisFree = nullptr;
  decltype(&::redisGetReply) redisGetReply = nullptr;
  decltype(&::redisReaderGetReply) redisReaderGetReply = nullptr;
  decltype(&::freeReplyObject) freeReplyObject = nullptr;
};

/// Loaded at the first call. Null where the library is not there.
[[nodiscard]] const libhiredis* libhiredis_functions();

}  // namespace dibs::store
