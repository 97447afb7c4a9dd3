/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What happens when the kernel refuses the runtime's calls, because the program has installed a
 * system call filter for all threads. Then watch.c puts pages back by mremap. When all are back,
 * the descriptor is closed, and all threads that wait for pages continue.
 */
#include "runtime/watch/watch_kernel.h"
#include "runtime/watch/watch_state.h"
#include <errno.h>
#include <unistd.h>

_Atomic(const char *) rt_watch_missing;

void rt_watch_end_if_refused(void) {
    if (!rt_watch_refused || rt_claimed.count > 0 || rt_program.fd < 0)
        return;
    rt_watch_missing = "userfaultfd is not permitted any more";
    close(rt_program.fd);
    rt_program.fd = -1;
}

void rt_watch_check_refused(void) {
    int error = rt_uffd_protect(rt_program.fd, (uintptr_t)rt_canary, rt_page, false);
    if (error == 0 || error == EAGAIN || rt_program.fd < 0)
        return;
    rt_watch_refused = true;
    rt_watch_missing = "userfaultfd is not permitted any more";
    rt_watch_ring_all();
    rt_watch_end_if_refused();
}
