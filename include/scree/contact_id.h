// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contact_id.h - which contact it is: the same identity for the same two features in every step.
//
//     4 bits source | 40 bits a | 40 bits b | 44 bits feature
//
// as two words, the first one the more significant. What a, b and feature are is the source's
// business: of shapes the two pieces, the lower one first, and the features that meet; of nodes of
// elastic bodies the node and the piece it meets; of rows and formulas the number of the contact.
// This is the only place that knows the bits.

#ifndef SCREE_CONTACT_ID_H
#define SCREE_CONTACT_ID_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where contacts come from; their order in a step is that of their sources. Numbers from
/// SCREE_SOURCE_OWN on are free for sources that programs add.
enum {
    SCREE_SOURCE_SHAPES,
    SCREE_SOURCE_NODES,
    SCREE_SOURCE_ROWS,  // of systems
    SCREE_SOURCE_JOINTS,
    SCREE_SOURCE_GHOSTS,
    SCREE_SOURCE_FORMULAS,  // of mechanisms
    SCREE_SOURCE_OWN = 8,
    SCREE_SOURCES_MAX = 16,
};

enum { SCREE_ID_SIDE_BITS = 40, SCREE_ID_FEATURE_BITS = 44, SCREE_ID_TEXT = 40 };

typedef struct scree_contact_id {
    uint64_t word[2];
} scree_contact_id;

/// An identity taken apart.
typedef struct scree_contact_key {
    int source;
    uint64_t a, b, feature;
} scree_contact_key;

static inline scree_contact_id scree_contact_id_pack(int source, uint64_t a, uint64_t b,
                                                     uint64_t feature) {
    scree_contact_id id;
    id.word[0] = (uint64_t)source << 60 | a << 20 | b >> 20;
    id.word[1] = b << 44 | feature;
    return id;
}

static inline scree_contact_key scree_contact_id_unpack(scree_contact_id id) {
    scree_contact_key key;
    key.source = (int)(id.word[0] >> 60);
    key.a = id.word[0] << 4 >> 24;
    key.b = (id.word[0] << 44 | id.word[1] >> 20) >> 24;
    key.feature = id.word[1] << 20 >> 20;
    return key;
}

static inline bool scree_contact_id_equal(scree_contact_id x, scree_contact_id y) {
    return x.word[0] == y.word[0] && x.word[1] == y.word[1];
}

static inline bool scree_contact_id_less(scree_contact_id x, scree_contact_id y) {
    return x.word[0] < y.word[0] || (x.word[0] == y.word[0] && x.word[1] < y.word[1]);
}

static inline int scree_contact_id_source(scree_contact_id id) { return (int)(id.word[0] >> 60); }

/// Do two contacts differ by their features alone?
static inline bool scree_contact_id_same_pair(scree_contact_id x, scree_contact_id y) {
    return x.word[0] == y.word[0] && x.word[1] >> 44 == y.word[1] >> 44;
}

/// The identity of the pair: the same without the feature.
static inline scree_contact_id scree_contact_id_pair(scree_contact_id id) {
    id.word[1] = id.word[1] >> 44 << 44;
    return id;
}

/// As a decimal number.
SCREE_API void scree_contact_id_text(scree_contact_id id, char text[SCREE_ID_TEXT]);

/// Identities of 64 bits, as run files of format 3 have them (docs/run-file.md); row: of a system.
/// The second holds for models that such a file can be of.
SCREE_API scree_contact_id scree_contact_id_of_64(uint64_t id, bool row);

/// And back.
SCREE_API uint64_t scree_contact_id_to_64(scree_contact_id id);

#ifdef __cplusplus
}
#endif

#endif
