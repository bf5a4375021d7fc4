# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
# Write OUTPUT, a C file with the text of every file in SCENES, and of FILES that these name.

set(text "// made from scenes/ by cmake/embed_scenes.cmake\n#include \"cli/built_in.h\"\n\n")

include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)

# embed FILE NAME ROWS: its bytes, and a row of a list
function(embed file name rows)
  string(MAKE_C_IDENTIFIER ${name} symbol)
  bytes_of(${file} bytes)
  file(SIZE ${file} length)
  set(text "${text}static const char ${symbol}[] = { ${bytes}0 };\n" PARENT_SCOPE)
  set(${rows} "${${rows}}    { \"${name}\", ${symbol}, ${length} },\n" PARENT_SCOPE)
endfunction()

set(scene_rows "")
set(file_rows "")
list(TRANSFORM SCENES REPLACE "[.]yaml$" "")
list(SORT SCENES)  # by name: with the ending a.yaml would come behind a-b.yaml
foreach(file IN LISTS SCENES)
  get_filename_component(name ${file} NAME)
  embed(${file}.yaml ${name} scene_rows)
endforeach()
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  embed(${file} ${name} file_rows)
endforeach()
string(APPEND text "\nconst cli_scene cli_scene_list[] = {\n${scene_rows}    { 0 },\n};\n"
                   "\nconst scree_embedded_file cli_file_list[] = {\n${file_rows}    { 0 },\n};\n")
file(WRITE ${OUTPUT} "${text}")
