# The target `docs`: docs/ as a site with a search, links checked, in BUILD/docs. MkDocs is the
# package `docs` of cmake/packages.txt.
find_program(GMG_MKDOCS NAMES mkdocs)
if(GMG_MKDOCS)
  add_custom_target(docs COMMAND ${GMG_MKDOCS} build --strict --quiet --config-file
    ${PROJECT_SOURCE_DIR}/mkdocs.yml
    --site-dir ${PROJECT_BINARY_DIR}/docs COMMENT
    "Making the site of docs/ in ${PROJECT_BINARY_DIR}/docs" VERBATIM)
else()
  add_custom_target(docs COMMAND ${CMAKE_COMMAND} -E echo
    "the target docs needs mkdocs, a package of Debian and Ubuntu"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
