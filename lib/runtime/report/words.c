/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The words of the reports.
 */
#include "runtime/report/words.h"
#include <inttypes.h>
#include <stdio.h>

static const struct {
    const char *name, *sentence;
} reasons[] = {{"none", "no reason is known"},
#define RT_TEXTS(id, name, sentence) {name, sentence},
               RT_REASONS(RT_TEXTS)
#undef RT_TEXTS
};

const char *rt_reason_name(enum rt_reason reason) {
    return reasons[reason].name;
}

const char *rt_reason_sentence(enum rt_reason reason) {
    return reasons[reason].sentence;
}

size_t rt_format_sizes(char *text, size_t room, uint32_t rank, const int64_t size[3]) {
    size_t used = 0;
    text[0] = 0;
    for (uint32_t d = 0; d < rank && used < room; d++)
        used += (size_t)snprintf(text + used, room - used, "%s%" PRId64, d ? "x" : "", size[d]);
    return used;
}

size_t rt_format_reason(char *text, size_t room, enum rt_reason reason, const char *detail) {
    return (size_t)snprintf(text, room, "%s%s%s%s", rt_reason_sentence(reason),
                            detail[0] ? " (" : "", detail, detail[0] ? ")" : "");
}

/* The bricks that arrays lie in, or nothing. */
static void format_brick(char *text, size_t room, const rt_entry *e) {
    char brick[64];
    text[0] = 0;
    rt_format_sizes(brick, sizeof brick, e->rank, e->brick);
    if (e->brick[0])
        snprintf(text, room, ", bricks of %s", brick);
}

/* What the kernels were: sweeps of a step, the main kernel's steps and tile. */
static void format_kernels(char *text, size_t room, const rt_entry *e) {
    const char *kind = e->cell      ? " (a thread a cell)"
                       : e->on_chip ? " (the grid stays on chip)"
                                    : "";
    const char *comma = "";
    size_t used = 0;
    text[0] = 0;
    if (e->sweeps) {
        used =
            (size_t)snprintf(text, room, "%u sweep%s a step", e->sweeps, e->sweeps > 1 ? "s" : "");
        comma = ", ";
    }
    if (e->bt > 0 || !e->sweeps)
        used +=
            (size_t)snprintf(text + used, room - used, "%sbT %u%s%s, tile %s", comma, e->bt, kind,
                             e->halos_differ ? " (the buffers' boundaries differ)" : "", e->tile);
    format_brick(text + used, room - used, e);
}

static void format_slabs(char *text, size_t room, const rt_split *s) {
    int used = snprintf(text, room, ", %" PRId64 " slab%s in %" PRId64 " pass%s", s->slabs,
                        s->slabs == 1 ? "" : "s", s->passes, s->passes == 1 ? "" : "es");
    if (s->lanes > 1 && used > 0 && (size_t)used < room)
        snprintf(text + used, room - (size_t)used, " by %u devices", s->lanes);
}

/* The rows of each device, where they differ. */
static void format_shares(char *text, size_t room, const rt_split *s) {
    size_t used = 0;
    text[0] = 0;
    for (unsigned i = 0; i < s->devices && s->rows[0] > 0 && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%u%s", i == 0 ? " (" : "+",
                                 s->rows[i], i + 1 == s->devices ? " rows)" : "");
}

/* How the grid was cut, or nothing. */
static void format_split(char *text, size_t room, const rt_split *s) {
    char shares[120];
    format_shares(shares, sizeof shares, s);
    text[0] = 0;
    if (s->devices > 0)
        snprintf(text, room, ", shared by %u devices%s, %.3f MB exchanged in %" PRId64 " pass%s",
                 s->devices, shares, 1e-6 * s->sent, s->passes, s->passes == 1 ? "" : "es");
    else if (s->slabs > 0)
        format_slabs(text, room, s);
}

/* What was not copied because it was on the device, or stays there. */
static void format_kept(char *text, size_t room, const rt_kept *kept) {
    size_t used = 0;
    text[0] = 0;
    if (kept->arrays > 0)
        used = (size_t)snprintf(text, room, ", %u array%s kept on the device", kept->arrays,
                                kept->arrays == 1 ? "" : "s");
    if (kept->arrays > 0 || kept->saved > 0)
        snprintf(text + used, room - used, ", %.3f MB not copied", 1e-6 * kept->saved);
}

double rt_rate(const rt_entry *e) {
    return e->kernel_seconds > 0 ? 1e-9 * e->updates / e->kernel_seconds : 0;
}

size_t rt_format_run(char *text, size_t room, const rt_entry *e) {
    char grid[80], kernels[220], split[200], kept[100];
    rt_format_sizes(grid, sizeof grid, e->rank, e->extent);
    format_kernels(kernels, sizeof kernels, e);
    format_split(split, sizeof split, &e->split);
    format_kept(kept, sizeof kept, &e->kept);
    return (size_t)snprintf(text, room,
                            "%s (%s): grid %s%s, steps %" PRId64
                            ", %s%s, kernels %.3f ms, transfers %.3f ms, %.3f GCells/s%s",
                            e->driver, e->device, grid, e->several_grids ? " and others" : "",
                            e->steps, kernels, split, 1e3 * e->kernel_seconds,
                            1e3 * e->transfer_seconds, rt_rate(e), kept);
}
