# cmake -DFOLDER=... -DOUT=... -P embed.cmake: the scripts of FOLDER as string literals in OUT.

set(made "// Made by src/store/scripts/embed.cmake.\n#if defined(__clang__)\n#pragma clang diagnostic ignored \"-Woverlength-strings\"\n#endif\n#include \"store/scripts.hpp\"\n\nnamespace dibs::store::scripts {\n\n")
foreach(name leases.sql common.lua acquire.lua confirm.lua renew.lua release.lua expire.lua trip_began.lua trip_ended.lua
             variant_conditional_update.sql variant_now.sql variant_on_conflict.sql variant_by_holder.sql
             variant_set_nx.lua)
  file(READ ${FOLDER}/${name} text)
  get_filename_component(word ${name} NAME_WE)
  string(APPEND made "const std::string_view ${word} = R\"dibs~(${text})dibs~\";\n\n")
endforeach()
string(APPEND made "}  // namespace dibs::store::scripts\n")
file(WRITE ${OUT} "${made}")
