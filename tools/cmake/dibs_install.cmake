# What `cmake --install` puts where.
# Man pages and completions are written by the program itself.

include(GNUInstallDirs)
set(written ${CMAKE_BINARY_DIR}/written)

install(TARGETS dibs dibs-bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
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
