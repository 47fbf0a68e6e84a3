#include "store/libhiredis.hpp"

#include "store/loaded_library.hpp"

namespace dibs::store {

const libhiredis* libhiredis_functions() {
  // Its structures differ between versions, so only the one is taken that dibs was built for.
  static libhiredis all;
  static const bool is_there = [] {
    loaded_library library(DIBS_LIBHIREDIS);
    library.find("redisAppendCommand", all.redisAppendCommand);
    library.find("redisAppendCommandArgv", all.redisAppendCommandArgv);
    library.find("redisBufferRead", all.redisBufferRead);
    library.find("redisBufferWrite", all.redisBufferWrite);
    library.find("redisCommandArgv", all.redisCommandArgv);
    library.find("redisConnectWithTimeout", all.redisConnectWithTimeout);
    library.find("redisFree", all.redisFree);
    library.find("redisGetReply", all.redisGetReply);
    library.find("redisReaderGetReply", all.redisReaderGetReply);
    library.find("freeReplyObject", all.freeReplyObject);
    return library.is_there();
  }();
  return is_there ? &all : nullptr;
}

}  // namespace dibs::store
