// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fuzz_override.c - libFuzzer target: the first line is a --set, the rest the scene it changes.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "scree/scree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char override[256];
    const uint8_t *end = memchr(data, '\n', size);
    size_t length = end ? (size_t)(end - data) : 0;
    if (!length || length >= sizeof override || memchr(data, 0, length)) return 0;
    memcpy(override, data, length);
    override[length] = '\0';
    const char *list[] = { override };
    scree_findings findings = { 0 };
    scree_simulation *simulation = scree_simulation_parse("fuzz", (const char *)end + 1,
                                                          size - length - 1, list, 1, &findings);
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    return 0;
}
