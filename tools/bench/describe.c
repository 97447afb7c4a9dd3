/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A runtime that runs nothing: writes on standard error what a program hands to libstencilrt.so,
 * for tools/bench/search.
 *   region RANK ELEMENT_BYTES PADDING_X PADDING_Y PADDING_Z GRIDS SCALARS PORTS
 *   kernel NAME KIND BT BLOCK_X BLOCK_Y BLOCK_Z TILE_X TILE_Y TILES OVERLAP SCRATCHPAD PARAMETERS
 * PADDING is the greater of a dimension's two; PORTS has a letter a port, r or w; PARAMETERS is a
 * list of KIND.INDEX.
 */
#include "stencilopt/region.h"

#include <stdio.h>

static uint32_t padding(const stencilrt_region *r, int d) {
    return r->pad_low[d] > r->pad_high[d] ? r->pad_low[d] : r->pad_high[d];
}

/* Of a region of several sweeps, the first one and all kernels. */
int stencilrt_run(const stencilrt_region *region, const stencilrt_call *call) {
    const stencilrt_region *r = region->sweeps;
    (void)call;
    fprintf(stderr, "region %u %u %u %u %u %u %u ", r->rank,
            r->ngrids > 0 ? r->grids[0].elem_size : 0, padding(r, 0), padding(r, 1), padding(r, 2),
            r->ngrids, r->nscalars);
    for (uint32_t p = 0; p < r->nports; p++)
        fputc(r->ports[p].access & STENCILRT_WRITE ? 'w' : 'r', stderr);
    fputc('\n', stderr);
    for (uint32_t i = 0; i < region->nkernels; i++) {
        const stencilrt_kernel *k = &region->kernels[i];
        fprintf(stderr, "kernel %s %u %u %u %u %u %u %u %u %u %u ", k->name, k->kind, k->bt,
                k->block[0], k->block[1], k->block[2], k->tile[0], k->tile[1], k->tiles, k->overlap,
                k->scratchpad);
        for (uint32_t p = 0; p < k->nparameters; p++)
            fprintf(stderr, "%s%u.%u", p ? "," : "", k->parameters[p].kind, k->parameters[p].index);
        fputc('\n', stderr);
    }
    return 1;
}
