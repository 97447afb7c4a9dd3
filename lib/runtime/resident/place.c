/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Places of uses in held arrays. A use lies in a held array if each of its dimensions has the
 * distance of one of the array's dimensions, and its first cell is a cell of the array. Rows of a
 * use may be planes of the array, or columns its rows. Both may lie in falling order.
 *
 * A sum or an extreme is often written as one loop over all cells. Such a use lies in the array if
 * the array has no gaps, neither in the program's memory nor on the device.
 */
#include "runtime/resident/place.h"
#include "runtime/call/bricks.h"
#include "runtime/resident/held_array.h"
#include <stdlib.h>
#include <string.h>

/* Of bytes in a gap behind the last row of a plane, the last cell of that row, not the one above
 * the gap's byte. */
void rt_held_cell(const rt_held *h, int64_t bytes, int64_t cell[3]) {
    bool behind = false;
    for (int d = 2; d >= 0; d--) {
        int64_t n = rt_box_size(&h->grid.box, d), q = n > 1 ? bytes / h->grid.host_stride[d] : 0;
        bytes -= n > 1 ? q * h->grid.host_stride[d] : 0;
        behind = behind || q >= n;
        cell[d] = behind ? n - 1 : q;
    }
}

void rt_use_bytes(const rt_use *u, uintptr_t *lo, uintptr_t *hi) {
    int64_t first = 0, span = (int64_t)u->grid->elem_size;
    for (int d = 0; d < 3; d++) {
        int64_t stride = u->grid->host_stride[d], n = rt_box_size(&u->box, d);
        first +=
            n > 1 || u->box.lo[d] ? stride * (stride < 0 ? u->box.hi[d] - 1 : u->box.lo[d]) : 0;
        span += n > 1 ? llabs(stride) * (n - 1) : 0;
    }
    *lo = (uintptr_t)u->buffer->origin + (uintptr_t)first;
    *hi = *lo + (uintptr_t)span;
}

rt_extent rt_use_extent(const rt_use *u) {
    rt_extent e = {.elem_size = u->grid->elem_size};
    rt_use_bytes(u, &e.lo, &e.hi);
    for (int d = 0; d < 3; d++) {
        e.stride[d] = llabs(u->grid->host_stride[d]);
        e.cells[d] = rt_box_size(&u->box, d);
    }
    return e;
}

bool rt_use_is_regular(const rt_use *u) {
    int64_t span = (int64_t)u->grid->elem_size, cells = 1;
    for (int d = 0; d < 3; d++) {
        int64_t stride = u->grid->host_stride[d], n = rt_box_size(&u->box, d);
        if (n == 1)
            continue;
        if (stride < span)
            return false;
        cells *= n;
        span = stride * (n - 1) + span;
    }
    return cells * (int64_t)u->grid->elem_size >= span / 4 * 3;
}

/* May the use's dimension d run along the held array's dimension e, with that distance? Only some
 * uses may run along another dimension or downwards. No use may run down a row. */
static bool may_run_along(const rt_use *u, const rt_held *h, int d, int e) {
    int64_t stride = u->grid->host_stride[d], other = h->grid.host_stride[e];
    if (stride != other && stride != -other)
        return false;
    if (d == 0)
        return e == 0 && stride == other;
    return (e == d && stride == other) || u->turns;
}

/* The first dimension of the held array, from d on, along which the use's dimension d may run, and
 * that no other dimension of the use has. -1 if there is none. */
static int find_axis(const rt_use *u, const rt_held *h, const rt_place *p, int d) {
    bool single = rt_box_size(&u->box, d) == 1;
    for (int i = 0; i < 3; i++) {
        int e = (d + i) % 3;
        bool taken = false;
        for (int k = 0; k < 3; k++)
            taken = taken || p->axis[k] == e;
        if (!taken && (single || may_run_along(u, h, d, e)))
            return e;
    }
    return -1;
}

/* Dimensions with a single row or plane come last, because their distance means nothing. */
static bool find_axes(const rt_use *u, const rt_held *h, rt_place *p) {
    bool found = true;
    for (int d = 0; d < 3; d++)
        p->axis[d] = -1;
    for (int single = 0; single < 2; single++)
        for (int d = 0; d < 3; d++)
            if ((rt_box_size(&u->box, d) == 1) == single)
                p->axis[d] = find_axis(u, h, p, d);
    for (int d = 0; d < 3; d++) {
        found = found && p->axis[d] >= 0;
        p->falls[d] = found && rt_box_size(&u->box, d) > 1 &&
                      u->grid->host_stride[d] != h->grid.host_stride[p->axis[d]];
    }
    /* Along x kernels count elements. */
    bool along_x = p->axis[0] == 0 || u->box.lo[0] == 0;
    return found && along_x && (u->turns || (p->axis[0] == 0 && p->axis[1] == 1));
}

/* In bricks, cell (0,0,0) of a use must be the first one of a brick of the same size, and its
 * dimensions must be the array's. */
static bool suits_bricks(const rt_use *u, const rt_held *h, const rt_place *p) {
    bool good = rt_bricks_are_alike(u->grid, &h->grid);
    for (int d = 0; d < 3 && good && h->grid.brick[0]; d++)
        good =
            p->axis[d] == d && !p->falls[d] && (p->by[d] - h->grid.zero[d]) % h->grid.brick[d] == 0;
    return good;
}

static bool find_in_box(const rt_use *u, const rt_held *h, rt_place *p) {
    const rt_grid *g = &h->grid;
    uintptr_t lo, hi;
    int64_t at[3], back;
    if (!u->plain || g->elem_size != u->grid->elem_size)
        return false;
    rt_use_bytes(u, &lo, &hi);
    if (lo < h->lo || hi > h->hi || !find_axes(u, h, p))
        return false;
    rt_held_cell(h, (int64_t)(lo - h->lo), at);
    back = (int64_t)(lo - h->lo);
    for (int d = 0; d < 3; d++) {
        int e = p->axis[d];
        if (at[e] + rt_box_size(&u->box, d) > rt_box_size(&g->box, e))
            return false;
        back -= rt_box_size(&g->box, e) > 1 ? at[e] * g->host_stride[e] : 0;
        p->by[d] = at[e] - (p->falls[d] ? 1 - u->box.hi[d] : u->box.lo[d]);
    }
    return back == 0 && suits_bricks(u, h, p);
}

/* Do rows and planes follow one another without gaps, here and there? */
static bool has_no_gaps(const rt_grid *g) {
    int64_t rows = rt_box_size(&g->box, 1), planes = rt_box_size(&g->box, 2);
    int64_t row = rt_box_size(&g->box, 0) * (int64_t)g->elem_size, plane = row * rows;
    return !g->brick[0] && (rows == 1 || (g->host_stride[1] == row && (int64_t)g->pitch == row)) &&
           (planes == 1 || (g->host_stride[2] == plane && (int64_t)g->plane == plane));
}

static bool find_across(const rt_use *u, const rt_held *h, rt_place *p) {
    uintptr_t lo, hi;
    int64_t size = (int64_t)h->grid.elem_size;
    bool row = !u->grid->brick[0] && rt_box_size(&u->box, 1) == 1 && rt_box_size(&u->box, 2) == 1 &&
               u->box.lo[1] == 0 && u->box.lo[2] == 0 && u->grid->host_stride[0] == size;
    if (!row || !u->plain || u->written || h->grid.elem_size != u->grid->elem_size ||
        !has_no_gaps(&h->grid))
        return false;
    rt_use_bytes(u, &lo, &hi);
    if (lo < h->lo || hi > h->hi || (int64_t)(lo - h->lo) % size != 0)
        return false;
    *p = (rt_place){
        .by = {(int64_t)(lo - h->lo) / size - u->box.lo[0]}, .axis = {0, 1, 2}, .across = true};
    return true;
}

bool rt_place_find(const rt_use *u, const rt_held *h, rt_place *p) {
    p->across = false;
    return find_in_box(u, h, p) || find_across(u, h, p);
}

static void take_across(rt_use *u, rt_held *h) {
    rt_grid *g = u->grid;
    int64_t first = u->place.by[0], size = (int64_t)h->grid.elem_size;
    g->bytes = h->grid.bytes;
    g->pitch = g->plane = h->grid.bytes;
    g->origin = (size_t)((int64_t)rt_grid_device_offset(&h->grid, 0, 0, 0) + first * size);
    g->stride[0] = g->stride[1] = 0;
    g->box = (rt_box){{-first, 0, 0}, {(int64_t)(h->hi - h->lo) / size - first, 1, 1}};
    u->held = h;
    *u->block = h->block;
}

void rt_place_take(rt_use *u, rt_held *h) {
    const rt_place *p = &u->place;
    rt_grid *g = u->grid;
    int64_t zero[3];
    if (p->across) {
        take_across(u, h);
        return;
    }
    for (int d = 0; d < 3; d++)
        zero[p->axis[d]] = p->by[d];
    g->pitch = h->grid.pitch;
    g->plane = h->grid.plane;
    g->bytes = h->grid.bytes;
    g->origin = rt_grid_device_offset(&h->grid, zero[0], zero[1], zero[2]);
    for (int d = 0; d < 3 && g->brick[0]; d++)
        g->before[d] = h->grid.before[d] + (p->by[d] - h->grid.zero[d]) / h->grid.brick[d];
    for (int d = 1; d < 3; d++)
        g->stride[d - 1] =
            (p->falls[d] ? -1 : 1) * (p->axis[d] == 0 ? 1 : h->grid.stride[p->axis[d] - 1]);
    for (int d = 0; d < 3; d++) {
        int64_t lo = h->grid.box.lo[p->axis[d]], hi = h->grid.box.hi[p->axis[d]];
        g->box.lo[d] = p->falls[d] ? p->by[d] - hi + 1 : lo - p->by[d];
        g->box.hi[d] = p->falls[d] ? p->by[d] - lo + 1 : hi - p->by[d];
    }
    u->held = h;
    *u->block = h->block;
}

bool rt_held_lay_out(rt_held *h, const rt_use *u) {
    uintptr_t lo, hi;
    int64_t at[3];
    rt_error ignored;
    rt_use_bytes(u, &lo, &hi);
    rt_held_cell(h, (int64_t)(lo - h->lo), at);
    for (int d = 0; d < 3; d++)
        at[d] -= u->box.lo[d];
    if (u->grid->brick[0])
        return rt_bricks_lay_out_as(&h->grid, u->grid, at);
    h->grid.aligned = at[0] + u->grid->aligned;
    return rt_grid_lay_out(&h->grid, 0, &ignored);
}

rt_extent rt_place_extent(const rt_use *u, const rt_held *h) {
    rt_extent e = rt_use_extent(u), turned = e;
    rt_place p;
    if (!find_axes(u, h, &p))
        return e;
    for (int d = 0; d < 3; d++) {
        turned.stride[p.axis[d]] = e.stride[d];
        turned.cells[p.axis[d]] = e.cells[d];
    }
    return turned;
}

bool rt_place_equals(const rt_place *one, const rt_place *other) {
    return one->across == other->across && !memcmp(one->by, other->by, sizeof one->by) &&
           !memcmp(one->axis, other->axis, sizeof one->axis) &&
           !memcmp(one->falls, other->falls, sizeof one->falls);
}

bool rt_place_is_turned(const rt_place *p) {
    return p->axis[0] != 0 || p->axis[1] != 1 || p->axis[2] != 2 || p->falls[1] || p->falls[2];
}
