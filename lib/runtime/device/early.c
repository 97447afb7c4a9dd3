/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The thread has no signals. It holds the lock of rt_device_open while it opens a device, and
 * `loading` while it loads kernels. So a call that wants either at once waits for the thread, and
 * so do a fork and the exit of the program (device.c). The thread ends when nothing is left to do.
 *
 * A driver's compiler is a library that registers exit handlers when it is used first. They would
 * run before those of the runtime, while the thread compiles. But destructors of thread-local
 * variables run before all exit handlers, in the thread that calls exit. So each thread that asks
 * for something gets a destructor, which waits.
 */
#include "runtime/device/early.h"

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 64 }; /* regions that wait to be loaded */

typedef struct job {
    rt_device *device;
    const stencilrt_region *region;
} job;

static struct {
    pthread_mutex_t lock;
    const rt_driver *drivers[RT_EARLY_DRIVERS];
    int count; /* of drivers that are still to be opened */
    int wait;  /* milliseconds before */
    atomic_bool opens, ends;
    job jobs[MOST]; /* in their order; the first one is being done */
    int waiting;
    bool works; /* a thread is at it */
} early = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void open_wanted(void) {
    rt_device *device = NULL;
    rt_error ignored;
    for (int i = 0; i < early.wait && !atomic_load(&early.ends); i++)
        usleep(1000);
    for (int i = 0; i < early.count && !device && !atomic_load(&early.ends); i++)
        device = rt_device_open_whole(early.drivers[i], &ignored);
    early.count = 0;
    atomic_store(&early.opens, false);
}

/* Removes the job that is done. Returns whether there is another one. */
static bool next(bool done, job *first) {
    pthread_mutex_lock(&early.lock);
    early.waiting -= done;
    for (int i = 0; done && i < early.waiting; i++)
        early.jobs[i] = early.jobs[i + 1];
    *first = early.jobs[0];
    bool more = early.works = early.waiting > 0;
    pthread_mutex_unlock(&early.lock);
    return more;
}

static void *work(void *unused) {
    job first;
    open_wanted();
    for (bool done = false; next(done, &first); done = true)
        if (!atomic_load(&early.ends))
            rt_device_load_beside(first.device, first.region);
    return unused;
}

/* Of the C library; 0: done. */
extern int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *library)
    __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

/* The jobs that wait are dropped, and the one that is being done ends. If the program seems to end,
 * opening a device ends as soon as it can. A forked child has no such thread. */
static void wait_for_end(void *unused) {
    rt_error ignored;
    bool works = rt_devices_usable(&ignored);
    bool last = (int)syscall(SYS_gettid) == (int)getpid();
    (void)unused;
    atomic_store(&early.ends, true);
    if (last)
        rt_devices_unwanted(true);
    while (works) {
        pthread_mutex_lock(&early.lock);
        works = early.works;
        pthread_mutex_unlock(&early.lock);
        if (works)
            usleep(200);
    }
    atomic_store(&early.ends, false);
    if (last)
        rt_devices_unwanted(false);
}

static bool will_wait(void) {
    static _Thread_local bool asked RT_THREAD_LOCAL_AT_START;
    if (!asked)
        asked = &__cxa_thread_atexit_impl &&
                __cxa_thread_atexit_impl(wait_for_end, NULL, &__dso_handle) == 0;
    return asked;
}

/* The caller has the lock. */
static void start(void) {
    sigset_t signals;
    pthread_t thread;
    if (early.works)
        return;
    rt_devices_guard_forks();
    rt_signals_block(&signals);
    early.works = pthread_create(&thread, NULL, work, NULL) == 0;
    if (early.works)
        pthread_detach(thread);
    rt_signals_restore(&signals);
}

bool rt_early_seems_gpu(void) {
    static const char *const nodes[] = {"/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/kfd"};
    const rt_config *config = rt_config_get();
    bool any = config->libcuda || config->libhip;
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes && !any; i++)
        any = access(nodes[i], F_OK) == 0;
    return any;
}

bool rt_early_open(const rt_driver *const *drivers, int count, int wait) {
    static atomic_bool called;
    if (rt_processors() < 2 || !will_wait() || atomic_exchange(&called, true))
        return false;
    pthread_mutex_lock(&early.lock);
    for (int i = 0; i < count; i++)
        early.drivers[i] = drivers[i];
    early.count = count;
    early.wait = wait;
    atomic_store(&early.opens, true);
    start();
    bool begins = early.works;
    if (!begins)
        atomic_store(&early.opens, false);
    pthread_mutex_unlock(&early.lock);
    return begins;
}

bool rt_early_opens(void) {
    return atomic_load(&early.opens);
}

/* Does the program's own file have the address? It is never unloaded. The kernel tells where the
 * file's headers are. A program that the loader's own file was asked to start is not recognised. */
static bool is_programs(const void *address) {
    const ElfW(Phdr) *headers = (const void *)(uintptr_t)getauxval(AT_PHDR);
    size_t count = headers ? getauxval(AT_PHNUM) : 0;
    uintptr_t base = 0, at = (uintptr_t)address;
    bool found = false;
    for (size_t i = 0; i < count; i++)
        if (headers[i].p_type == PT_PHDR)
            base = (uintptr_t)headers - headers[i].p_vaddr;
    for (size_t i = 0; i < count; i++)
        found = found || (headers[i].p_type == PT_LOAD && at >= base + headers[i].p_vaddr &&
                          at < base + headers[i].p_vaddr + headers[i].p_memsz);
    return found;
}

static bool is_waiting(const stencilrt_region *region) {
    bool is = false;
    for (int i = 0; i < early.waiting; i++)
        is = is || early.jobs[i].region == region;
    return is;
}

bool rt_early_load(rt_device *device, const stencilrt_region *region) {
    if (rt_processors() < 2 || !is_programs(region) || !will_wait())
        return false;
    pthread_mutex_lock(&early.lock);
    bool waits = is_waiting(region);
    if (!waits && early.waiting < MOST) {
        early.jobs[early.waiting++] = (job){device, region};
        start();
        waits = early.works;
        early.waiting -= !waits;
    }
    pthread_mutex_unlock(&early.lock);
    return waits;
}
