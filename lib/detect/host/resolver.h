/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that change in the region and of which ScalarEvolution says nothing. A resolver knows one
 * kind of them. The address evaluator (address.h) asks each in turn, so it need not know what kinds
 * there are.
 */
#ifndef STENCILOPT_HOST_RESOLVER_H
#define STENCILOPT_HOST_RESOLVER_H

#include "bridge/bridge.h"
#include "detect/common/affine.h"
#include "model/refusal.h"

struct host_region;
struct host_scene;

enum { HOST_MAX_NARROWED = 4 };

/* An index of so many bits that was extended in a scene, and all such. */
typedef struct host_narrow {
    host_affine index;
    unsigned bits;
    bool is_signed;
} host_narrow;

typedef struct host_narrowed {
    host_narrow at[HOST_MAX_NARROWED];
    int count;
} host_narrowed;

/* What the address evaluator is asked. */
typedef struct host_query {
    struct host_region *r;
    int step;                       /* of the period */
    const struct host_scene *scene; /* where the loops are; or NULL: anywhere */
    unsigned narrow;                /* within an index of so many bits that is extended; else 0 */
    LLVMValueRef opaque;            /* a load that is taken as a value of its own; or NULL */
    int joins;                      /* phis that are being evaluated, each for the last */
    host_narrowed *narrowed;        /* of a scene: where such indices go */
    st_refusal *why;                /* NULL: the question is tentative, a refusal says nothing */
} host_query;

typedef enum host_answer { HOST_UNKNOWN, HOST_KNOWN, HOST_REFUSED } host_answer;
typedef host_answer host_resolver(void *context, const host_query *q, LLVMValueRef v,
                                  host_affine *out);
/* Answers for an expression that ScalarEvolution has, but whose value follows the time step. */
typedef host_answer host_expression(const host_query *q, br_scev s, host_affine *out);

#endif
