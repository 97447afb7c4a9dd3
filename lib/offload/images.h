/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The images of a region's kernels, which go into the region's descriptor: bitcode, and code for
 * each architecture that the options name.
 */
#ifndef STENCILOPT_IMAGES_H
#define STENCILOPT_IMAGES_H

#include "codegen/module.h"
#include "options/options.h"

enum { OFFLOAD_MAX_IMAGES = 33 };

typedef struct offload_images {
    tg_image image[OFFLOAD_MAX_IMAGES];
    size_t count;
} offload_images;

/* Code made for other regions of the module: programs often have equal kernels twice. */
typedef struct offload_code offload_code;
offload_code *offload_code_create(void);
void offload_code_destroy(offload_code *made);

/* A region's kernels, and what they are compiled for. */
typedef struct offload_kernels {
    const st_step *step;
    const plan_of_step *plan;
    const opt_values *options;
} offload_kernels;

/* Makes all images. On failure false, with a message. The caller releases *out in any case. */
bool offload_make_images(const offload_kernels *k, offload_code *made, offload_images *out,
                         char *error, size_t size);
void offload_release_images(offload_images *images);

/* The module of the kernels for the architecture, without the device's library. */
LLVMModuleRef offload_bare_module(const offload_kernels *k, LLVMContextRef context,
                                  const char *arch);
/* The first architecture that the options name. */
const char *offload_first_arch(const opt_values *options, char *arch, size_t size);
/* Did the user name architectures? The default is PTX for all GPUs. */
bool offload_is_named(const opt_values *options);

#endif
