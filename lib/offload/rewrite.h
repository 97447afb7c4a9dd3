/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The host side of an offloaded region: the constants that describe it to the runtime
 * (include/stencilopt/region.h), and the branch in front of its loops.
 */
#ifndef STENCILOPT_OFFLOAD_REWRITE_H
#define STENCILOPT_OFFLOAD_REWRITE_H

#include "detect/host/host.h"
#include "model/step.h"
#include "plan/time/step.h"
#include "prepare/temporaries.h"
#include "target/target.h"

/* Adds the region's descriptor to the host module and returns it. The images are copied. With
 * `packed` an image is compressed where that makes it smaller. */
LLVMValueRef offload_describe(LLVMModuleRef m, const st_step *step, const plan_of_step *plan,
                              uint32_t flags, const tg_image *images, size_t nimages, bool packed);

/* Gives the region the same results whether denormal numbers are flushed to zero or kept? */
bool offload_takes_either(const host_region *r);

/* Memory that is allocated once for the region. It replaces what each iteration of the loops
 * allocates and frees. */
typedef prep_memory offload_memory;

/* Can all values that the runtime needs, and all that are used behind the loops, be computed in
 * front of the loops? Returns NULL if so, and otherwise the sweep that has the reason. Changes
 * nothing but the canonical form of loops. */
host_region *offload_prepare(host_region *const *sweeps, size_t count,
                             const offload_memory *memory);

/* Call offload_prepare first. Puts a branch in front of the region's loops: if guards hold and the
 * region is large enough, it asks the runtime to run the region, and skips the loops if the runtime
 * did. The loops stay as they are. `memory` may be NULL. It is freed as soon as it is known whether
 * the runtime ran the loops. False, with nothing changed, if the functions of enter.h cannot be
 * added to the module. */
bool offload_rewrite(host_region *const *sweeps, size_t count, const offload_memory *memory,
                     LLVMValueRef descriptor);

/* Was this loop, or one around it, rewritten already? */
bool offload_done(br_loop l);
/* Marks the loop as rewritten. */
void offload_set_done(br_loop l);

#endif
