/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds the lane and the register that hold a neighbour's cell. wave.h has the method and its
 * source.
 */
#include "plan/time/wave.h"

#include <string.h>

bool wave_distribute(const wave_shape *shape, wave_tile *out) {
    *out = (wave_tile){.shape = *shape, .lanes = 1, .cells = 1};
    for (int d = 0; d < ST_MAX_RANK; d++) {
        if (shape->dims[d] < 1 || shape->dims[d] > WAVE_MAX_LANES || shape->pitch[d] < 1 ||
            shape->most[d] < shape->least[d])
            return false;
        out->extent[d] =
            (shape->dims[d] - 1) * shape->pitch[d] + shape->most[d] - shape->least[d] + 1;
        out->lanes *= shape->dims[d];
        out->cells *= out->extent[d];
    }
    out->registers = (out->cells + out->lanes - 1) / out->lanes;
    int stride = 1,
        reached = 0; /* stride: from a cell to the next; reached: cells of the dimensions before */
    for (int d = 0; d < ST_MAX_RANK; d++) {
        out->step[d] = stride * shape->pitch[d] - reached;
        reached = stride * shape->pitch[d] * shape->dims[d];
        stride *= out->extent[d];
    }
    return out->lanes <= WAVE_MAX_LANES;
}

static int number_read(const wave_tile *t, int first, int lane) {
    int row = lane / t->shape.dims[0], plane = row / t->shape.dims[1];
    return first + lane * t->step[0] + row * t->step[1] + plane * t->step[2];
}

/* The cut between friends: lanes from it on are asked for the first of two registers, lanes before
 * it for the second. So no lane is asked for both. -1: there is no such cut. */
static int source_cut(const wave_tile *t, const wave_fetch *f) {
    int cut = t->lanes, below = -1;
    for (int lane = 0; lane < t->lanes; lane++) {
        int from = wave_friend(t, f, lane);
        if (wave_register(f, lane) == f->registers[0])
            cut = from < cut ? from : cut;
        else
            below = from > below ? from : below;
    }
    if (f->count == 1)
        return 0;
    return f->count == 2 && below < cut ? cut : -1;
}

bool wave_find(const wave_tile *t, const int offset[ST_MAX_RANK], wave_fetch *out) {
    memset(out, 0, sizeof *out);
    for (int d = ST_MAX_RANK - 1; d >= 0; d--) {
        if (offset[d] < t->shape.least[d] || offset[d] > t->shape.most[d])
            return false;
        out->first = out->first * t->extent[d] + offset[d] - t->shape.least[d];
    }
    out->friend = out->first % t->lanes;
    for (int lane = 0; lane < t->lanes; lane++) {
        int reg = number_read(t, out->first, lane) / t->lanes;
        if (out->count && out->registers[out->count - 1] == reg)
            continue;
        out->registers[out->count] = reg;
        out->cuts[out->count++] = lane;
    }
    out->source_cut = source_cut(t, out);
    return true;
}

int wave_friend(const wave_tile *t, const wave_fetch *f, int lane) {
    return number_read(t, f->friend, lane) % t->lanes;
}

int wave_register(const wave_fetch *f, int lane) {
    int i = f->count - 1;
    while (lane < f->cuts[i])
        i--;
    return f->registers[i];
}
