/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays of a step whose buffers take turns: the order in which steps read and write them, and cells
 * that no step writes.
 */
#include "runtime/call/whole.h"

#include <stdlib.h>
#include <string.h>

/* Does a part of the box that is not in `made` meet cells of `written`? */
static bool reads_before(const rt_box *box, const rt_boxes *made, const rt_boxes *written,
                         bool *failed) {
    rt_boxes rest = {.failed = false};
    bool meets = false;
    rt_boxes_add(&rest, box, made);
    for (size_t i = 0; i < rest.count; i++)
        for (size_t k = 0; k < written->count; k++)
            meets = meets || rt_box_meets(&rest.at[i], &written->at[k]);
    *failed |= rest.failed;
    free(rest.at);
    return meets;
}

/* Checks one sweep in step 0: `array` is the second buffer. */
static bool sweep_is_ordered(const rt_arrays *a, uint32_t sweep, uint32_t array, rt_boxes *made) {
    static const int32_t here[3];
    const stencilrt_region *r = &a->region->sweeps[sweep];
    bool good = true, failed = false;
    for (uint32_t p = 0; p < r->nports; p++) {
        const rt_view *v = rt_port_view(a, sweep, &r->ports[p], 0);
        for (uint32_t i = 0; i < r->ports[p].noffsets && v->array == array; i++) {
            rt_box box = rt_view_box(a, v, r->ports[p].offsets + 3 * i);
            good = good && !reads_before(&box, made, &a->results[array], &failed);
        }
    }
    for (uint32_t p = 0; p < r->nports; p++) {
        const rt_view *v = rt_port_view(a, sweep, &r->ports[p], 0);
        rt_box box = rt_view_box(a, v, here);
        if (v->array == array && (r->ports[p].access & STENCILRT_WRITE))
            rt_boxes_add(made, &box, NULL);
    }
    return good && !failed && !made->failed;
}

void rt_whole_check_order(rt_arrays *a) {
    for (uint32_t k = 0; a->whole.can && k < a->region->step->narrays; k++) {
        uint32_t second = a->whole.arrays[k].of[1];
        rt_boxes made = {.failed = false};
        for (uint32_t s = 0; second != UINT32_MAX && s < a->region->nsweeps; s++)
            a->whole.can = a->whole.can && sweep_is_ordered(a, s, second, &made);
        free(made.at);
    }
}

bool rt_whole_box_is_equal(const rt_shape *shape, uint32_t first, uint32_t second,
                           const rt_box *box) {
    size_t width = (size_t)(box->hi[0] - box->lo[0]) * shape->grids[first].elem_size;
    bool equal = true;
    for (int64_t z = box->lo[2]; z < box->hi[2] && equal; z++)
        for (int64_t y = box->lo[1]; y < box->hi[1] && equal; y++)
            equal = !memcmp(rt_buffer_host_cell(shape, &shape->buffers[first], box->lo[0], y, z),
                            rt_buffer_host_cell(shape, &shape->buffers[second], box->lo[0], y, z),
                            width);
    return equal;
}

int rt_whole_buffers(const rt_arrays *a, uint32_t array, uint32_t of[3]) {
    const rt_whole_array *w = &a->whole.arrays[array];
    of[0] = w->of[0];
    of[1] = w->of[1];
    of[2] = a->whole.arrays[w->becomes].of[0];
    return w->of[1] == UINT32_MAX ? 1 : w->older == array ? 3 : 2;
}

/* Two steps or more read both buffers in the same cells; three steps or more read all three. So the
 * uploads contain all these cells. */
void rt_whole_find_halo(const rt_arrays *a, uint32_t array, rt_boxes *halo) {
    uint32_t of[3];
    int count = rt_whole_buffers(a, array, of);
    *halo = (rt_boxes){.failed = false};
    for (int k = 0; k < count && count > 1; k++) {
        const rt_boxes *read = &a->uploads[of[k]];
        for (size_t i = 0; i < read->count; i++)
            rt_boxes_add(halo, &read->at[i], &a->results[of[k]]);
    }
}
