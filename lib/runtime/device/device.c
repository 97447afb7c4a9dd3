/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Devices are opened at first use and stay open. An exit handler frees their memory. It is
 * registered when the first device is open, so it runs before the drivers' own exit handlers.
 */
#include "runtime/device/device.h"
#include "runtime/device/numbers.h"
#include "runtime/device/waits.h"
#include "runtime/watch/guard.h"
#include "runtime/watch/watch.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The kernels of one region on one device, or why there are none. In two lists: from the region's
 * state word (next) and from its device (of_device). */
typedef struct rt_loaded {
    struct rt_loaded *next, *of_device;
    rt_device *device;
    void *module;
    rt_error why;
} rt_loaded;

static const rt_driver *const drivers[] = {&rt_driver_cuda, &rt_driver_hip, &rt_driver_sim};
enum { DRIVERS = sizeof drivers / sizeof *drivers, SLOTS = DRIVERS * RT_MOST_DEVICES };

/* The first device of each driver, then the second ones, and so on. */
static struct slot {
    _Atomic(rt_device *) device;
    bool tried;
    rt_error why;
} slots[SLOTS];

static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int owner; /* the process that opened, or tried to open, a device; 0: none yet */
static int loaded_by;    /* the process that loaded the runtime */
static atomic_bool exiting;
static atomic_bool unwanted; /* does the program end, while a thread opens a device beside it? */
static atomic_ulong opening; /* nanoseconds that opening devices took */
static _Thread_local bool opens_whole; /* this thread locks memory for transfers, too */
static _Thread_local bool is_opening; /* this thread is opening a device, and has the slots' lock */
static _Thread_local bool is_loading; /* this thread is loading kernels, and has `loading` */

/* A variable of glibc since 2.32: has the process always had only one thread? */
extern char __libc_single_threaded __attribute__((weak));

/* In a child of a process that had one thread, everything works as in a new process. */
static void note_child(void) {
    if (&__libc_single_threaded && __libc_single_threaded)
        loaded_by = (int)getpid();
    rt_numbers_forked();
}

__attribute__((constructor)) static void note_process(void) {
    loaded_by = (int)getpid();
    pthread_atfork(NULL, NULL, note_child);
}

/* Opening a device uses malloc and dlopen. In a child of a process with several threads, their
 * locks may be taken for good. */
static bool has_lost_threads(void) {
    return loaded_by != rt_environment_process() && &__libc_single_threaded &&
           !__libc_single_threaded;
}

bool rt_devices_usable(rt_error *why) {
    int pid = atomic_load(&owner);
    if (pid != 0 ? pid != rt_environment_process() : has_lost_threads())
        return rt_fail(why, RT_FORKED, "%s", "");
    if (atomic_load(&exiting))
        return rt_fail(why, RT_EXITING, "%s", "");
    return true;
}

static void send_home(rt_device *device) {
    if (device->held || device->gone)
        device->keeper->send_home(device);
}

static void close_device(rt_device *device) {
    rt_error ignored;
    if (device->driver->enter(device->handle, &ignored)) {
        send_home(device);
        rt_device_drop_memory(device);
        while (device->loaded) {
            rt_loaded *loaded = device->loaded;
            device->loaded = loaded->of_device;
            if (loaded->module)
                device->driver->unload(device->handle, loaded->module);
            free(loaded);
        }
        device->driver->leave(device->handle);
    }
    rt_device_drop_arena(device);
    device->driver->close(device->handle);
}

enum { PATIENCE_AT_EXIT = 60 /* seconds */ };

/* At exit: is the device's lock worth waiting for? Yes, if the device holds arrays, or brings some
 * back. Also if a thread is inside a library whose own exit handlers would take the library apart,
 * or compiles kernels that the program does not wait for.
 */
static bool is_worth_waiting(rt_device *device) {
    return device->driver->waits_at_exit || atomic_load(&device->arrays) > 0 ||
           atomic_load(&device->returns) || atomic_load(&device->beside);
}

static bool lock_at_exit(rt_device *device, pthread_mutex_t *lock) {
    double end = rt_seconds() + PATIENCE_AT_EXIT;
    if (rt_watch_is_worker())
        return false;
    while (pthread_mutex_trylock(lock) != 0) {
        if (rt_seconds() > end || !is_worth_waiting(device))
            return false;
        usleep(100);
    }
    return true;
}

/* False if another thread may be opening a device. */
static bool lock_slots_at_exit(void) {
    double end = rt_seconds() + PATIENCE_AT_EXIT;
    bool locked = pthread_mutex_trylock(&slots_lock) == 0;
    while (!locked && !is_opening && rt_seconds() < end) {
        usleep(100);
        locked = pthread_mutex_trylock(&slots_lock) == 0;
    }
    return locked;
}

/* Is a region's code neither loaded nor run on the device, and will none be? */
static bool is_free_at_exit(rt_device *device) {
    if (!lock_at_exit(device, &device->loading))
        return false;
    bool is_free = lock_at_exit(device, &device->lock);
    pthread_mutex_unlock(&device->loading);
    return is_free;
}

/* A thread may still be inside a region. Then its device is left to the system, and so are the
 * others of its driver, which may have parts of arrays that it brings back. The device's struct
 * stays, for threads that wait for its lock. */
static void close_devices(void) {
    const rt_keeper *keeper = NULL;
    bool left[DRIVERS] = {false};
    rt_error ignored;
    if (!rt_devices_usable(&ignored) || !lock_slots_at_exit())
        return;
    atomic_store(&exiting, true);
    for (int i = 0; i < SLOTS; i++) {
        rt_device *device = atomic_load(&slots[i].device);
        left[i % DRIVERS] = left[i % DRIVERS] || (device && !is_free_at_exit(device));
        if (!device || left[i % DRIVERS])
            continue;
        rt_device_begin_work(device);
        keeper = device->keeper ? device->keeper : keeper;
        if (!device->broken)
            close_device(device);
        rt_device_end_work(device);
    }
    pthread_mutex_unlock(&slots_lock);
    if (keeper && rt_config_get()->report && rt_config_get()->report < RT_REPORT_JSON)
        keeper->report();
}

static void close_all(void) {
    rt_environment_count(1);
    rt_guard_enter();
    close_devices();
    rt_guard_leave(NULL);
    rt_environment_count(-1);
}

static struct slot *find_slot(const rt_driver *driver, unsigned place) {
    unsigned i = 0;
    while (drivers[i] != driver)
        i++;
    return &slots[place * DRIVERS + i];
}

/* Locking 64 MB takes 30 ms. Nobody else has the device yet. */
static void lock_chunks(rt_device *device) {
    rt_error ignored;
    if (!device->driver->enter(device->handle, &ignored))
        return;
    rt_device_chunks(device, &ignored);
    device->driver->leave(device->handle);
}

/* Ranks that share a device share its memory. */
static void find_share(rt_device *device, const rt_config *config) {
    const rt_device_info *info = &device->info;
    unsigned sharers =
        config->rank.variable ? rt_rank_sharers(&config->rank, info->number, info->count) : 1;
    device->most = (size_t)config->memory;
    if (sharers > 1 && info->memory > 0 && info->memory / sharers < device->most)
        device->most = info->memory / sharers;
}

/* Which device a rank got, and with how many others. */
static void say_rank(const rt_device *device, const rt_config *config) {
    const rt_rank *rank = &config->rank;
    const rt_device_info *info = &device->info;
    unsigned sharers = rt_rank_sharers(rank, info->number, info->count);
    char others[64] = "";
    if (sharers > 1)
        snprintf(others, sizeof others, ", shared by %u ranks", sharers);
    if (rank->variable && config->report && config->report < RT_REPORT_JSON)
        rt_say("local rank %u (%s): %s device %u of %u%s", rank->number, rank->variable,
               device->driver->name, info->number, info->count, others);
}

static void open_slot(struct slot *slot, const rt_driver *driver, unsigned place) {
    static bool exit_registered;
    sigset_t signals;
    /* For an exit while the device is opened. It is registered once more below, because the
     * driver's library registers handlers of its own. */
    if (!exit_registered)
        atexit(close_all);
    rt_device *device = calloc(1, sizeof *device);
    slot->tried = true;
    if (!device) {
        rt_fail(&slot->why, RT_HOST_MEMORY, "%s", "");
        return;
    }
    rt_signals_block(&signals);
    device->driver = driver;
    device->number = (unsigned)(slot - slots);
    device->info.unwanted = opens_whole ? &unwanted : NULL; /* what a call opens is wanted */
    is_opening = true;
    const rt_config *config = rt_config_get();
    device->handle = driver->open(config, config->numbers[place], &device->info, &slot->why);
    if (device->handle && opens_whole && !atomic_load(&unwanted))
        lock_chunks(device);
    is_opening = false;
    rt_signals_restore(&signals);
    if (!device->handle) {
        slot->tried = !opens_whole || !atomic_load(&unwanted);
        free(device);
        return;
    }
    find_share(device, config);
    say_rank(device, config);
    pthread_mutex_init(&device->lock, NULL);
    pthread_mutex_init(&device->loading, NULL);
    if (!exit_registered)
        exit_registered = atexit(close_all) == 0;
    atomic_store(&slot->device, device);
}

static bool lock_slots(rt_error *why) {
    enum { PATIENCE = 100 }; /* milliseconds */
    double next = rt_seconds() + 1;
    while (!rt_lock_within(&slots_lock, PATIENCE))
        if (rt_may_wait_in_vain(&next, why))
            return false;
    return true;
}

rt_device *rt_device_open(const rt_driver *driver, rt_error *why) {
    return rt_device_open_other(driver, 0, why);
}

rt_device *rt_device_open_whole(const rt_driver *driver, rt_error *why) {
    opens_whole = true;
    rt_device *device = rt_device_open(driver, why);
    opens_whole = false;
    return device;
}

rt_device *rt_device_open_other(const rt_driver *driver, unsigned place, rt_error *why) {
    struct slot *slot = find_slot(driver, place);
    int nobody = 0;
    if (!rt_devices_usable(why))
        return NULL;
    atomic_compare_exchange_strong(&owner, &nobody, (int)getpid());
    if (!lock_slots(why))
        return NULL;
    double began = slot->tried ? 0 : rt_seconds();
    if (!slot->tried)
        open_slot(slot, driver, place);
    rt_device *device = atomic_load(&slot->device);
    if (device && began > 0)
        atomic_fetch_add(&opening, (unsigned long)(1e9 * (rt_seconds() - began)));
    if (!device)
        *why = slot->why;
    pthread_mutex_unlock(&slots_lock);
    return device;
}

bool rt_device_failed(const rt_driver *driver) {
    const struct slot *slot = find_slot(driver, 0);
    if (pthread_mutex_trylock(&slots_lock) != 0)
        return false; /* another thread may be opening it now */
    bool failed = slot->tried && !atomic_load(&slot->device);
    pthread_mutex_unlock(&slots_lock);
    return failed;
}

rt_device *rt_device_opened(const rt_driver *driver) {
    return atomic_load(&find_slot(driver, 0)->device);
}

void rt_devices_unwanted(bool are) {
    atomic_store(&unwanted, are);
}

double rt_devices_opening(void) {
    return 1e-9 * (double)atomic_load(&opening);
}

bool rt_device_take(rt_device *device, rt_error *why) {
    if (!rt_lock_for_call(&device->lock, why))
        return false;
    bool ok = rt_devices_usable(why);
    if (ok && device->broken) {
        *why = device->broken_why;
        ok = false;
    }
    ok = ok && device->driver->enter(device->handle, why);
    if (ok)
        rt_device_begin_work(device);
    else
        pthread_mutex_unlock(&device->lock);
    return ok;
}

/* Registers the exit handler again. A library that compiles registers exit handlers at its first
 * uses; they would run before ours. This uses malloc, so no lock is held here. */
static void register_again(void) {
    enum { TIMES = 64 };
    static atomic_int times;
    if (rt_environment_is_entered() && atomic_load(&times) < TIMES) {
        atomic_fetch_add(&times, 1);
        atexit(close_all);
    }
}

void rt_device_give(rt_device *device) {
    device->driver->leave(device->handle);
    atomic_store(&device->returns, false);
    rt_device_end_work(device);
    if (device->driver->waits_at_exit)
        register_again();
}

static void enter_for_arrays(rt_device *device) {
    rt_error why;
    if (!device->driver->enter(device->handle, &why))
        rt_die("%s failed while it held the only copy of an array (%s): its values are lost",
               device->driver->name, why.detail);
    atomic_store(&device->returns, true);
    rt_device_begin_work(device);
}

static bool keep_if_held(rt_device *device) {
    bool any = device->held != NULL;
    if (any)
        enter_for_arrays(device);
    else
        pthread_mutex_unlock(&device->lock);
    return any;
}

/* Takes the device because of the arrays that it holds. False if it holds none. */
static bool seize(rt_device *device) {
    pthread_mutex_lock(&device->lock);
    return keep_if_held(device);
}

bool rt_device_seize_soon(rt_device *device) {
    enum { PATIENCE = 5 }; /* milliseconds */
    if (pthread_mutex_trylock(&device->lock) != 0) {
        atomic_store(&device->asked, true);
        if (!rt_lock_within(&device->lock, PATIENCE))
            return false;
    }
    return keep_if_held(device);
}

void rt_devices_each(uintptr_t lo, uintptr_t hi, const rt_device *other,
                     void (*work)(rt_device *, uintptr_t, uintptr_t)) {
    rt_error ignored;
    for (int i = 0; i < SLOTS; i++) {
        rt_device *device = atomic_load(&slots[i].device);
        if (!device || device == other || !rt_devices_usable(&ignored) || !seize(device))
            continue;
        work(device, lo, hi);
        rt_device_trim(device);
        rt_device_give(device);
    }
}

/* A fork copies memory, but nothing on a device. So all arrays come back before a fork, and none is
 * left on a device until the fork is over. No lock is kept during the fork: the program's handlers
 * come next, and may wait for threads that wait for a device.
 *
 * If the kernel reports forks, this only saves copying. An array may still be on a device because
 * another thread's region takes long. Then the child gets it later (watch.c). */

static atomic_int forks;

bool rt_devices_fork(void) {
    return atomic_load(&forks) > 0;
}

/* Must the fork wait? For arrays that are not watched; and for all arrays, if the kernel does not
 * report forks. */
static bool lock_for_fork(rt_device *device) {
    struct timespec until;
    if (!rt_watch_sees_forks() || atomic_load(&device->unwatched) > 0)
        return pthread_mutex_lock(&device->lock) == 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    return pthread_mutex_timedlock(&device->lock, &until) == 0;
}

enum { PATIENCE_AT_FORK = 1000 }; /* milliseconds */

/* A driver that is being opened by another thread has the loader's lock, and is half set up. */
static void wait_for_opening(void) {
    if (!is_opening && rt_lock_within(&slots_lock, PATIENCE_AT_FORK))
        pthread_mutex_unlock(&slots_lock);
}

/* So may be a driver that compiles. */
static void wait_for_loading(rt_device *device) {
    if (!is_loading && atomic_load(&device->beside) &&
        rt_lock_within(&device->loading, PATIENCE_AT_FORK))
        pthread_mutex_unlock(&device->loading);
}

static void before_fork(void) {
    rt_error ignored;
    rt_environment_count(1);
    rt_guard_enter();
    atomic_fetch_add(&forks, 1);
    wait_for_opening();
    for (int i = 0; i < SLOTS && !rt_watch_is_worker(); i++) {
        rt_device *device = atomic_load(&slots[i].device);
        if (!device || !rt_devices_usable(&ignored))
            continue;
        wait_for_loading(device);
        if (!lock_for_fork(device))
            continue;
        if (device->held) {
            enter_for_arrays(device);
            send_home(device);
            rt_device_trim(device);
            rt_device_give(device);
        } else {
            pthread_mutex_unlock(&device->lock);
        }
    }
    rt_guard_leave(NULL);
    rt_environment_count(-1);
}

static void after_fork(void) {
    atomic_fetch_sub(&forks, 1);
}

static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

static void guard_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork);
}

void rt_devices_guard_forks(void) {
    pthread_once(&fork_once, guard_forks);
}

static rt_loaded *first_loaded(const stencilrt_region *region) {
    return __atomic_load_n((rt_loaded **)region->state, __ATOMIC_ACQUIRE);
}

bool rt_region_is_loaded(const stencilrt_region *region) {
    return first_loaded(region) != NULL;
}

static void publish(const stencilrt_region *region, rt_loaded *loaded) {
    loaded->next = first_loaded(region);
    while (!__atomic_compare_exchange_n((rt_loaded **)region->state, &loaded->next, loaded, false,
                                        __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
        ;
}

static rt_loaded *find_loaded(const rt_device *device, const stencilrt_region *region) {
    rt_loaded *loaded = first_loaded(region);
    while (loaded && loaded->device != device)
        loaded = loaded->next;
    return loaded;
}

/* Loads the kernels. The time is noted for the choice of a device (choose/cost.h). */
static void *load(rt_device *device, const stencilrt_region *region, rt_error *why) {
    double start = rt_seconds();
    void *module = device->driver->load(device->handle, region, why);
    uint64_t took = 1 + (uint64_t)(1e9 * (rt_seconds() - start)),
             least = atomic_load(&device->load);
    if (module && (least == 0 || took < least))
        atomic_store(&device->load, took);
    return module;
}

/* Failures are kept too, because a failed compilation takes long. A lack of memory is not kept. The
 * device must be entered, and `loading` be locked. */
static bool load_and_keep(rt_device *device, const stencilrt_region *region, rt_error *why) {
    sigset_t signals;
    rt_loaded *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    loaded->device = device;
    rt_signals_block(&signals);
    is_loading = true;
    loaded->module = load(device, region, &loaded->why);
    is_loading = false;
    rt_signals_restore(&signals);
    if (!loaded->module && loaded->why.reason != RT_LOAD && loaded->why.reason != RT_NO_IMAGE) {
        *why = loaded->why;
        free(loaded);
        return false;
    }
    loaded->of_device = device->loaded;
    device->loaded = loaded;
    publish(region, loaded);
    return true;
}

/* The thread has `loading`. */
static bool load_locked(rt_device *device, const stencilrt_region *region, rt_error *why) {
    bool ok = rt_devices_usable(why);
    if (!ok || find_loaded(device, region))
        return ok;
    ok = device->driver->enter(device->handle, why);
    if (ok) {
        ok = load_and_keep(device, region, why);
        device->driver->leave(device->handle);
    }
    return ok;
}

/* The device is not taken meanwhile. A compiler or a driver uses the program's allocator, whose
 * lock a thread may have that waits for an array. To bring the array back takes the device. */
bool rt_device_load(rt_device *device, const stencilrt_region *region, rt_error *why) {
    if (find_loaded(device, region))
        return true;
    if (!rt_lock_for_call(&device->loading, why))
        return false;
    bool ok = load_locked(device, region, why);
    pthread_mutex_unlock(&device->loading);
    return ok;
}

/* A fork says that it has begun, and waits for `loading` (before_fork). */
static void lock_between_forks(rt_device *device) {
    pthread_mutex_lock(&device->loading);
    while (rt_devices_fork()) {
        pthread_mutex_unlock(&device->loading);
        usleep(1000);
        pthread_mutex_lock(&device->loading);
    }
}

void rt_device_load_beside(rt_device *device, const stencilrt_region *region) {
    rt_error ignored;
    atomic_store(&device->beside, true);
    lock_between_forks(device);
    load_locked(device, region, &ignored);
    atomic_store(&device->beside, false);
    pthread_mutex_unlock(&device->loading);
}

void *rt_device_module(const rt_device *device, const stencilrt_region *region, rt_error *why) {
    rt_loaded *loaded = find_loaded(device, region);
    if (!loaded->module)
        *why = loaded->why;
    return loaded->module;
}

void rt_device_settle(rt_device *device) {
    if (!device->driver->sync(device->handle, &device->broken_why))
        device->broken = true;
}
