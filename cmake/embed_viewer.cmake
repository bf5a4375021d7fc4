# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
# Write OUTPUT, a C file with the parts of the page in FOLDER that plays a run.

include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
set(text "// made from show/viewer/ by cmake/embed_viewer.cmake\n#include \"show/viewer.h\"\n\n")
foreach(part html css js)
  bytes_of(${FOLDER}/viewer.${part} bytes)
  string(APPEND text "const char show_viewer_${part}[] = { ${bytes}0 };\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
