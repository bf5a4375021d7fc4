# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
# Files as arrays of C.

# bytes_of FILE RESULT: what stands between the braces of an array, without its end
function(bytes_of file result)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  set(${result} "${bytes}" PARENT_SCOPE)
endfunction()
