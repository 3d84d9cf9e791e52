# Writes texts as C strings: cmake -DTEXTS=a.cuh;b.cuh -DOUTPUT=x.c -P embed.cmake defines
# gen_template_a and gen_template_b.
set(source "/* Made by cmake/embed.cmake from gen/templates/. */\n#include \"emit/template.h\"\n")
foreach(path IN LISTS TEXTS)
  cmake_path(GET path STEM name)
  file(READ "${path}" text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n  \"" text "${text}")
  string(APPEND source "\nconst char gen_template_${name}[] =\n  \"${text}\";\n")
endforeach()
file(WRITE "${OUTPUT}" "${source}")
