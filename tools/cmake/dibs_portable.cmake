# Debian 12 and 13 have most libraries under the same names. Two differ, fmt and yaml-cpp: DIBS_PORTABLE
# takes the one from its headers and the other from its archive, so that one program runs on both. What
# is built on 12 runs on 13, and not the other way round.

option(DIBS_PORTABLE "Hold the libraries that differ between Debian 12 and 13" OFF)
if(DIBS_PORTABLE)
  # fmt's library is still named when linking, and left out since nothing of it is needed.
  add_compile_definitions(FMT_HEADER_ONLY)
  add_link_options(-Wl,--as-needed)
  find_library(YAML_CPP_ARCHIVE libyaml-cpp.a REQUIRED)
  if(TARGET yaml-cpp)
    get_target_property(configurations yaml-cpp IMPORTED_CONFIGURATIONS)
    foreach(configuration ${configurations})
      set_target_properties(
        yaml-cpp PROPERTIES IMPORTED_LOCATION_${configuration} ${YAML_CPP_ARCHIVE})
    endforeach()
  else()  # Debian 13 calls its target otherwise
    add_library(yaml-cpp STATIC IMPORTED)
    set_target_properties(yaml-cpp PROPERTIES IMPORTED_LOCATION ${YAML_CPP_ARCHIVE})
  endif()
endif()
