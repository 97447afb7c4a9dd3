/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What depends on messages of the kernel that are unread. Runs in the server, with the lock.
 */
#include "runtime/watch/watch_kernel.h"
#include "runtime/watch/watch_state.h"
#include <errno.h>

bool rt_space_is_changing(void) {
    return rt_uffd_protect(rt_program.fd, (uintptr_t)rt_canary, rt_page, false) == EAGAIN;
}

/* Where no change is on its way, no message will tell where the ousted went. */
bool rt_space_resolve(void) {
    rt_ranges *set = &rt_program.segments;
    if (!rt_program.doubts && rt_program.ousted.count == 0)
        return true;
    if (rt_space_is_changing())
        return false;
    for (size_t i = 0; i < set->count;) {
        const rt_range s = set->at[i];
        int error = s.doubted ? rt_uffd_protect(rt_program.fd, s.lo, s.hi - s.lo, false) : 0;
        if (error == EAGAIN)
            return false;
        set->at[i].doubted = false;
        if (s.doubted && !error)
            rt_space_enrolled(s.lo, s.hi);
        if (error == ENOENT)
            rt_ranges_remove(set, i, 1);
        else
            i++;
    }
    rt_program.doubts = false;
    rt_program.ousted.count = 0;
    return true;
}
