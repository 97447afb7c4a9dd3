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

/* Adds the region's descriptor to the host module; returns the global. Images are copied, and
 * `packed` where that makes them smaller. */
LLVMValueRef offload_describe(LLVMModuleRef m, const st_step *step, const plan_of_step *plan,
                              uint32_t flags, const tg_image *images, size_t nimages, bool packed);

/* Does it not matter whether denormal numbers are flushed to zero in the region's loops? */
bool offload_takes_either(const host_region *r);

/* Memory that the region uses in the place of what each iteration of its loops allocates and frees.
 */
typedef prep_memory offload_memory;

/* Can all that the runtime needs, and what is used after the loops, be computed in front of them?
 * Returns NULL, or the sweep whose reason says why not. Changes nothing but the loops' canonical
 * form. */
host_region *offload_prepare(host_region *const *sweeps, size_t count,
                             const offload_memory *memory);

/* After offload_prepare. Puts in front of the region's loops: if its guards hold and it is worth a
 * call, ask the runtime to run it, and skip the loops if that did. The loops stay as they are.
 * `memory`, or NULL, is freed as soon as it is known whether the runtime ran them. False, with
 * nothing changed, if the module cannot take the functions that do so. */
bool offload_rewrite(host_region *const *sweeps, size_t count, const offload_memory *memory,
                     LLVMValueRef descriptor);

/* Was this loop, or one around it, rewritten already? */
bool offload_done(br_loop l);
/* From now on it counts as one that was. */
void offload_set_done(br_loop l);

#endif
