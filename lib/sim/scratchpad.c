/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The scratchpad of a block: each byte knows whether it was written, by whom and since which
 * barrier. Reads of what nobody wrote, accesses outside and between arrays, and conflicting accesses
 * of two waves with no barrier between them are faults. Atomics do not conflict with anything.
 */
#include "module.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MARGIN = 1 << 16 };

#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

bool sim_in_scratchpad(const sim_worker *worker, uint64_t address)
{
    return address - (uint64_t)(uintptr_t)worker->scratchpad_map < worker->scratchpad_room;
}

static int64_t distance(int64_t offset, const sim_array *array, uint32_t bytes)
{
    int64_t low = array->offset, high = low + bytes;
    return offset < low ? low - offset : offset >= high ? offset - high : 0;
}

_Noreturn static void fault_outside(sim_thread *thread, uint64_t address, uint64_t bytes,
                                    const sim_site *site, sim_access_kind kind)
{
    static const char *const verbs[] = {"load", "store", "atomic access", "asynchronous copy"};
    const sim_worker *worker = thread->worker;
    const stencilsim_module *module = worker->module;
    int64_t offset = (int64_t)(address - (uint64_t)(uintptr_t)worker->scratchpad);
    const sim_array *nearest = NULL;
    uint32_t nearest_bytes = 0;
    for (size_t a = 0; a < module->narrays; ++a) {
        const sim_array *array = &module->arrays[a];
        uint32_t size = array->bytes ? array->bytes : worker->dynamic_bytes;
        if (!nearest || distance(offset, array, size) < distance(offset, nearest, nearest_bytes))
            nearest = array, nearest_bytes = size;
    }
    if (!nearest)
        sim_fault(thread, "scratchpad: %s of %llu bytes, but the kernel has no scratchpad%s",
                  verbs[kind], (unsigned long long)bytes, site->where);
    int64_t relative = offset - nearest->offset, element = site->element_bytes;
    if (relative % element)
        element = 1;
    sim_fault(thread,
              "scratchpad array '%s': %s of %llu bytes at index %lld (%s), %lld %ss long%s",
              nearest->name, verbs[kind], (unsigned long long)bytes, (long long)(relative / element),
              element == 1 ? "byte" : "element", (long long)(nearest_bytes / element),
              element == 1 ? "byte" : "element", site->where);
}

_Noreturn static void fault_at(sim_thread *thread, int64_t offset, const char *what, uint32_t other,
                               const sim_site *site)
{
    const sim_worker *worker = thread->worker;
    const stencilsim_module *module = worker->module;
    const char *name = "?";
    int64_t start = 0;
    for (size_t a = 0; a < module->narrays; ++a)
        if (module->arrays[a].offset <= offset && module->arrays[a].offset >= start)
            name = module->arrays[a].name, start = module->arrays[a].offset;
    long long index = (offset - start) / site->element_bytes;
    const char *unit = site->element_bytes == 1 ? "byte" : "element";
    if (other == UINT32_MAX)
        sim_fault(thread, "scratchpad array '%s': %s at index %lld (%s)%s", name, what, index, unit,
                  site->where);
    const uint32_t *id = worker->threads[other].id;
    sim_fault(thread, "scratchpad array '%s': data race at index %lld (%s): %s thread (%u,%u,%u) of "
                      "another warp, with no barrier between%s",
              name, index, unit, what, id[0], id[1], id[2], site->where);
}

static bool other_wave(const sim_thread *thread, uint16_t linear)
{
    return thread->worker->threads[linear].wave != thread->wave;
}

static void read_byte(sim_thread *thread, uint32_t offset, const sim_site *site)
{
    sim_worker *worker = thread->worker;
    sim_shadow *shadow = &worker->shadow[offset];
    if (worker->states[offset] == SIM_BYTE_COPYING)
        fault_at(thread, offset, "read of bytes whose asynchronous copy was not waited for",
                 UINT32_MAX, site);
    if (worker->states[offset] != SIM_BYTE_WRITTEN)
        fault_at(thread, offset, "read of bytes that nobody wrote", UINT32_MAX, site);
    if (shadow->write_epoch == worker->epoch && other_wave(thread, shadow->write_thread))
        fault_at(thread, offset, "read here, written by", shadow->write_thread, site);
    if (shadow->read_epoch != worker->epoch) {
        shadow->read_epoch = worker->epoch;
        shadow->read_thread = (uint16_t)thread->linear;
        shadow->several_readers = false;
    } else if (other_wave(thread, shadow->read_thread)) {
        shadow->several_readers = true;
    }
}

static void write_byte(sim_thread *thread, uint32_t offset, const sim_site *site, bool same_value)
{
    sim_worker *worker = thread->worker;
    sim_shadow *shadow = &worker->shadow[offset];
    bool written = worker->states[offset] == SIM_BYTE_WRITTEN;
    worker->states[offset] = SIM_BYTE_WRITTEN;
    if (written && same_value)
        return; /* nobody can tell who wrote it */
    if (shadow->write_epoch == worker->epoch && other_wave(thread, shadow->write_thread))
        fault_at(thread, offset, "written here, and written by", shadow->write_thread, site);
    if (shadow->read_epoch == worker->epoch &&
        (shadow->several_readers || other_wave(thread, shadow->read_thread)))
        fault_at(thread, offset, "written here, read by", shadow->read_thread, site);
    shadow->write_epoch = worker->epoch;
    shadow->write_thread = (uint16_t)thread->linear;
}

/* The access's first byte within the scratchpad, after checks. */
static uint32_t checked_offset(sim_thread *thread, uint64_t address, uint64_t bytes,
                               const sim_site *site, sim_access_kind kind)
{
    const sim_worker *worker = thread->worker;
    uint64_t offset = address - (uint64_t)(uintptr_t)worker->scratchpad;
    bool inside = offset < worker->scratchpad_bytes && bytes <= worker->scratchpad_bytes - offset;
    for (uint64_t b = 0; inside && b < bytes; ++b)
        inside = worker->states[offset + b] != SIM_BYTE_GAP;
    if (!inside)
        fault_outside(thread, address, bytes, site, kind);
    if (site->bytes && site->alignment > 1 && address % site->alignment)
        sim_fault(thread, "scratchpad: misaligned access of %llu bytes, offset %llu%s",
                  (unsigned long long)bytes, (unsigned long long)offset, site->where);
    return (uint32_t)offset;
}

void sim_scratchpad_access(sim_thread *thread, uint64_t address, uint64_t bytes, uint32_t site_number,
                           sim_access_kind kind)
{
    sim_worker *worker = thread->worker;
    const sim_site *site = &worker->module->sites[site_number];
    uint32_t offset = checked_offset(thread, address, bytes, site, kind);
    for (uint32_t b = offset; b < offset + bytes; ++b) {
        if (kind == SIM_LOAD)
            read_byte(thread, b, site);
        else if (kind == SIM_STORE)
            write_byte(thread, b, site, false);
        else if (kind == SIM_ATOMIC && worker->states[b] != SIM_BYTE_WRITTEN)
            fault_at(thread, b, "atomic update of bytes that nobody wrote", UINT32_MAX, site);
    }
}

void stencilsim_rt_scratchpad(sim_thread *thread, uint64_t address, uint32_t site_number)
{
    const sim_site *site = &thread->worker->module->sites[site_number];
    sim_scratchpad_access(thread, address, site->bytes, site_number, site->kind);
}

void stencilsim_rt_store_scratchpad(sim_thread *thread, uint64_t address, uint32_t site_number,
                                    uint64_t value)
{
    const sim_site *site = &thread->worker->module->sites[site_number];
    uint32_t offset = checked_offset(thread, address, site->bytes, site, SIM_STORE);
    const char *there = thread->worker->scratchpad + offset, *here = (const char *)&value;
    for (uint32_t b = 0; b < site->bytes; ++b)
        write_byte(thread, offset + b, site, there[b] == here[b]);
}

/* The destination counts as unwritten from now on: what reads it too early is found. */
void stencilsim_rt_copy(sim_thread *thread, uint64_t to, uint64_t from, uint32_t bytes,
                        uint32_t source_bytes, uint32_t site_number)
{
    sim_worker *worker = thread->worker;
    const sim_site *site = &worker->module->sites[site_number];
    /* From CUDA's assembly the address is a 32-bit one; the scratchpad lies below 4 GiB. */
    uint32_t offset = checked_offset(thread, to, bytes, site, SIM_COPY);
    if (to % bytes || from % bytes)
        sim_fault(thread, "asynchronous copy of %u bytes is misaligned%s", bytes, site->where);
    if (source_bytes > bytes)
        source_bytes = bytes;
    if (source_bytes)
        sim_check_global(thread, from, source_bytes, site_number, NULL);
    for (uint32_t b = offset; b < offset + bytes; ++b) {
        write_byte(thread, b, site, false);
        worker->states[b] = SIM_BYTE_COPYING;
    }
    if (thread->ncopies == thread->copies_room) {
        uint32_t room = thread->copies_room ? 2 * thread->copies_room : 16;
        sim_copy *copies = realloc(thread->copies, room * sizeof *copies);
        if (!copies)
            sim_fault(thread, "the simulator is out of memory");
        thread->copies = copies;
        thread->copies_room = room;
    }
    thread->copies[thread->ncopies++] = (sim_copy){to, from, bytes, source_bytes,
                                                   thread->copy_group, site_number};
}

void stencilsim_rt_copy_commit(sim_thread *thread) { ++thread->copy_group; }

static void land(sim_thread *thread, const sim_copy *copy)
{
    sim_worker *worker = thread->worker;
    const sim_site *site = &worker->module->sites[copy->site];
    uint32_t offset = (uint32_t)(copy->to - (uint64_t)(uintptr_t)worker->scratchpad);
    char *to = worker->scratchpad + offset;
    memcpy(to, (const void *)(uintptr_t)copy->from, copy->source_bytes);
    memset(to + copy->source_bytes, 0, copy->bytes - copy->source_bytes);
    for (uint32_t b = offset; b < offset + copy->bytes; ++b)
        write_byte(thread, b, site, false);
}

/* All but the last `groups` groups have landed; UINT32_MAX: also what is in no group yet. */
void stencilsim_rt_copy_wait(sim_thread *thread, uint32_t groups)
{
    uint32_t kept = 0;
    for (uint32_t c = 0; c < thread->ncopies; ++c) {
        const sim_copy *copy = &thread->copies[c];
        bool landed = groups == UINT32_MAX || (uint64_t)copy->group + groups < thread->copy_group;
        if (landed)
            land(thread, copy);
        else
            thread->copies[kept++] = *copy;
    }
    thread->ncopies = kept;
}

static void mark_gaps(sim_worker *worker)
{
    const stencilsim_module *module = worker->module;
    memset(worker->first_states, SIM_BYTE_GAP, module->scratchpad_static);
    memset(worker->first_states + module->scratchpad_static, SIM_BYTE_FREE, worker->dynamic_bytes);
    for (size_t a = 0; a < module->narrays; ++a)
        memset(worker->first_states + module->arrays[a].offset, SIM_BYTE_FREE,
               module->arrays[a].bytes);
}

bool sim_scratchpad_allocate(sim_worker *worker)
{
    worker->scratchpad_bytes = worker->module->scratchpad_static + worker->dynamic_bytes;
    size_t room = worker->scratchpad_bytes + 2u * MARGIN;
    if (room > worker->scratchpad_room) {
        sim_scratchpad_release(worker);
        /* Below 4 GiB: kernels keep scratchpad addresses in 32 bits. */
        void *map = mmap(NULL, room, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
        if (map == MAP_FAILED)
            return false;
        worker->scratchpad_map = map;
        worker->scratchpad = worker->scratchpad_map + MARGIN;
        worker->scratchpad_room = room;
        worker->states = malloc(room);
        worker->first_states = malloc(room);
        worker->shadow = calloc(room, sizeof *worker->shadow);
        worker->epoch = 0;
    }
    if (!worker->states || !worker->first_states || !worker->shadow)
        return false;
    mark_gaps(worker);
    return true;
}

void sim_scratchpad_release(sim_worker *worker)
{
    if (worker->scratchpad_map)
        munmap(worker->scratchpad_map, worker->scratchpad_room);
    free(worker->states);
    free(worker->first_states);
    free(worker->shadow);
    worker->scratchpad_map = worker->scratchpad = NULL;
    worker->states = worker->first_states = NULL;
    worker->shadow = NULL;
    worker->scratchpad_room = 0;
}

void sim_scratchpad_reset(sim_worker *worker)
{
    if (worker->module->narrays)
        memcpy(worker->states, worker->first_states, worker->scratchpad_bytes);
    if (++worker->epoch >= UINT32_MAX - 2 * SIM_MAX_THREADS) {
        memset(worker->shadow, 0, worker->scratchpad_room * sizeof *worker->shadow);
        worker->epoch = 1;
    }
}
