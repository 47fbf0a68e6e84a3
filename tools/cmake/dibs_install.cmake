# What `cmake --install` puts where, and the Debian package that CPack makes of it (tools/package).
# Man pages and completions are written by the program itself.

include(GNUInstallDirs)
set(written ${CMAKE_BINARY_DIR}/written)

install(TARGETS dibs RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET dibs-bench)
  install(TARGETS dibs-bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(
  CODE "
    file(REMOVE_RECURSE ${written})
    file(MAKE_DIRECTORY ${written})
    set(run COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND $<TARGET_FILE:dibs> man ${written}/man \${run})
    foreach(shell bash zsh fish)
      execute_process(COMMAND $<TARGET_FILE:dibs> completion \${shell}
                      OUTPUT_FILE ${written}/\${shell} \${run})
    endforeach()
    execute_process(COMMAND $<TARGET_FILE:dibs> schema
                    OUTPUT_FILE ${written}/scenario.schema.json \${run})
    file(GLOB pages ${written}/man/*/*)
    execute_process(COMMAND gzip -9n \${pages} \${run})
  ")
install(DIRECTORY ${written}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
set(completions ${CMAKE_INSTALL_DATADIR})
install(FILES ${written}/bash DESTINATION ${completions}/bash-completion/completions RENAME dibs)
install(FILES ${written}/zsh DESTINATION ${completions}/zsh/vendor-completions RENAME _dibs)
install(FILES ${written}/fish DESTINATION ${completions}/fish/vendor_completions.d RENAME dibs.fish)
# Here dibs looks for them: src/commands/shipped_scenarios.cpp.
set(shared ${CMAKE_INSTALL_DATADIR}/dibs)
install(FILES ${written}/scenario.schema.json DESTINATION ${shared}/scenarios)
install(
  DIRECTORY scenarios
  DESTINATION ${shared}
  FILES_MATCHING
  PATTERN "*.yaml"
  PATTERN "*.csv"
  REGEX "data/README.md$"
  PATTERN "pictures" EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "dibs developers <developers@dibs.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of ride matching by leases")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Drivers, riders, matchers, a lease manager and a ledger are actors, and
matchers compete for drivers through leases. A scenario says how long leases
last and what fails when; dibs weighs double assignment against hidden supply,
and says which lease costs least and what prevents a harm.")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
include(CPack)
