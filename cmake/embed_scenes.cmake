# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
# Write OUTPUT, a C file with the text of every file in SCENES.

set(text "// made from scenes/*.yaml by cmake/embed_scenes.cmake\n#include \"cli/commands.h\"\n\n")
set(rows "")
foreach(file IN LISTS SCENES)
  get_filename_component(name ${file} NAME_WE)
  string(MAKE_C_IDENTIFIER ${name} symbol)
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(APPEND text "static const char ${symbol}[] = { ${bytes}0 };\n")
  string(APPEND rows "    { \"${name}\", ${symbol}, ${length} },\n")
endforeach()
string(APPEND text "\nconst cli_scene cli_scene_list[] = {\n${rows}    { 0 },\n};\n")
file(WRITE ${OUTPUT} "${text}")
