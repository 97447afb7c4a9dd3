/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows found through tables of pointers. The compiler assumes that a table's rows are evenly
 * spaced, and gives addresses in an image of the table, where there is no memory. Mostly the rows
 * are evenly spaced. Then the rest of the runtime gets true addresses. Otherwise it works with
 * addresses of the image. They show what shares memory, as long as no row shares memory with
 * something else. A row's true address is looked up when the row is copied.
 */
#include "runtime/call/tables.h"
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

/* A place in an image: byte `x` of a row of a plane. */
typedef struct place {
    int64_t table, plane, row, x;
} place;

static bool is_image(const void *p) {
    return (int64_t)(uintptr_t)p >= STENCILRT_IMAGE - STENCILRT_TABLE / 2;
}

static void *image_of(int64_t table, int64_t plane, int64_t row, int64_t x) {
    int64_t at = STENCILRT_IMAGE + table * STENCILRT_TABLE + plane * STENCILRT_PLANE +
                 row * STENCILRT_ROW + x;
    return (void *)(uintptr_t)at;
}

static int64_t nearest(int64_t a, int64_t b, int64_t *rest) {
    int64_t q = (a + (a < 0 ? -b / 2 : b / 2)) / b;
    *rest = a - q * b;
    return q;
}

static const stencilrt_table *find_table(const stencilrt_tables *all, int64_t number) {
    const stencilrt_table *found = NULL;
    for (int64_t i = 0; i < all->count && !found; i++)
        found = all->at[i].number == number ? &all->at[i] : NULL;
    return found;
}

/* False if the image is of no table. */
static bool find_place(const stencilrt_tables *all, const void *p, place *out) {
    int64_t rest;
    out->table = nearest((int64_t)(uintptr_t)p - STENCILRT_IMAGE, STENCILRT_TABLE, &rest);
    const stencilrt_table *t = find_table(all, out->table);
    out->plane = t && t->planes ? nearest(rest, STENCILRT_PLANE, &rest) : 0;
    out->row = nearest(rest, STENCILRT_ROW, &out->x);
    return t != NULL;
}

static unsigned char *pointer_at(const void *pointers, int64_t away) {
    unsigned char *p;
    memcpy(&p, (const unsigned char *)pointers + away, sizeof p);
    return p;
}

static const unsigned char *rows_of(const stencilrt_table *t, int64_t plane) {
    return t->planes ? pointer_at(t->pointers, plane * t->step[0]) + t->skip : t->pointers;
}

static unsigned char *row_at(const stencilrt_table *t, int64_t plane, int64_t row) {
    return pointer_at(rows_of(t, plane), row * t->step[1]);
}

unsigned char *rt_host_address(const stencilrt_tables *tables, unsigned char *p) {
    place at;
    if (!tables || !is_image(p) || !find_place(tables, p, &at))
        return p;
    return row_at(find_table(tables, at.table), at.plane, at.row) + at.x;
}

/* Does the program read the table's pointers? Unsure ones do not count. */
static bool is_used(const stencilrt_table *t) {
    return t->count[0] > 0 && t->count[1] > 0 && (!t->unsure || t->unsure == STENCILRT_LATER);
}

/* Is the first pointer one that lies in the image; with `all`, are all? */
static bool is_in_image(const stencilrt_table *t, bool all) {
    int64_t most[2] = {STENCILRT_TABLE / STENCILRT_PLANE / 2, STENCILRT_PLANE / STENCILRT_ROW / 2};
    bool good = true;
    most[1] *= t->planes ? 1 : most[0];
    for (int i = 0; i < 2; i++) {
        int64_t count = all ? t->count[i] : 0;
        good = good && t->first[i] > -most[i] && t->first[i] < most[i] && count < most[i] &&
               t->first[i] + count < most[i];
    }
    return good;
}

/* Pointers that may not be there */

static bool has_pointer(const stencilrt_table *t, int64_t plane, int64_t row) {
    return plane >= t->first[0] && plane < t->first[0] + t->count[0] && row >= t->first[1] &&
           row < t->first[1] + t->count[1];
}

static bool is_sure(const stencilrt_tables *all, int64_t number, int64_t plane, int64_t row) {
    bool sure = false;
    for (int64_t i = 0; i < all->count && !sure; i++)
        sure = all->at[i].number == number && is_used(&all->at[i]) &&
               has_pointer(&all->at[i], plane, row);
    return sure;
}

static bool all_are_sure(const stencilrt_tables *all) {
    bool sure = true;
    for (int64_t i = 0; i < all->count; i++) {
        const stencilrt_table *t = &all->at[i];
        for (int64_t k = 0; k < t->count[0] && t->unsure == 1 && sure; k++)
            for (int64_t n = 0; n < t->count[1] && sure; n++)
                sure = is_sure(all, t->number, t->first[0] + k, t->first[1] + n);
    }
    return sure;
}

/* What is known of a table's evenly spaced rows: distances[0] of planes, distances[1] of rows. */
typedef struct spacing {
    bool known, has[2];
    int64_t first[2], at, distance[2];
} spacing;

static bool fits(spacing *s, int64_t plane, int64_t row, int64_t at) {
    int64_t number[2] = {plane, row}, rest;
    if (!s->known)
        *s = (spacing){.known = true, .first = {plane, row}, .at = at};
    rest = at - s->at;
    for (int i = 0; i < 2; i++) {
        int64_t away = number[i] - s->first[i];
        bool last = i == 1 || number[1] == s->first[1] || s->has[1];
        if (away == 0 || s->has[i])
            continue;
        int64_t others = i == 0 ? (number[1] - s->first[1]) * s->distance[1]
                                : (number[0] - s->first[0]) * s->distance[0];
        if (!last || (rest - others) % away != 0 || rest == others)
            return false; /* equal pointers: one row is not several rows that lie apart */
        s->distance[i] = (rest - others) / away;
        s->has[i] = true;
    }
    return rest == (plane - s->first[0]) * s->distance[0] + (row - s->first[1]) * s->distance[1];
}

static bool is_even(const stencilrt_tables *all, spacing *s) {
    for (int64_t i = 0; i < all->count; i++) {
        const stencilrt_table *t = &all->at[i];
        for (int64_t k = 0; k < t->count[0] && is_used(t); k++)
            for (int64_t n = 0; n < t->count[1]; n++) {
                int64_t plane = t->first[0] + k, row = t->first[1] + n;
                if (!fits(&s[t->number], plane, row, (int64_t)(uintptr_t)row_at(t, plane, row)))
                    return false;
            }
    }
    return true;
}

/* The rows of all buffers of a grid have the same distances. If the table's distances are known,
 * they must be these. */
static bool agrees(const spacing *s, spacing *grid) {
    for (int i = 0; i < 2; i++) {
        if (s->has[i] && grid->has[i] && s->distance[i] != grid->distance[i])
            return false;
        grid->distance[i] = s->has[i] ? s->distance[i] : grid->distance[i];
        grid->has[i] |= s->has[i];
    }
    return true;
}

/* The true address of a place. A table with one row, or one plane, fits any distance. No step reads
 * a table of which no row is known. */
static void *true_address(const spacing *t, const int64_t distance[2], const place *at,
                          void *image) {
    int64_t bytes = t->at + (at->plane - t->first[0]) * distance[0] +
                    (at->row - t->first[1]) * distance[1] + at->x;
    return t->known ? (void *)(uintptr_t)bytes : image;
}

/* Puts true addresses into the arrays of one sweep's call. */
static bool put_true(const stencilrt_tables *all, const spacing *s, const stencilrt_region *r,
                     void **origins, int64_t *strides) {
    static const int64_t unit[2] = {STENCILRT_PLANE, STENCILRT_ROW};
    place at;
    for (uint32_t g = 0; g < r->ngrids; g++) {
        spacing grid = {.distance = {STENCILRT_PLANE, STENCILRT_ROW}};
        void **own = origins + r->grids[g].first_buffer;
        for (uint32_t b = 0; b < r->grids[g].buffers; b++)
            if (is_image(own[b]) && find_place(all, own[b], &at) && !agrees(&s[at.table], &grid))
                return false;
        for (uint32_t b = 0; b < r->grids[g].buffers; b++)
            if (is_image(own[b]) && find_place(all, own[b], &at))
                own[b] = true_address(&s[at.table], grid.distance, &at, own[b]);
        for (int d = 0; d < 3; d++)
            strides[3 * g + d] = strides[3 * g + d] == unit[0]   ? grid.distance[0]
                                 : strides[3 * g + d] == unit[1] ? grid.distance[1]
                                                                 : strides[3 * g + d];
    }
    return true;
}

/* Makes the call, with arrays of its own. */

static void set_tables(rt_tables *t, const stencilrt_region *r, const stencilrt_tables *tables) {
    t->whole.tables = tables;
    for (uint32_t i = 0; i < r->nsweeps; i++)
        t->sweeps[i].tables = tables;
}

static bool copy_call(rt_tables *t, const stencilrt_region *r, const stencilrt_call *call) {
    uint32_t origins = 0, grids = 0;
    for (uint32_t i = 0; i < r->nsweeps; i++) {
        origins += r->sweeps[i].nbuffers;
        grids += r->sweeps[i].ngrids;
    }
    t->norigins = origins;
    t->sweeps = calloc(r->nsweeps, sizeof *t->sweeps);
    t->origins = calloc(origins, sizeof *t->origins);
    t->strides = calloc(3 * (size_t)grids, sizeof *t->strides);
    if (!t->sweeps || !t->origins || !t->strides)
        return false;
    origins = grids = 0;
    for (uint32_t i = 0; i < r->nsweeps; i++) {
        const stencilrt_call *one = &call->sweeps[i];
        const stencilrt_region *sweep = &r->sweeps[i];
        memcpy(t->origins + origins, one->origins, sweep->nbuffers * sizeof *t->origins);
        memcpy(t->strides + 3 * grids, one->strides, 3 * sweep->ngrids * sizeof *t->strides);
        t->sweeps[i] = *one;
        t->sweeps[i].origins = t->origins + origins;
        t->sweeps[i].strides = t->strides + 3 * grids;
        origins += sweep->nbuffers;
        grids += sweep->ngrids;
    }
    t->call = &t->whole;
    t->whole = *call;
    t->whole.sweeps = t->sweeps;
    set_tables(t, r, NULL);
    return true;
}

static bool make_true(rt_tables *t, const stencilrt_region *r, const spacing *s) {
    uint32_t origins = 0, grids = 0;
    bool good = true;
    for (uint32_t i = 0; i < r->nsweeps && good; i++) {
        const stencilrt_region *sweep = &r->sweeps[i];
        good = put_true(t->given, s, sweep, t->origins + origins, t->strides + 3 * grids);
        origins += sweep->nbuffers;
        grids += sweep->ngrids;
    }
    return good;
}

static bool is_sound(const stencilrt_tables *all) {
    bool good = all->count == 0 || all->at;
    for (int64_t i = 0; i < all->count && good; i++)
        good = all->at[i].number >= 0 && all->at[i].number < STENCILRT_MAX_TABLES &&
               all->at[i].pointers && (all->at[i].planes || all->at[i].first[0] == 0) &&
               all->at[i].step[0] >= 8 && all->at[i].step[1] >= 8;
    return good && (all->nkept == 0 || all->kept);
}

bool rt_tables_resolve(rt_tables *t, const stencilrt_region *region, const stencilrt_call *call,
                       rt_readable *readable, rt_error *why) {
    spacing s[STENCILRT_MAX_TABLES] = {{0}};
    int64_t distance[STENCILRT_MAX_TABLES];
    *t = (rt_tables){.given = call->tables, .call = call};
    if (!t->given)
        return true;
    if (!is_sound(t->given))
        return rt_fail(why, RT_MALFORMED, "the tables");
    for (int64_t i = 0; i < t->given->count; i++)
        if (!is_in_image(&t->given->at[i], false))
            return rt_fail(why, RT_TOO_LARGE, "rows of table %d", (int)t->given->at[i].number);
    if (!all_are_sure(t->given) || !rt_later_pointers_there(t->given))
        return rt_fail(why, RT_UNSURE, "rows of a table");
    if (!is_even(t->given, s))
        return rt_tables_use_images(t, region, call, why);
    for (int i = 0; i < STENCILRT_MAX_TABLES; i++)
        distance[i] = s[i].distance[1];
    if (!rt_later_rows_there(t->given, distance, readable))
        return rt_fail(why, RT_UNSURE, "rows that a later step reads");
    if (!copy_call(t, region, call))
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    return make_true(t, region, s) || rt_tables_use_images(t, region, call, why);
}

/* Images of one table */

/* Row 0 of table number `from`, which has no planes, is this row of another table. */
typedef struct part {
    int64_t from, plane, row;
    const stencilrt_table *of;
} part;

/* Is the first pointer that is read of one table among the pointers of the other? */
static bool find_part(const stencilrt_table *one, const stencilrt_table *other, part *out) {
    const int64_t size = other->step[1];
    if (one->planes || one->number == other->number || one->step[1] != size || !is_used(one) ||
        !is_used(other))
        return false;
    const unsigned char *at = (const unsigned char *)one->pointers + one->first[1] * size;
    for (int64_t k = 0; k < other->count[0]; k++) {
        int64_t plane = other->first[0] + k;
        int64_t bytes = (int64_t)((uintptr_t)at - (uintptr_t)rows_of(other, plane));
        if (bytes % size != 0 || !has_pointer(other, plane, bytes / size))
            continue;
        *out = (part){one->number, plane, bytes / size - one->first[1], other};
        return true;
    }
    return false;
}

static void join_image(rt_tables *t, const part *p) {
    stencilrt_table whole = *p->of;
    for (uint32_t i = 0; i < t->norigins; i++) {
        place at;
        if (is_image(t->origins[i]) && find_place(&t->images, t->origins[i], &at) &&
            at.table == p->from)
            t->origins[i] = image_of(whole.number, p->plane, p->row + at.row, at.x);
    }
    for (int64_t i = 0; i < t->images.count; i++) {
        stencilrt_table *e = &t->entries[i];
        if (e->number != p->from)
            continue;
        stencilrt_table old = *e;
        *e = whole;
        e->unsure = old.unsure;
        e->first[0] = p->plane;
        e->first[1] = old.first[1] + p->row;
        e->count[0] = old.count[0];
        e->count[1] = old.count[1];
    }
}

/* Joins the images of a table, or of a table of a plane, that the program finds in two ways. */
static void join_images(rt_tables *t) {
    part p;
    for (int64_t i = 0; i < t->images.count; i++)
        for (int64_t k = 0; k < t->images.count; k++)
            if (find_part(&t->entries[i], &t->entries[k], &p))
                join_image(t, &p);
}

bool rt_tables_use_images(rt_tables *t, const stencilrt_region *region, const stencilrt_call *call,
                          rt_error *why) {
    rt_tables_free(t);
    t->entries = calloc((size_t)t->given->count + 1, sizeof *t->entries);
    if (!t->entries || !copy_call(t, region, call))
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    memcpy(t->entries, t->given->at, (size_t)t->given->count * sizeof *t->entries);
    t->images = *t->given;
    t->images.at = t->entries;
    set_tables(t, region, &t->images);
    join_images(t);
    return true;
}

void rt_tables_free(rt_tables *t) {
    free(t->sweeps);
    free(t->origins);
    free(t->strides);
    free(t->entries);
    t->sweeps = NULL;
    t->origins = NULL;
    t->strides = NULL;
    t->entries = NULL;
}

/* Memory that is shared */

typedef struct range {
    uintptr_t lo, hi;
    bool written;
    int64_t id[3]; /* of a row: its table, plane and number */
} range;

/* What the views of a table access: the bytes of each row, and whether a view writes. */
typedef struct reach {
    int64_t lo, hi;
    bool any, written;
} reach;

typedef struct memory {
    reach tables[STENCILRT_MAX_TABLES];
    range *others, *rows; /* `others` are of no table; `rows` are sorted */
    size_t nothers, nrows;
} memory;

/* Adds an access. `box` has the cells that are accessed. */
static bool add_access(memory *m, const rt_tables *t, const unsigned char *origin,
                       const int64_t *stride, const rt_box *box, const range *bytes,
                       rt_error *why) {
    place at;
    if (!is_image(origin) ||
        !find_place(t->call->tables ? t->call->tables : t->given, origin, &at)) {
        m->others[m->nothers++] = *bytes;
        return true;
    }
    wide lo = at.x, hi = at.x + stride[0];
    for (int d = 0; d < 3; d++) {
        wide a = (wide)stride[d] * box->lo[d], b = (wide)stride[d] * (box->hi[d] - 1);
        if (stride[d] == STENCILRT_ROW || stride[d] == STENCILRT_PLANE)
            continue;
        lo += a < b ? a : b;
        hi += a < b ? b : a;
    }
    if (lo < -STENCILRT_ROW / 2 || hi > STENCILRT_ROW / 2)
        return rt_fail(why, RT_TOO_LARGE, "rows of table %d", (int)at.table);
    reach *r = &m->tables[at.table];
    r->lo = r->any && r->lo < lo ? r->lo : (int64_t)lo;
    r->hi = r->any && r->hi > hi ? r->hi : (int64_t)hi;
    r->any = true;
    r->written |= bytes->written;
    return true;
}

static bool add_view(memory *m, const rt_tables *t, const rt_view *v, rt_error *why) {
    range bytes = {v->lo, v->hi, v->written, {0}};
    return (!v->read && !v->written) ||
           add_access(m, t, v->origin, v->stride, &v->box, &bytes, why);
}

static int compare_rows(const void *a, const void *b) {
    const range *x = a, *y = b;
    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    return memcmp(x->id, y->id, sizeof x->id);
}

static bool find_rows(memory *m, const rt_tables *t, rt_error *why) {
    size_t count = 0;
    for (int64_t i = 0; i < t->images.count; i++) {
        const stencilrt_table *one = &t->images.at[i];
        if (!is_used(one))
            continue;
        if (!is_in_image(one, true))
            return rt_fail(why, RT_TOO_LARGE, "rows of table %d", (int)one->number);
        count += (size_t)(one->count[0] * one->count[1]);
    }
    m->rows = calloc(count + 1, sizeof *m->rows);
    if (!m->rows)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (int64_t i = 0; i < t->images.count; i++) {
        const stencilrt_table *one = &t->images.at[i];
        const reach *r = &m->tables[one->number];
        for (int64_t k = 0; k < one->count[0] && r->any && is_used(one); k++)
            for (int64_t n = 0; n < one->count[1]; n++) {
                int64_t plane = one->first[0] + k, row = one->first[1] + n;
                uintptr_t at = (uintptr_t)row_at(one, plane, row);
                m->rows[m->nrows++] = (range){at + (uintptr_t)r->lo,
                                              at + (uintptr_t)r->hi,
                                              r->written,
                                              {one->number, plane, row}};
            }
    }
    qsort(m->rows, m->nrows, sizeof *m->rows, compare_rows);
    return true;
}

/* Do the rows that are written share no memory with other rows? */
static bool rows_are_apart(const memory *m) {
    uintptr_t any = 0, written = 0;
    for (size_t i = 0; i < m->nrows; i++) {
        const range *r = &m->rows[i];
        if (i > 0 && compare_rows(r, r - 1) == 0)
            continue;
        if (r->lo < written || (r->written && r->lo < any) || r->hi <= r->lo)
            return false;
        any = r->hi > any ? r->hi : any;
        written = r->written && r->hi > written ? r->hi : written;
    }
    return true;
}

static bool meets_any(const range *list, size_t count, uintptr_t lo, uintptr_t hi, bool written) {
    for (size_t i = 0; i < count; i++)
        if ((written || list[i].written) && lo < list[i].hi && list[i].lo < hi)
            return true;
    return false;
}

static bool is_written(const memory *m, const void *at, int64_t bytes) {
    uintptr_t lo = (uintptr_t)at, hi = lo + (uintptr_t)bytes;
    return meets_any(m->others, m->nothers, lo, hi, false) ||
           meets_any(m->rows, m->nrows, lo, hi, false);
}

/* Does a sweep write to the pointers `first` to `first + count - 1`, or between them? */
static bool pointers_are_written(const memory *m, const unsigned char *pointers, int64_t first,
                                 int64_t count, int64_t step) {
    return is_written(m, pointers + first * step, (count - 1) * step + (int64_t)sizeof(void *));
}

static bool table_is_written(const memory *m, const stencilrt_table *t) {
    if (!is_used(t))
        return false;
    if (t->planes && pointers_are_written(m, t->pointers, t->first[0], t->count[0], t->step[0]))
        return true;
    for (int64_t k = 0; k < t->count[0]; k++)
        if (pointers_are_written(m, rows_of(t, t->first[0] + k), t->first[1], t->count[1],
                                 t->step[1]))
            return true;
    return false;
}

static bool check(const rt_tables *t, memory *m, rt_error *why) {
    if (t->call->tables && !find_rows(m, t, why))
        return false;
    for (size_t i = 0; i < m->nrows; i++)
        if (!rt_later_row_there(t->given, m->rows[i].id, m->rows[i].lo, m->rows[i].hi))
            return rt_fail(why, RT_UNSURE, "rows that a later step reads");
    if (!rows_are_apart(m))
        return rt_fail(why, RT_OVERLAP, "rows of a table");
    for (size_t i = 0; i < m->nothers && m->nrows > 0; i++)
        if (meets_any(m->rows, m->nrows, m->others[i].lo, m->others[i].hi, m->others[i].written))
            return rt_fail(why, RT_OVERLAP, "rows of a table");
    for (int64_t i = 0; i < t->given->nkept; i++)
        if (is_written(m, t->given->kept[i], 8))
            return rt_fail(why, RT_OVERLAP, "what the loops read as a pointer or a number");
    for (int64_t i = 0; i < t->given->count; i++)
        if (table_is_written(m, &t->given->at[i]))
            return rt_fail(why, RT_OVERLAP, "a table of rows");
    return true;
}

static bool begin(memory *m, size_t count, rt_error *why) {
    *m = (memory){.others = calloc(count + 1, sizeof *m->others)};
    return m->others || rt_fail(why, RT_HOST_MEMORY, "%s", "");
}

static bool end(memory *m, bool good) {
    free(m->others);
    free(m->rows);
    return good;
}

/* The row that the view lies in, or meets. NULL if there are several. */
static const range *row_of(const memory *m, const rt_view *v) {
    const range *found = NULL;
    for (size_t i = 0; i < m->nrows; i++) {
        const range *r = &m->rows[i];
        if (v->hi <= r->lo || r->hi <= v->lo || (!v->written && !r->written))
            continue;
        if (found && compare_rows(found, r) != 0)
            return NULL;
        found = r;
    }
    return found;
}

static bool take_in(rt_tables *t, const rt_arrays *a, const memory *m) {
    bool any = false;
    for (uint32_t i = 0; i < a->nviews; i++) {
        const rt_view *v = &a->views[i];
        bool plain = (v->read || v->written) && !v->stride[1] && !v->stride[2];
        const range *r = plain && !is_image(v->origin) ? row_of(m, v) : NULL;
        if (!r)
            continue;
        uintptr_t at = r->lo - (uintptr_t)m->tables[r->id[0]].lo;
        int64_t x = (int64_t)((uintptr_t)v->origin - at);
        t->origins[i] = image_of(r->id[0], r->id[1], r->id[2], x);
        any = true;
    }
    return any;
}

bool rt_tables_take_in(rt_tables *t, const rt_arrays *a) {
    rt_error ignored;
    memory m;
    if (!t->call->tables || !begin(&m, a->nviews, &ignored))
        return false;
    bool good = true;
    for (uint32_t i = 0; i < a->nviews && good; i++)
        good = add_view(&m, t, &a->views[i], &ignored);
    return end(&m, good && find_rows(&m, t, &ignored) && take_in(t, a, &m));
}

bool rt_tables_check_shape(const rt_tables *t, const rt_shape *shape, rt_error *why) {
    memory m;
    if (!t->given)
        return true;
    bool good = begin(&m, shape->region->nbuffers, why);
    for (uint32_t i = 0; i < shape->region->nbuffers && good; i++) {
        const rt_buffer *b = &shape->buffers[i];
        range bytes = {b->lo, b->hi, b->written, {0}};
        good =
            (!b->read && !b->written) ||
            add_access(&m, t, b->origin, shape->grids[b->grid].host_stride, &b->cells, &bytes, why);
    }
    return end(&m, good && check(t, &m, why));
}

bool rt_tables_check_arrays(const rt_tables *t, const rt_arrays *a, rt_error *why) {
    memory m;
    if (!t->given)
        return true;
    bool good = begin(&m, a->nviews, why);
    for (uint32_t i = 0; i < a->nviews && good; i++)
        good = add_view(&m, t, &a->views[i], why);
    return end(&m, good && check(t, &m, why));
}
