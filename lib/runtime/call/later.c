/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows of tables that a later step of a loop reads, where the loop may stop before that step:
 *
 *     while (change > limit) {
 *         for (i = 1; i < n - 1; i++)      reads a[0] to a[n - 1], and b[1] to b[n - 2]
 *             sweep(b[i], a[i - 1], a[i], a[i + 1]);
 *         swap(a, b);                      so the second step reads b[0] and b[n - 1], too
 *     }
 *
 * All rows are looked up before the first step. If that were the last one, the program would not
 * read these pointers, and they might be anything, or nowhere. So they are read by a system call,
 * which fails where nothing is mapped, and memory must be there for such a row. What is copied of
 * it is used if the step comes. Then the program finds the same pointers: no step writes them.
 */
#include "runtime/call/tables.h"
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

bool rt_try_to_read(void *to, const void *from, size_t bytes) {
    struct iovec local = {to, bytes}, remote = {(void *)(uintptr_t)from, bytes};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)bytes;
}

/* Is there memory, of this size, that may be read? */
static bool is_there(const unsigned char *from, size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char byte;
    bool there = bytes == 0 || rt_try_to_read(&byte, from + bytes - 1, 1);
    for (size_t at = 0; at < bytes && there; at += page - (uintptr_t)(from + at) % page)
        there = rt_try_to_read(&byte, from + at, 1);
    return there;
}

static bool is_later(const stencilrt_table *t) {
    return t->unsure == STENCILRT_LATER && t->count[0] > 0 && t->count[1] > 0;
}

static bool read_pointer(const unsigned char **to, const void *pointers, int64_t away) {
    return rt_try_to_read(to, (const unsigned char *)pointers + away, sizeof *to);
}

/* The table of rows of a plane. */
static bool find_rows(const stencilrt_table *t, int64_t plane, const unsigned char **rows) {
    *rows = t->pointers;
    if (t->planes && !read_pointer(rows, t->pointers, plane * t->step[0]))
        return false;
    *rows += t->planes ? t->skip : 0;
    return true;
}

static bool has_pointers(const stencilrt_table *t) {
    bool has = true;
    const unsigned char *rows;
    for (int64_t k = 0; k < t->count[0] && has; k++)
        has = find_rows(t, t->first[0] + k, &rows) &&
              is_there(rows + t->first[1] * t->step[1],
                       (size_t)((t->count[1] - 1) * t->step[1]) + sizeof(void *));
    return has;
}

bool rt_later_pointers_there(const stencilrt_tables *all) {
    bool there = true;
    for (int64_t i = 0; i < all->count && there; i++)
        there = !is_later(&all->at[i]) || has_pointers(&all->at[i]);
    return there;
}

/* Does the first step read the pointer, too? */
static bool is_read_first(const stencilrt_tables *all, int64_t number, int64_t plane, int64_t row) {
    bool is = false;
    for (int64_t i = 0; i < all->count && !is; i++) {
        const stencilrt_table *t = &all->at[i];
        is = t->number == number && !t->unsure && plane >= t->first[0] &&
             plane < t->first[0] + t->count[0] && row >= t->first[1] &&
             row < t->first[1] + t->count[1];
    }
    return is;
}

/* Calls `visit` with each pointer that only a later step reads. False if one is nowhere, or `visit`
 * says so. */
typedef bool visitor(const unsigned char *row, size_t bytes, uintptr_t hull[2]);

static bool visit_rows(const stencilrt_tables *all, const stencilrt_table *t, size_t bytes,
                       visitor *visit, uintptr_t hull[2]) {
    bool good = true;
    for (int64_t k = 0; k < t->count[0] && good; k++) {
        const unsigned char *rows, *row;
        good = find_rows(t, t->first[0] + k, &rows);
        for (int64_t n = 0; n < t->count[1] && good; n++) {
            int64_t number = t->first[1] + n;
            good = is_read_first(all, t->number, t->first[0] + k, number) ||
                   (read_pointer(&row, rows, number * t->step[1]) && visit(row, bytes, hull));
        }
    }
    return good;
}

static bool widen(const unsigned char *row, size_t bytes, uintptr_t hull[2]) {
    uintptr_t lo = (uintptr_t)row, hi = lo + bytes;
    hull[0] = lo < hull[0] ? lo : hull[0];
    hull[1] = hi > hull[1] ? hi : hull[1];
    return hi >= lo;
}

static bool is_row_there(const unsigned char *row, size_t bytes, uintptr_t hull[2]) {
    (void)hull;
    return is_there(row, bytes);
}

/* Where arrays are on the device, a read brings pages back. So it is asked first whether the
 * program may read all that lies between the rows. */
static bool has_rows(const stencilrt_tables *all, const stencilrt_table *t, int64_t distance,
                     rt_readable *readable) {
    size_t bytes = (size_t)(distance < 0 ? -distance : distance);
    uintptr_t hull[2] = {UINTPTR_MAX, 0};
    if (!visit_rows(all, t, bytes, widen, hull))
        return false;
    return hull[0] >= hull[1] || readable(hull[0], hull[1]) ||
           visit_rows(all, t, bytes, is_row_there, hull);
}

bool rt_later_rows_there(const stencilrt_tables *all, const int64_t *distance,
                         rt_readable *readable) {
    bool there = true;
    for (int64_t i = 0; i < all->count && there; i++) {
        const stencilrt_table *t = &all->at[i];
        if (is_later(t))
            there = has_rows(all, t, distance[t->number], readable);
    }
    return there;
}

bool rt_later_row_there(const stencilrt_tables *all, const int64_t id[3], uintptr_t lo,
                        uintptr_t hi) {
    bool later = false;
    for (int64_t i = 0; i < all->count && !later; i++)
        later = is_later(&all->at[i]);
    return !later || is_read_first(all, id[0], id[1], id[2]) ||
           is_there((const unsigned char *)lo, hi - lo);
}
