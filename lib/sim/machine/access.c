/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses of which only the run tells whether they go to the scratchpad or to an allocation.
 */
#include "sim/machine/loaded.h"

void stencilsim_rt_access(sim_thread *thread, uint64_t address, uint32_t site_number) {
    sim_worker *worker = thread->worker;
    const sim_site *site = &worker->module->sites[site_number];
    if (sim_in_scratchpad(worker, address))
        sim_scratchpad_access(thread, address, site->bytes, site_number, site->kind);
    else
        sim_check_global(thread, address, site->bytes, site_number, &worker->caches[site_number]);
}

void stencilsim_rt_range(sim_thread *thread, uint64_t address, uint64_t bytes, uint32_t site,
                         uint32_t is_store) {
    if (!bytes)
        return;
    if (sim_in_scratchpad(thread->worker, address))
        sim_scratchpad_access(thread, address, bytes, site, is_store ? SIM_STORE : SIM_LOAD);
    else
        sim_check_global(thread, address, bytes, site, NULL);
}

uint32_t stencilsim_rt_is_scratchpad(sim_thread *thread, uint64_t address) {
    return sim_in_scratchpad(thread->worker, address);
}
