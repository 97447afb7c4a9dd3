/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Handles what a program says of its arrays through stencilopt.h: keep them on the device, fetch
 * them, they changed, release them.
 */
#include "runtime/resident/held.h"
#include "runtime/resident/promise.h"
#include "runtime/watch/watch.h"
#include "stencilopt/region.h"

/* Waits for no device if there is no promise. */
void rt_promises_settle(void) {
    rt_error ignored;
    if (rt_devices_usable(&ignored) && rt_promises_any())
        rt_devices_each(0, UINTPTR_MAX, NULL, rt_held_settle);
}

static void tell_rows(stencilrt_rows *rows, void (*work)(rt_device *, uintptr_t, uintptr_t)) {
    rows->done = 1;
    if (rows->count > 0 && rows->bytes > 0)
        rt_devices_each((uintptr_t)rows, (uintptr_t)(rows + 1), NULL, work);
}

/* A promise ends before its arrays come home, so that none is held by it again. */
static int notify(int what, uintptr_t lo, uintptr_t hi) {
    rt_error ignored;
    const char *why;
    int answer = 1;
    if (what == STENCILRT_CAN_WATCH)
        return rt_devices_usable(&ignored) && rt_watch_possible(&why);
    if (what == STENCILRT_LOOPS)
        rt_promises_settle();
    if (hi <= lo || !rt_devices_usable(&ignored))
        return 0;
    switch (what) {
    case STENCILRT_KEEP:
        if (rt_config_get()->resident)
            rt_promise(lo, hi);
        break;
    case STENCILRT_FETCH:
        rt_devices_each(lo, hi, NULL, rt_held_fetch);
        break;
    case STENCILRT_CHANGED:
        rt_devices_each(lo, hi, NULL, rt_held_changed);
        break;
    case STENCILRT_RELEASE:
        rt_promise_end(lo, hi);
        rt_devices_each(lo, hi, NULL, rt_held_release);
        break;
    case STENCILRT_LOCATE:
        rt_devices_each(lo, hi, NULL, rt_held_locate);
        break;
    case STENCILRT_FETCH_ROWS:
        tell_rows((stencilrt_rows *)lo, rt_held_fetch_rows);
        break;
    case STENCILRT_CHANGED_ROWS:
        tell_rows((stencilrt_rows *)lo, rt_held_changed_rows);
        break;
    case STENCILRT_CHANGED_THERE:
        rt_devices_each(lo, hi, NULL, rt_held_changed_there);
        break;
    default:
        answer = 0;
    }
    return answer;
}

__attribute__((visibility("default"))) int stencilrt_notify(int what, const void *memory,
                                                            uint64_t bytes) {
    rt_environment saved;
    if (!rt_environment_enter(&saved))
        return 0;
    int answer = notify(what, (uintptr_t)memory, (uintptr_t)memory + bytes);
    rt_environment_leave(&saved);
    return answer;
}
