# Target bench-fine-level: what a V(2,2) costs on the finest level, in one pass and kernel by
# kernel.
add_executable(fine-level EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/bench/fine_level.c)
target_link_libraries(fine-level PRIVATE gmg-flags gmg)
add_custom_target(bench-fine-level COMMAND fine-level DEPENDS fine-level USES_TERMINAL VERBATIM)
