/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One scene of a nest: where each loop is, and what is decided there that is open in other places.
 * ends.h says what scenes are for.
 */
#ifndef STENCILOPT_HOST_SCENE_H
#define STENCILOPT_HOST_SCENE_H

#include "detect/host/resolver.h"

struct host_region;

typedef enum ends_truth { ENDS_NO, ENDS_YES, ENDS_MAYBE } ends_truth;

/* What a scene decides that is open in other places. Functions that yield bool may refuse. ends.c
 */
typedef struct host_decisions {
    /* A value that is chosen by conditions. */
    bool (*value)(const host_query *q, LLVMValueRef v, host_affine *out);
    bool (*bit)(const host_query *q, br_scev s, bool *bit);
    bool (*quotient)(const host_query *q, const host_affine *a, const host_affine *b,
                     host_affine *out);
    /* The extreme of two, of which *out is one. */
    bool (*extreme)(const host_query *q, enum br_scev_kind kind, const host_affine *other,
                    host_affine *out);
    /* An index of few bits that the program extends, as a sum. */
    bool (*extension)(const host_query *q, unsigned bits, bool is_signed, host_affine *index);
    ends_truth (*runs)(const host_query *q, LLVMBasicBlockRef block);
} host_decisions;

/* Where each loop of the nest is: in iteration `from` from its start or its end, or, if `place` is
 * HOST_BETWEEN, at least `width` away from both. ends.h */
typedef enum host_place { HOST_BETWEEN, HOST_START, HOST_END } host_place;
typedef struct host_scene {
    const host_decisions *decide;
    int width;
    host_place place[ST_MAX_RANK];
    int from[ST_MAX_RANK];
} host_scene;

#endif
