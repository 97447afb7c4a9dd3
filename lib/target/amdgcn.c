/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * AMDGPU, as far as kernels rewritten in place need it.
 */
#include "lanes.h"
#include "target.h"

const tg_target tg_amdgcn = {
    .name = "amdgcn",
    .triple = "amdgcn",
    .barrier = tg_barrier,
    .scratchpad_space = TG_SCRATCHPAD,
    .device_space = 1,
};
