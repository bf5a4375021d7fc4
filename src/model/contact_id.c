// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contact_id.c - identities of contacts as text, and those of 64 bits that files of before have.
//
//     shapes   lower piece 22 bits | higher piece 22 | feature 20
//     nodes    1 | node 21 | piece 22 | 0
//     rows     number

#include "scree/contact_id.h"

#include <string.h>

void scree_contact_id_text(scree_contact_id id, char text[SCREE_ID_TEXT]) {
    // base 2^32, the most significant first
    uint64_t part[4] = { id.word[0] >> 32, id.word[0] & UINT32_MAX, id.word[1] >> 32,
                         id.word[1] & UINT32_MAX };
    char digit[SCREE_ID_TEXT];
    size_t at = sizeof digit;
    digit[--at] = '\0';
    do {
        uint64_t rest = 0;
        for (int k = 0; k < 4; k++) {
            rest = rest << 32 | part[k];
            part[k] = rest / 10;
            rest %= 10;
        }
        digit[--at] = (char)('0' + rest);
    } while (part[0] || part[1] || part[2] || part[3]);
    memcpy(text, digit + at, sizeof digit - at);
}

scree_contact_id scree_contact_id_of_64(uint64_t id, bool row) {
    uint64_t b = id >> 20 & 0x3fffff, feature = id & 0xfffff;
    if (row) return scree_contact_id_pack(SCREE_SOURCE_ROWS, id, 0, 0);
    if (id >> 63) return scree_contact_id_pack(SCREE_SOURCE_NODES, id >> 42 & 0x1fffff, b, feature);
    return scree_contact_id_pack(SCREE_SOURCE_SHAPES, id >> 42, b, feature);
}

uint64_t scree_contact_id_to_64(scree_contact_id id) {
    scree_contact_key key = scree_contact_id_unpack(id);
    uint64_t node = key.source == SCREE_SOURCE_NODES;
    if (key.source >= SCREE_SOURCE_ROWS) return key.a;
    return node << 63 | key.a << 42 | key.b << 20 | key.feature;
}
