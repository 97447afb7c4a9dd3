/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The message of a fault in the scratchpad: the array, the element of it, and the threads of a
 * race.
 */
#include "sim/machine/loaded.h"

static int64_t distance(int64_t offset, const sim_array *array, uint32_t bytes) {
    int64_t low = array->offset, high = low + bytes;
    return offset < low ? low - offset : offset >= high ? offset - high : 0;
}

void sim_scratchpad_fault_outside(sim_thread *thread, uint64_t address, uint64_t bytes,
                                  const sim_site *site, sim_access_kind kind) {
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
    sim_fault(thread, "scratchpad array '%s': %s of %llu bytes at index %lld (%s), %lld %ss long%s",
              nearest->name, verbs[kind], (unsigned long long)bytes,
              (long long)(relative / element), element == 1 ? "byte" : "element",
              (long long)(nearest_bytes / element), element == 1 ? "byte" : "element", site->where);
}

void sim_scratchpad_fault(sim_thread *thread, uint32_t offset, const char *what, uint32_t other,
                          const sim_site *site) {
    const sim_worker *worker = thread->worker;
    const stencilsim_module *module = worker->module;
    const char *name = "?";
    uint32_t start = 0;
    for (size_t a = 0; a < module->narrays; ++a)
        if (module->arrays[a].offset <= offset && module->arrays[a].offset >= start)
            name = module->arrays[a].name, start = module->arrays[a].offset;
    unsigned index = (offset - start) / site->element_bytes;
    const char *unit = site->element_bytes == 1 ? "byte" : "element";
    if (other == UINT32_MAX)
        sim_fault(thread, "scratchpad array '%s': %s at index %u (%s)%s", name, what, index, unit,
                  site->where);
    const uint32_t *n = worker->ntid;
    sim_fault(thread,
              "scratchpad array '%s': data race at index %u (%s): %s thread (%u,%u,%u) of "
              "another warp, with no barrier between%s",
              name, index, unit, what, other % n[0], other / n[0] % n[1], other / n[0] / n[1],
              site->where);
}
