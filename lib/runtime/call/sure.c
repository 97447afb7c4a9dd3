/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cells that a sweep reads or writes only under a condition. A device reads all of them, and all
 * that are written are copied back. This is safe if the region also accesses them without a
 * condition: then they are surely the program's memory. If not, the array is uploaded with care
 * (transfer.c). Of an array that is written in such cells, `unsure`, only those come back that the
 * device has changed, and it does not stay on the device. So memory of another object is never
 * written, also if other threads use it meanwhile.
 */
#include "runtime/call/arrays.h"
#include "runtime/call/stops.h"
#include <stdlib.h>

static const int32_t here[3];

static uint32_t sure_offsets(const stencilrt_port *port) {
    return port->noffsets - port->access / STENCILRT_UNSURE;
}

static bool is_sure(const stencilrt_port *port) {
    return port->access < STENCILRT_MAYBE;
}

static bool all_are_sure(const stencilrt_region *region) {
    bool sure = true;
    for (uint32_t s = 0; s < region->nsweeps; s++)
        for (uint32_t p = 0; p < region->sweeps[s].nports; p++)
            sure = sure && is_sure(&region->sweeps[s].ports[p]);
    return sure;
}

static void add_sure(const rt_arrays *a, uint32_t sweep, int64_t step, rt_boxes *sure) {
    const stencilrt_region *r = &a->region->sweeps[sweep];
    for (uint32_t p = 0; p < r->nports; p++) {
        const stencilrt_port *port = &r->ports[p];
        const rt_view *v = rt_port_view(a, sweep, port, step);
        bool writes = (port->access & STENCILRT_WRITE) && !(port->access & STENCILRT_MAYBE);
        for (uint32_t i = 0; i < sure_offsets(port) + writes; i++) {
            rt_box box = rt_view_box(a, v, i < sure_offsets(port) ? port->offsets + 3 * i : here);
            rt_boxes_add(&sure[v->array], &box, NULL);
        }
    }
}

static bool covers(const rt_boxes *sure, const rt_box *box) {
    rt_boxes rest = {0};
    rt_boxes_add(&rest, box, sure);
    bool covered = rest.count == 0 && !rest.failed;
    free(rest.at);
    return covered;
}

static void look_at(rt_arrays *a, uint32_t sweep, int64_t step, const rt_boxes *sure) {
    const stencilrt_region *r = &a->region->sweeps[sweep];
    for (uint32_t p = 0; p < r->nports; p++) {
        const stencilrt_port *port = &r->ports[p];
        const rt_view *v = rt_port_view(a, sweep, port, step);
        rt_buffer *buffer = &a->shape.buffers[v->array];
        for (uint32_t i = sure_offsets(port); i < port->noffsets; i++) {
            rt_box box = rt_view_box(a, v, port->offsets + 3 * i);
            buffer->careful |= !covers(&sure[v->array], &box);
        }
        rt_box own = rt_view_box(a, v, here);
        buffer->unsure |= (port->access & STENCILRT_MAYBE) && !covers(&sure[v->array], &own);
        buffer->careful |= buffer->unsure;
    }
}

/* The steps after which buffers that rotate have had all their parts. Of a loop that stops by
 * itself, only the first step is known. */
static int64_t steps_to_follow(const rt_arrays *a, bool surely) {
    bool ends = rt_ends_by_condition(a->call->check);
    int64_t most = surely && ends ? 1 : RT_MAX_PERIOD;
    return a->call->steps < most ? a->call->steps : most;
}

bool rt_arrays_are_sure(const rt_arrays *a) {
    bool sure = true;
    for (uint32_t i = 0; i < a->count; i++)
        sure = sure && !a->shape.buffers[i].unsure;
    return sure;
}

/* What an unsure array had is compared with what it has, so all of that is uploaded. */
static bool upload_results(rt_arrays *a, uint32_t array) {
    bool good = true;
    for (size_t k = 0; a->shape.buffers[array].unsure && k < a->results[array].count; k++) {
        rt_boxes_add(&a->uploads[array], &a->results[array].at[k], NULL);
        good = good && !a->uploads[array].failed;
    }
    return good;
}

bool rt_arrays_look(rt_arrays *a, rt_error *why) {
    if (all_are_sure(a->region))
        return true;
    rt_boxes *sure = calloc(a->count, sizeof *sure);
    bool good = sure || rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (int64_t t = 0; good && t < steps_to_follow(a, true); t++)
        for (uint32_t s = 0; s < a->region->nsweeps; s++)
            add_sure(a, s, t, sure);
    for (int64_t t = 0; good && t < steps_to_follow(a, false); t++)
        for (uint32_t s = 0; s < a->region->nsweeps; s++)
            look_at(a, s, t, sure);
    for (uint32_t i = 0; i < a->count && sure; i++)
        free(sure[i].at);
    free(sure);
    for (uint32_t i = 0; good && i < a->count; i++)
        good = upload_results(a, i) || rt_fail(why, RT_HOST_MEMORY, "%s", "");
    return good;
}
