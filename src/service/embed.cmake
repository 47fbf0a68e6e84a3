# cmake -DFILE=... -DOUT=... -P embed.cmake: FILE as a string literal in OUT.

file(READ ${FILE} text)
file(WRITE ${OUT} "// Made by src/service/embed.cmake.
#if defined(__clang__)
#pragma clang diagnostic ignored \"-Woverlength-strings\"
#endif
#include \"service/api.hpp\"

namespace dibs::service {

const std::string_view openapi = R\"dibs~(${text})dibs~\";

}  // namespace dibs::service
")
