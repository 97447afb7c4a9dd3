/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Held arrays of which several devices have some rows each: spread.h.
 */
#include "runtime/resident/spread.h"
#include "runtime/device/transfer.h"
#include "runtime/resident/place.h"
#include <stdlib.h>

static bool meets(const rt_use *u, const rt_held *h) {
    return u->lo < h->hi && h->lo < u->hi;
}

static rt_rows overlap(rt_rows a, rt_rows b) {
    return (rt_rows){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

static int64_t row_count(const rt_held *h) {
    return rt_box_size(&h->grid.box, h->cut);
}

/* The array's rows that a part has. */
static rt_rows rows_of(const rt_held *part) {
    return (rt_rows){part->row, part->row + row_count(part)};
}

static rt_rows later(rt_rows rows, int64_t by) {
    return (rt_rows){rows.lo + by, rows.hi + by};
}

/* Rows are those of the array, or as many rows before or behind them. */
static int64_t turn_of(const rt_held *part, int turn) {
    return turn * row_count(part->of);
}

/* Finds the member's use in a part, which gets addresses as the use has them. */
static bool find_in_part(rt_held *part, const rt_use *use, rt_place *place) {
    const rt_held *h = part->of;
    rt_rows rows = rows_of(part);
    int64_t stride = h->grid.host_stride[h->cut];
    part->lo = h->lo + (uintptr_t)((rows.lo - use->turned) * stride);
    part->hi = h->hi + (uintptr_t)((rows.hi - use->turned - row_count(h)) * stride);
    return rt_place_find(use, part, place);
}

rt_use *rt_member_use(const rt_members *m, unsigned i, const rt_use *u) {
    rt_use *found = NULL;
    for (size_t k = 0; k < m->counts[i] && !found; k++)
        found = m->uses[i][k].number == u->number ? &m->uses[i][k] : NULL;
    return found;
}

/* Copies from and to the program's memory */

/* A copy of a box, or of its rows in a part. */
typedef struct copy {
    enum { GET, PUT, STAGE } kind;
    const rt_buffer *buffer; /* of the whole array */
    unsigned char *staged;
} copy;

static bool copy_box(const rt_held *h, copy *c, const rt_buffer *buffer, const rt_box *box,
                     rt_error *why) {
    uint64_t at = h->block.address;
    if (c->kind == GET)
        return rt_fetch_box(h->device, &h->shape, buffer, box, at, why);
    if (c->kind == PUT)
        return rt_upload_boxes(h->device, &h->shape, buffer, box, 1, at, why);
    bool ok = rt_download(h->device, &h->shape, buffer, box, at, c->staged, why);
    c->staged += rt_staged_bytes(&h->shape, buffer, box);
    return ok;
}

/* Copies rows of a box that are `on` rows later in the part. */
static bool copy_rows(const rt_held *part, copy *c, rt_box box, rt_rows rows, int64_t on,
                      rt_error *why) {
    const rt_held *h = part->of;
    rt_buffer buffer = c->buffer ? *c->buffer : h->buffer;
    rows = overlap(rows, later((rt_rows){box.lo[h->cut], box.hi[h->cut]}, on));
    if (rows.lo >= rows.hi)
        return true;
    buffer.origin += (part->row - on) * h->grid.host_stride[h->cut];
    box.lo[h->cut] = rows.lo - part->row;
    box.hi[h->cut] = rows.hi - part->row;
    return copy_box(part, c, &buffer, &box, why);
}

/* Has the part some of the box's rows, or rows that are as many later? */
static bool has_rows(const rt_held *part, const rt_box *box, rt_rows rows) {
    bool any = false;
    for (int turn = -1; turn <= 1; turn++) {
        rt_rows of_box = {box->lo[part->cut], box->hi[part->cut]};
        rt_rows both = overlap(rows, later(of_box, turn_of(part, turn)));
        any = any || both.lo < both.hi;
    }
    return any;
}

/* Rows come from their owner, and go to all parts that have them. */
static bool copy_part(const rt_held *part, copy *c, const rt_box *box, rt_error *why) {
    rt_rows rows = c->kind == PUT ? rows_of(part) : part->own;
    bool took, ok = true;
    if (!has_rows(part, box, rows))
        return true;
    if (!rt_device_join(part->device, &took, why))
        return false;
    for (int turn = -1; turn <= 1 && ok; turn++)
        ok = copy_rows(part, c, *box, rows, turn_of(part, turn), why);
    rt_device_part(part->device, took);
    return ok;
}

static bool copy_all(const rt_held *h, copy *c, const rt_box *box, rt_error *why) {
    bool ok = true;
    if (h->nparts == 0)
        return copy_box(h, c, c->buffer ? c->buffer : &h->buffer, box, why);
    for (unsigned i = 0; i < h->nparts && ok; i++)
        ok = copy_part(&h->part[i], c, box, why);
    return ok;
}

bool rt_held_get(const rt_held *h, const rt_buffer *to, const rt_box *box, rt_error *why) {
    return copy_all(h, &(copy){.kind = GET, .buffer = to}, box, why);
}

bool rt_held_put(const rt_held *h, const rt_buffer *from, const rt_box *boxes, size_t count,
                 rt_error *why) {
    bool ok = true;
    if (h->nparts == 0)
        return rt_upload_boxes(h->device, &h->shape, from, boxes, count, h->block.address, why);
    for (size_t i = 0; i < count && ok; i++)
        ok = copy_all(h, &(copy){.kind = PUT, .buffer = from}, &boxes[i], why);
    return ok;
}

bool rt_held_stage(const rt_held *h, const rt_box *box, unsigned char *staged, rt_error *why) {
    return copy_all(h, &(copy){.kind = STAGE, .staged = staged}, box, why);
}

const rt_device *rt_held_broken(const rt_held *h) {
    const rt_device *broken = h->device->broken ? h->device : NULL;
    for (unsigned i = 0; i < h->nparts && !broken; i++)
        broken = h->part[i].device->broken ? h->part[i].device : NULL;
    return broken;
}

/* Members and their parts */

/* The rows of the array that the member owns: those at the array's ends are the first one's, and
 * the last one's. `zero`: the array's row that is row 0 of the whole's use. */
static rt_rows own_rows(const rt_held *h, const rt_members *m, unsigned i, const rt_use *part,
                        int64_t zero) {
    rt_rows own = {zero + part->own.lo, zero + part->own.hi};
    if (i == 0)
        own.lo = 0;
    if (i + 1 == m->count)
        own.hi = row_count(h);
    return own;
}

/* The array's rows that the member's use has. */
static rt_rows used_rows(const rt_use *part, int last, int64_t zero) {
    return (rt_rows){zero + part->row + part->box.lo[last], zero + part->row + part->box.hi[last]};
}

static bool is_plain(const rt_place *p) {
    return !p->across && !rt_place_is_turned(p);
}

/* All uses of an array must have one owner of each row: *own gets it from the first use. */
static bool agree(const rt_held *h, const rt_members *m, unsigned i, const rt_use *u,
                  const rt_place *place, rt_rows *own, bool first) {
    const rt_use *part = rt_member_use(m, i, u);
    if (!part)
        return false;
    rt_rows rows = own_rows(h, m, i, part, place->by[h->cut]);
    if (first)
        *own = rows;
    return rows.lo == own->lo && rows.hi == own->hi && rows.lo < rows.hi;
}

/* Is the member's use in its part, in the rows where it lies in the whole? */
static bool has_use(const rt_held *h, const rt_members *m, unsigned i, const rt_use *u,
                    const rt_place *place) {
    rt_held *part = &h->part[i];
    const rt_use *use = rt_member_use(m, i, u);
    rt_place p;
    return find_in_part(part, use, &p) && is_plain(&p) &&
           p.by[h->cut] + part->row == place->by[h->cut] + use->row;
}

/* Where rows come round, they are those of the array. */
static bool suits_turns(const rt_held *h, const rt_members *m) {
    return m->around == 0 || m->around == row_count(h);
}

bool rt_parts_serve(const rt_held *h, const rt_use *uses, size_t count, const rt_members *m) {
    if (!m || h->nparts == 0)
        return !m && h->nparts == 0;
    bool good = h->nparts == m->count && h->cut == m->last && suits_turns(h, m);
    for (unsigned i = 0; i < m->count && good; i++) {
        rt_rows own = {0, 0}, all = rows_of(&h->part[i]);
        bool first = true;
        good = h->part[i].device == m->devices[i];
        for (size_t k = 0; k < count && good; k++) {
            rt_place place;
            if (!meets(&uses[k], h))
                continue;
            good = rt_place_find(&uses[k], h, &place) && is_plain(&place) &&
                   agree(h, m, i, &uses[k], &place, &own, first) &&
                   has_use(h, m, i, &uses[k], &place);
            first = false;
        }
        good = good && own.lo >= all.lo && own.hi <= all.hi;
    }
    return good;
}

/* Rows of one part are as those of another, so that they can be copied as they are. */
static bool are_alike(const rt_held *h, unsigned i) {
    const rt_grid *a = &h->part[0].grid, *b = &h->part[i].grid;
    return h->cut == 0 || (a->pitch == b->pitch && (h->cut == 1 || a->plane == b->plane));
}

static void describe_part(rt_held *h, rt_held *part, rt_device *device, rt_rows rows) {
    int last = h->cut;
    *part = (rt_held){.device = device,
                      .of = h,
                      .grid = h->grid,
                      .cut = last,
                      .row = rows.lo,
                      .key = h->key,
                      .dirty = h->dirty};
    part->grid.extent[last] = part->grid.box.hi[last] = rows.hi - rows.lo;
    part->shape = (rt_shape){.grids = &part->grid, .buffers = &part->buffer};
}

static bool allocate(rt_held *part) {
    rt_error ignored;
    bool took;
    if (!rt_device_join(part->device, &took, &ignored))
        return false;
    bool ok = rt_device_alloc(part->device, part->grid.bytes, &part->block, &ignored) &&
              rt_device_chunks(part->device, &ignored);
    rt_device_part(part->device, took);
    return ok;
}

static bool make_part(rt_held *h, unsigned i, const rt_use *uses, size_t count,
                      const rt_members *m) {
    rt_rows own = {0, 0}, rows = {0, 0};
    const rt_use *any = NULL;
    for (size_t k = 0; k < count; k++) {
        rt_place place;
        if (!meets(&uses[k], h))
            continue;
        if (!rt_place_find(&uses[k], h, &place) || !is_plain(&place) ||
            !agree(h, m, i, &uses[k], &place, &own, !any))
            return false;
        const rt_use *use = rt_member_use(m, i, &uses[k]);
        rt_rows used = used_rows(use, h->cut, place.by[h->cut]);
        rows = any ? rows : own;
        rows.lo = used.lo < rows.lo ? used.lo : rows.lo;
        rows.hi = used.hi > rows.hi ? used.hi : rows.hi;
        any = any ? any : use;
    }
    rt_place ignored;
    if (!any || (m->around == 0 && (rows.lo < 0 || rows.hi > row_count(h))))
        return false;
    describe_part(h, &h->part[i], m->devices[i], rows);
    h->part[i].own = own;
    h->part[i].valid = rows;
    find_in_part(&h->part[i], any, &ignored);
    return rt_held_lay_out(&h->part[i], any) && are_alike(h, i) && allocate(&h->part[i]);
}

bool rt_part_upload(const rt_held *part, rt_error *why) {
    const rt_held *h = part->of;
    copy c = {.kind = PUT};
    bool ok = true;
    for (int turn = -1; turn <= 1 && ok; turn++)
        ok = copy_rows(part, &c, h->grid.box, rows_of(part), turn_of(part, turn), why);
    return ok;
}

/* The use of a single row may tell no distance of rows. Then a member's use is not where its rows
 * are. */
static bool have_uses(rt_held *h, const rt_use *uses, size_t count, const rt_members *m) {
    bool have = true;
    for (size_t k = 0; k < count; k++) {
        rt_place place;
        for (unsigned i = 0; i < m->count && have && meets(&uses[k], h); i++)
            have = rt_place_find(&uses[k], h, &place) && has_use(h, m, i, &uses[k], &place);
    }
    return have;
}

bool rt_parts_make(rt_held *h, const rt_use *uses, size_t count, const rt_members *m) {
    h->cut = m->last;
    bool ok = !h->grid.brick[0] && suits_turns(h, m);
    for (int d = m->last + 1; d < 3; d++)
        ok = ok && rt_box_size(&h->grid.box, d) == 1;
    h->part = ok ? calloc(m->count, sizeof *h->part) : NULL;
    h->nparts = h->part ? m->count : 0;
    for (unsigned i = 0; i < h->nparts && ok; i++)
        ok = make_part(h, i, uses, count, m);
    return ok && h->part && have_uses(h, uses, count, m);
}

void rt_parts_free(rt_held *h) {
    rt_error ignored;
    for (unsigned i = 0; i < h->nparts; i++) {
        rt_held *part = &h->part[i];
        bool took;
        if (!part->block.address || !rt_device_join(part->device, &took, &ignored))
            continue;
        rt_device_free(part->device, &part->block);
        rt_device_part(part->device, took);
    }
    free(h->part);
}

void rt_parts_take(const rt_use *u, const rt_members *m) {
    for (unsigned i = 0; i < m->count; i++) {
        rt_use *use = rt_member_use(m, i, u);
        rt_held *part = &u->held->part[i];
        if (find_in_part(part, use, &use->place))
            rt_place_take(use, part);
        use->fresh = u->fresh;
    }
}

/* Copies from device to device */

static uint64_t address_of(const rt_held *part, int64_t row) {
    const size_t bytes[3] = {part->grid.elem_size, part->grid.pitch, part->grid.plane};
    uint64_t first = part->cut == 0 ? rt_grid_device_offset(&part->grid, 0, 0, 0) : 0;
    return part->block.address + first + (uint64_t)(row - part->row) * bytes[part->cut];
}

/* Sends rows, which are `on` rows before in the part that they come from. Its device is the current
 * one. */
static bool send_rows(const rt_held *from, const rt_held *to, rt_rows rows, int64_t on,
                      double *sent, rt_error *why) {
    if (rows.lo >= rows.hi)
        return true;
    uint64_t source = address_of(from, rows.lo - on);
    size_t bytes = (size_t)(address_of(from, rows.hi - on) - source);
    *sent += (double)bytes;
    return from->device->driver->send(from->device->handle, source, to->device->handle,
                                      address_of(to, rows.lo), bytes, why);
}

/* Sends those of these rows that the part owns, or that are as many rows before or behind. */
static bool send_owned(const rt_held *from, const rt_held *to, rt_rows rows, double *sent,
                       rt_error *why) {
    bool ok = true;
    for (int turn = -1; turn <= 1 && ok; turn++) {
        int64_t on = turn_of(from, turn);
        ok = send_rows(from, to, overlap(rows, later(from->own, on)), on, sent, why);
    }
    return ok;
}

/* Sends what a part lacks of some rows, and of those between them and the rows that it has, from
 * the part that owns them. */
static bool send_lacking(const rt_held *from, const rt_held *to, rt_rows rows, double *sent,
                         rt_error *why) {
    rt_rows before = {rows.lo, to->valid.lo}, behind = {to->valid.hi, rows.hi};
    return send_owned(from, to, before, sent, why) && send_owned(from, to, behind, sent, why);
}

static bool move_from(rt_held *h, unsigned i, const rt_rows *own, rt_error *why) {
    rt_held *from = &h->part[i];
    double ignored = 0;
    bool took, ok = true;
    if (!rt_device_join(from->device, &took, why))
        return false;
    for (unsigned k = 0; k < h->nparts && ok; k++)
        if (k != i)
            ok = send_lacking(from, &h->part[k], own[k], &ignored, why);
    ok = ok && (ignored == 0 || rt_device_pass(from->device, why));
    rt_device_part(from->device, took);
    return ok;
}

static rt_rows widest(rt_rows a, rt_rows b) {
    return (rt_rows){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static bool wait_for(const rt_held *part, rt_error *why) {
    bool took, ok = rt_device_join(part->device, &took, why);
    if (!ok)
        return false;
    ok = rt_device_pass(part->device, why);
    rt_device_part(part->device, took);
    return ok;
}

static bool move_rows(rt_held *h, const rt_use *u, const rt_members *m, rt_error *why) {
    rt_rows own[RT_MOST_DEVICES];
    bool same = true, ok = true;
    for (unsigned i = 0; i < h->nparts; i++) {
        own[i] = own_rows(h, m, i, rt_member_use(m, i, u), u->place.by[h->cut]);
        same = same && own[i].lo == h->part[i].own.lo && own[i].hi == h->part[i].own.hi;
    }
    for (unsigned i = 0; i < h->nparts && ok && !same; i++)
        ok = wait_for(&h->part[i], why);
    for (unsigned i = 0; i < h->nparts && ok && !same; i++)
        ok = move_from(h, i, own, why);
    for (unsigned i = 0; i < h->nparts && ok && !same; i++) {
        h->part[i].own = own[i];
        h->part[i].valid = widest(h->part[i].valid, own[i]);
    }
    return ok;
}

bool rt_parts_move(rt_use *uses, size_t count, const rt_members *m, rt_error *why) {
    bool ok = true;
    for (size_t k = 0; k < count && ok; k++)
        ok = !uses[k].held || move_rows(uses[k].held, &uses[k], m, why);
    return ok;
}

/* The rows that the member's use reads, if it reads any. */
static rt_rows wanted_rows(const rt_use *u, const rt_members *m, unsigned i) {
    rt_rows none = {0, 0};
    return u->held && u->read
               ? used_rows(rt_member_use(m, i, u), u->held->cut, u->place.by[u->held->cut])
               : none;
}

bool rt_parts_renew(const rt_use *uses, size_t count, const rt_members *m, unsigned member,
                    double *sent, rt_error *why) {
    const rt_device *d = m->devices[member];
    bool ok = true;
    for (unsigned i = 0; i < m->count && ok; i++) {
        bool follows = false; /* the other device may still write what an earlier call computed */
        for (size_t k = 0; k < count && ok; k++) {
            rt_rows rows = wanted_rows(&uses[k], m, i);
            if ((i == member && m->around == 0) || rows.lo >= rows.hi)
                continue;
            ok = follows || d->driver->follow(d->handle, m->devices[i]->handle, RT_MARK_EDGES, why);
            follows = true;
            ok = ok &&
                 send_lacking(&uses[k].held->part[member], &uses[k].held->part[i], rows, sent, why);
        }
    }
    return ok;
}

void rt_parts_renewed(const rt_use *uses, size_t count, const rt_members *m) {
    for (size_t k = 0; k < count; k++)
        for (unsigned i = 0; i < m->count; i++) {
            rt_rows rows = wanted_rows(&uses[k], m, i);
            if (rows.lo < rows.hi)
                uses[k].held->part[i].valid = widest(uses[k].held->part[i].valid, rows);
        }
}

void rt_parts_written(rt_held *h) {
    for (unsigned i = 0; i < h->nparts; i++)
        h->part[i].valid = h->part[i].own;
}
