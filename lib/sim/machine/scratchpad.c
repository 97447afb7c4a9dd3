/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The scratchpad of a block. For each byte it is known whether the byte was written. Faults are:
 * reads of bytes that were not written, accesses outside and between arrays, and races between
 * waves (races.c). Atomics do not race with anything.
 */
#include "sim/machine/loaded.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MARGIN = 1 << 16 };

#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

bool sim_in_scratchpad(const sim_worker *worker, uint64_t address) {
    return address - (uint64_t)(uintptr_t)worker->scratchpad_map < worker->scratchpad_room;
}

/* May return false for long accesses of which all bytes are written. */
static bool all_written(const sim_worker *worker, uint32_t offset, uint32_t bytes) {
    static const uint8_t written[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    _Static_assert(SIM_BYTE_WRITTEN == 1, "the bytes above");
    return bytes <= sizeof written && memcmp(worker->states + offset, written, bytes) == 0;
}

static void read_states(sim_thread *thread, uint32_t offset, uint32_t bytes, const sim_site *site) {
    const sim_worker *worker = thread->worker;
    if (all_written(worker, offset, bytes))
        return;
    for (uint32_t b = offset; b < offset + bytes; ++b) {
        if (worker->states[b] == SIM_BYTE_WRITTEN)
            continue;
        if (worker->states[b] == SIM_BYTE_COPYING)
            sim_scratchpad_fault(thread, b,
                                 "read of bytes whose asynchronous copy was not waited for",
                                 UINT32_MAX, site);
        if (!worker->ignore_unwritten)
            sim_scratchpad_fault(thread, b, "read of bytes that nobody wrote", UINT32_MAX, site);
    }
}

static void write_bytes(sim_thread *thread, uint32_t offset, uint32_t bytes, const sim_site *site) {
    sim_races_write(thread, offset, bytes, site);
    memset(thread->worker->states + offset, SIM_BYTE_WRITTEN, bytes);
}

/* Checks the access. Returns the offset of its first byte in the scratchpad. */
static uint32_t checked_offset(sim_thread *thread, uint64_t address, uint64_t bytes,
                               const sim_site *site, sim_access_kind kind) {
    const sim_worker *worker = thread->worker;
    uint64_t offset = address - (uint64_t)(uintptr_t)worker->scratchpad;
    bool inside = offset < worker->scratchpad_bytes && bytes <= worker->scratchpad_bytes - offset;
    if (!inside || memchr(worker->states + offset, SIM_BYTE_GAP, bytes))
        sim_scratchpad_fault_outside(thread, address, bytes, site, kind);
    if (site->bytes && site->alignment > 1 && address % site->alignment)
        sim_fault(thread, "scratchpad: misaligned access of %llu bytes, offset %llu%s",
                  (unsigned long long)bytes, (unsigned long long)offset, site->where);
    return (uint32_t)offset;
}

void sim_scratchpad_access(sim_thread *thread, uint64_t address, uint64_t bytes,
                           uint32_t site_number, sim_access_kind kind) {
    sim_worker *worker = thread->worker;
    const sim_site *site = &worker->module->sites[site_number];
    uint32_t offset = checked_offset(thread, address, bytes, site, kind);
    if (kind == SIM_STORE) {
        write_bytes(thread, offset, (uint32_t)bytes, site);
        return;
    }
    read_states(thread, offset, (uint32_t)bytes, site);
    if (kind == SIM_LOAD)
        sim_races_read(thread, offset, (uint32_t)bytes, site);
}

void stencilsim_rt_scratchpad(sim_thread *thread, uint64_t address, uint32_t site_number) {
    const sim_site *site = &thread->worker->module->sites[site_number];
    sim_scratchpad_access(thread, address, site->bytes, site_number, site->kind);
}

void stencilsim_rt_store_scratchpad(sim_thread *thread, uint64_t address, uint32_t site_number,
                                    uint64_t value) {
    const sim_site *site = &thread->worker->module->sites[site_number];
    uint32_t offset = checked_offset(thread, address, site->bytes, site, SIM_STORE);
    sim_worker *worker = thread->worker;
    /* A store of the value that is there already is not a race: no reader can tell the difference.
     */
    if (memcmp(worker->scratchpad + offset, &value, site->bytes) != 0 ||
        !all_written(worker, offset, site->bytes))
        write_bytes(thread, offset, site->bytes, site);
}

/* Makes the destination count as unwritten until the copy has landed, so that early reads are
 * found. */
void stencilsim_rt_copy(sim_thread *thread, uint64_t to, uint64_t from, uint32_t bytes,
                        uint32_t source_bytes, uint32_t site_number) {
    sim_worker *worker = thread->worker;
    const sim_site *site = &worker->module->sites[site_number];
    /* CUDA's assembly passes an address of 32 bits. The scratchpad lies below 4 GiB. */
    uint32_t offset = checked_offset(thread, to, bytes, site, SIM_COPY);
    if (to % bytes || from % bytes)
        sim_fault(thread, "asynchronous copy of %u bytes is misaligned%s", bytes, site->where);
    if (source_bytes > bytes)
        source_bytes = bytes;
    if (source_bytes)
        sim_check_global(thread, from, source_bytes, site_number, NULL);
    write_bytes(thread, offset, bytes, site);
    memset(worker->states + offset, SIM_BYTE_COPYING, bytes);
    if (thread->ncopies == thread->copies_room) {
        uint32_t room = thread->copies_room ? 2 * thread->copies_room : 16;
        sim_copy *copies = realloc(thread->copies, room * sizeof *copies);
        if (!copies)
            sim_fault(thread, "the simulator is out of memory");
        thread->copies = copies;
        thread->copies_room = room;
    }
    thread->copies[thread->ncopies++] =
        (sim_copy){to, from, bytes, source_bytes, thread->copy_group, site_number};
}

void stencilsim_rt_copy_commit(sim_thread *thread) {
    ++thread->copy_group;
}

static void land(sim_thread *thread, const sim_copy *copy) {
    sim_worker *worker = thread->worker;
    const sim_site *site = &worker->module->sites[copy->site];
    uint32_t offset = (uint32_t)(copy->to - (uint64_t)(uintptr_t)worker->scratchpad);
    char *to = worker->scratchpad + offset;
    memcpy(to, (const void *)(uintptr_t)copy->from, copy->source_bytes);
    memset(to + copy->source_bytes, 0, copy->bytes - copy->source_bytes);
    write_bytes(thread, offset, copy->bytes, site);
}

/* Lands all groups but the last `groups`. UINT32_MAX: also the copies that are in no group yet. */
void stencilsim_rt_copy_wait(sim_thread *thread, uint32_t groups) {
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

static void mark_gaps(sim_worker *worker) {
    const stencilsim_module *module = worker->module;
    memset(worker->first_states, SIM_BYTE_GAP, module->scratchpad_static);
    memset(worker->first_states + module->scratchpad_static, SIM_BYTE_FREE, worker->dynamic_bytes);
    for (size_t a = 0; a < module->narrays; ++a)
        memset(worker->first_states + module->arrays[a].offset, SIM_BYTE_FREE,
               module->arrays[a].bytes);
}

bool sim_scratchpad_allocate(sim_worker *worker) {
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
        sim_races_allocate(worker);
    }
    if (!worker->states || !worker->first_states || !worker->words || !worker->reads)
        return false;
    mark_gaps(worker);
    return true;
}

void sim_scratchpad_release(sim_worker *worker) {
    if (worker->scratchpad_map)
        munmap(worker->scratchpad_map, worker->scratchpad_room);
    free(worker->states);
    free(worker->first_states);
    sim_races_release(worker);
    worker->scratchpad_map = worker->scratchpad = NULL;
    worker->states = worker->first_states = NULL;
    worker->scratchpad_room = 0;
}

void sim_scratchpad_reset(sim_worker *worker) {
    if (worker->module->narrays) {
        memcpy(worker->states, worker->first_states, worker->scratchpad_bytes);
        sim_races_reset(worker);
    }
    /* Reads of unwritten bytes then give the same value each time: a NaN as a double. */
    if (worker->ignore_unwritten)
        memset(worker->scratchpad, 0xff, worker->scratchpad_bytes);
}
