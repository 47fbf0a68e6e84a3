# Debian's libcaf-dev (0.17.6) ships neither a CMake package nor a pkg-config file.
# Defines the imported targets CAF::core, CAF::io and CAF::openssl, and CAF_VERSION.

find_path(CAF_INCLUDE_DIR caf/config.hpp)
find_library(CAF_CORE_LIBRARY caf_core)
find_library(CAF_IO_LIBRARY caf_io)
find_library(CAF_OPENSSL_LIBRARY caf_openssl)

if(CAF_INCLUDE_DIR)
  # CAF_VERSION is written as 1706 for 0.17.6: two digits each for minor and patch.
  file(STRINGS ${CAF_INCLUDE_DIR}/caf/config.hpp caf_version_line REGEX "^#define CAF_VERSION ")
  string(REGEX MATCH "[0-9]+" caf_version_number "${caf_version_line}")
  math(EXPR caf_major "${caf_version_number} / 10000")
  math(EXPR caf_minor "${caf_version_number} / 100 % 100")
  math(EXPR caf_patch "${caf_version_number} % 100")
  set(CAF_VERSION ${caf_major}.${caf_minor}.${caf_patch})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  CAF
  REQUIRED_VARS CAF_CORE_LIBRARY CAF_IO_LIBRARY CAF_OPENSSL_LIBRARY CAF_INCLUDE_DIR
  VERSION_VAR CAF_VERSION)

if(CAF_FOUND AND NOT TARGET CAF::core)
  find_package(Threads REQUIRED)
  add_library(CAF::core UNKNOWN IMPORTED)
  # Imported targets are system includes: CAF's headers do not meet our warnings.
  set_target_properties(
    CAF::core
    PROPERTIES IMPORTED_LOCATION ${CAF_CORE_LIBRARY}
               INTERFACE_INCLUDE_DIRECTORIES ${CAF_INCLUDE_DIR}
               INTERFACE_LINK_LIBRARIES Threads::Threads)
  # The middleman, and its connections over TLS.
  add_library(CAF::io UNKNOWN IMPORTED)
  set_target_properties(CAF::io PROPERTIES IMPORTED_LOCATION ${CAF_IO_LIBRARY}
                                           INTERFACE_LINK_LIBRARIES CAF::core)
  add_library(CAF::openssl UNKNOWN IMPORTED)
  set_target_properties(CAF::openssl PROPERTIES IMPORTED_LOCATION ${CAF_OPENSSL_LIBRARY}
                                                INTERFACE_LINK_LIBRARIES CAF::io)
endif()
