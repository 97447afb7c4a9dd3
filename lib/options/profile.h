/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A profile: what stencil-tune measured to be the best for regions of a program. The compiler reads
 * the options of their plans from it, and the runtime how to launch their kernels. docs/tuning.md
 * describes the file. This file uses nothing of LLVM, because the runtime has it too.
 */
#ifndef STENCILOPT_PROFILE_H
#define STENCILOPT_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct profile_region {
    const char *where;     /* as reports name the region: "heat.c:18 (heat)" */
    const char *compile;   /* options of the plan, "bt=8;cells=4"; may be empty */
    uint64_t model;        /* the fingerprint of the region's model; 0: none is given */
    int64_t max_bt, chunk; /* as STENCILOPT_MAX_BT and STENCILOPT_CHUNK; 0: none is given */
} profile_region;

typedef struct profile {
    char *text; /* of the file; the regions' texts are in it */
    profile_region *regions;
    size_t count;
} profile;

/* Reads the file at an absolute path. On failure returns false, and `error` says what is wrong,
 * and in which line. */
bool profile_read(profile *out, const char *path, char *error, size_t size);
void profile_release(profile *p);

/* The region of this name, or NULL. */
const profile_region *profile_find(const profile *p, const char *where);

#endif
