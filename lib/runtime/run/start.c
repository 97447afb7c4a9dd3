/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencilrt_start, and when a note is written and withdrawn. It is written by the thread that has a
 * descriptor table of its own (watch/service.h): another thread of the program may close the
 * number, and open a file there.
 */
#include "runtime/run/start.h"

#include "runtime/choose/learn.h"
#include "runtime/device/early.h"
#include "runtime/run/note.h"
#include "runtime/variables.h"
#include "runtime/watch/service.h"
#include "runtime/watch/watch.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Seconds that repay opening a GPU. */
static const double enough = 0.3;

static const rt_driver *const gpus[RT_EARLY_DRIVERS] = {&rt_driver_cuda, &rt_driver_hip};

static atomic_bool known, entered, noted;
static int process; /* that was started */

bool rt_start_knows(void) {
    return atomic_load_explicit(&known, memory_order_relaxed);
}

void rt_start_entered(void) {
    if (rt_start_knows())
        atomic_store_explicit(&entered, true, memory_order_relaxed);
}

static bool may_note(void) {
    const char *text = rt_variable(RT_VAR_START);
    return text && strcmp(text, "auto") == 0;
}

static void write_note(void *unused) {
    (void)unused;
    rt_note_write();
}

void rt_start_gained(double seconds) {
    const char *ignored;
    if (seconds < enough || atomic_exchange(&noted, true) || rt_start_knows() || !may_note())
        return;
    if (rt_watch_possible(&ignored))
        rt_service_call(write_note, NULL);
}

static void before_fork(void) {
    if (getpid() == process && !atomic_load(&entered))
        rt_note_withdraw();
}

/* Was a device opened, or tried in vain? Not in a program that ends at once. */
static bool was_tried(void) {
    bool was = false;
    for (int i = 0; i < RT_EARLY_DRIVERS && !was; i++)
        was = rt_device_opened(gpus[i]) || rt_device_failed(gpus[i]);
    return was;
}

static void at_exit(void) {
    if (getpid() == process && !atomic_load(&noted) && was_tried())
        rt_note_withdraw();
}

extern EXPORT void stencilrt_start(void);

EXPORT void stencilrt_start(void) {
    enum { GRACE = 20 }; /* milliseconds: a program that ends at once opens nothing */
    if (!may_note() || rt_config_get()->device != RT_CHOICE_AUTO || !rt_note_is_there())
        return;
    process = (int)getpid();
    if (!rt_early_seems_gpu() || !rt_early_open(gpus, RT_EARLY_DRIVERS, GRACE) ||
        pthread_atfork(before_fork, NULL, NULL) != 0)
        return;
    atexit(at_exit);
    rt_learn_expect();
    atomic_store(&known, true);
}
