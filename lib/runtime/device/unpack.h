/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Images that the compiler compressed. zstd's library is opened when the first such image is
 * loaded. A program without compressed images, or a system without zstd, does not need it.
 */
#ifndef STENCILRT_UNPACK_H
#define STENCILRT_UNPACK_H

#include "runtime/rt.h"
#include "stencilopt/region.h"

/* The image's bytes. `copy` is NULL, or to be freed after use. */
typedef struct rt_code {
    const void *bytes;
    size_t size;
    void *copy;
} rt_code;

bool rt_unpack(const stencilrt_image *image, rt_code *code, rt_error *why);

#endif
