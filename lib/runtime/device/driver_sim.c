/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The simulator as a device: libstencilsim.so, which is a library of its own because it contains
 * LLVM. It runs a launch at once, in the calling thread. So marks are only times.
 */
#include "runtime/device/driver.h"
#include "runtime/device/loader.h"
#include "runtime/device/unpack.h"
#include "stencilopt/sim.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    /* Blocks that run at a time, for the schedule: enough for a few chunks, so that tests see chunk
     * borders. */
    RESIDENT = 4,
    /* The same for a resident kernel: enough for blocks with neighbours on all sides. */
    TOGETHER = 20
};

/* The limits of GPUs, so that a launch that is divided there is divided here. */
static const rt_limits limits = {.blocks = {INT32_MAX, 65535, 65535},
                                 .threads = INT64_MAX,
                                 .block = {1024, 1024, 1024},
                                 .block_threads = 1024};

typedef struct sim_device {
    void *(*alloc)(size_t, const char *);
    void (*release)(void *);
    stencilsim_module *(*load)(const void *, size_t, char *, size_t);
    void (*unload)(stencilsim_module *);
    int (*run)(stencilsim_module *, const stencilsim_launch *, char *, size_t);
    double marks[RT_MARKS];
} sim_device;

typedef struct sim_module {
    stencilsim_module *module;
    const stencilrt_kernel *kernels;
    uint32_t wave; /* lanes of a wave */
} sim_module;

/* Finds the simulator in an installed tree. There is one for each LLVM. The newest can read what
 * all of them compiled. True if there is one; its path is written to `path`. */
static bool find_installed(const char *folder, const char *name, char *path, size_t size) {
    enum { OLDEST = 21, NEWEST = 99 };
    for (int llvm = NEWEST; llvm >= OLDEST; llvm--) {
        snprintf(path, size, "%s/stencilopt/llvm-%d/%s", folder, llvm, name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* Opens the library that the user named. Otherwise the one beside this library, or in a folder
 * below. If the loader found this library relative to the working directory: the one on the
 * loader's path. */
static void *open_library(const rt_config *config, rt_error *why) {
    static const char name[] = "libstencilsim.so";
    static char path[4096], folder[2048]; /* used once, with a lock held */
    Dl_info self;
    if (config->libsim)
        return rt_library_open(config->libsim, 0, why);
    if (!dladdr((void *)&rt_driver_sim, &self) || !self.dli_fname || *self.dli_fname != '/')
        return rt_library_open(name, 0, why);
    int length = (int)(strrchr(self.dli_fname, '/') - self.dli_fname);
    snprintf(folder, sizeof folder, "%.*s", length, self.dli_fname);
    if (!find_installed(folder, name, path, sizeof path))
        snprintf(path, sizeof path, "%s/%s", folder, name);
    return rt_library_open(path, 0, why);
}

typedef struct loading {
    const rt_config *config;
    rt_error *why;
    void *library;
} loading;

static void open_with_llvm(void *context) {
    loading *l = context;
    l->library = open_library(l->config, l->why);
}

static bool find(void *library, void *function, const char *name, rt_error *why) {
    *(void **)function = dlsym(library, name);
    return *(void **)function || rt_fail(why, RT_NO_DRIVER, "libstencilsim.so lacks %s", name);
}

/* Parts of LLVM register exit handlers when they are first used. Handlers run in the reverse order
 * of their registration. So these parts are used before the device is open. Its own handler
 * (device.c) then runs first, and waits for threads that compile. */
static void use_once(const sim_device *d) {
    static const char ir[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
                             "define ptx_kernel void @k() { ret void }\n";
    const stencilsim_launch launch = {
        .kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .wave = 32};
    char error[80];
    stencilsim_module *module = d->load(ir, sizeof ir - 1, error, sizeof error);
    if (!module)
        return;
    d->run(module, &launch, error, sizeof error);
    d->unload(module);
}

static void *sim_open(const rt_config *config, unsigned number, rt_device_info *info,
                      rt_error *why) {
    loading l = {.config = config, .why = why};
    enum { MOST = 1024 };
    int64_t count = config->sim_devices < MOST ? config->sim_devices : MOST;
    if (!rt_driver_find(config, number, (unsigned)count, info)) {
        rt_fail(why, RT_NO_DEVICE, "%s", "");
        return NULL;
    }
    rt_loader_run(open_with_llvm, &l);
    if (!l.library)
        return NULL;
    sim_device *d = calloc(1, sizeof *d);
    if (!d) {
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
        return NULL;
    }
    if (!find(l.library, &d->alloc, "stencilsim_alloc", why) ||
        !find(l.library, &d->release, "stencilsim_free", why) ||
        !find(l.library, &d->load, "stencilsim_load", why) ||
        !find(l.library, &d->unload, "stencilsim_unload", why) ||
        !find(l.library, &d->run, "stencilsim_run", why)) {
        free(d);
        return NULL;
    }
    use_once(d);
    snprintf(info->name, sizeof info->name, "simulator");
    info->limits = limits;
    return d;
}

static void sim_close(void *device) {
    free(device);
}

static bool sim_enter(void *device, rt_error *why) {
    (void)device, (void)why;
    return true;
}

static void sim_leave(void *device) {
    (void)device;
}

static bool sim_alloc(void *device, size_t bytes, uint64_t *address, rt_error *why) {
    sim_device *d = device;
    void *memory = d->alloc(bytes, "grid buffer");
    *address = (uint64_t)(uintptr_t)memory;
    return memory || rt_fail(why, RT_DEVICE_MEMORY, "%s", "");
}

static void sim_release(void *device, uint64_t address) {
    sim_device *d = device;
    d->release((void *)(uintptr_t)address);
}

static size_t sim_room(void *device) {
    (void)device;
    return SIZE_MAX;
}

static void *sim_host_alloc(void *device, size_t bytes) {
    (void)device;
    return malloc(bytes);
}

static void sim_host_release(void *device, void *memory) {
    (void)device;
    free(memory);
}

static bool sim_lock(void *device, void *memory, size_t bytes) {
    (void)device, (void)memory, (void)bytes;
    return true;
}

static void sim_unlock(void *device, void *memory) {
    (void)device, (void)memory;
}

/* Fills memory with -1, which is a NaN. A result that depends on it is noticed. */
static bool sim_blank(void *device, uint64_t address, size_t bytes, rt_error *why) {
    (void)device, (void)why;
    memset((void *)(uintptr_t)address, 0xFF, bytes);
    return true;
}

static bool sim_zero(void *device, uint64_t address, size_t bytes, rt_error *why) {
    (void)device, (void)why;
    memset((void *)(uintptr_t)address, 0, bytes);
    return true;
}

static bool sim_upload(void *device, const rt_copy *c, rt_error *why) {
    (void)device, (void)why;
    for (size_t i = 0; i < c->rows; i++)
        memcpy((char *)(uintptr_t)c->device + i * c->device_pitch,
               (const char *)c->host + i * c->host_pitch, c->width);
    return true;
}

static bool sim_download(void *device, const rt_copy *c, rt_error *why) {
    (void)device, (void)why;
    for (size_t i = 0; i < c->rows; i++)
        memcpy((char *)c->host + i * c->host_pitch,
               (const char *)(uintptr_t)c->device + i * c->device_pitch, c->width);
    return true;
}

static bool sim_copy(void *device, uint64_t to, uint64_t from, size_t bytes, rt_error *why) {
    (void)device, (void)why;
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return true;
}

static bool sim_move(void *device, const rt_move *m, rt_error *why) {
    (void)device, (void)why;
    for (size_t i = 0; i < m->rows; i++)
        memcpy((char *)(uintptr_t)m->to + i * m->to_pitch,
               (const char *)(uintptr_t)m->from + i * m->from_pitch, m->width);
    return true;
}

static void sim_meet(void *device, void *other) {
    (void)device, (void)other;
}

static bool sim_send(void *device, uint64_t from, void *other, uint64_t to, size_t bytes,
                     rt_error *why) {
    (void)other;
    return sim_copy(device, to, from, bytes, why);
}

static void *sim_load(void *device, const stencilrt_region *region, rt_error *why) {
    sim_device *d = device;
    const stencilrt_image *image = NULL;
    char message[300] = "";
    for (uint32_t i = 0; i < region->nimages; i++)
        if (region->images[i].kind == STENCILRT_BITCODE)
            image = &region->images[i];
    if (!image) {
        rt_fail(why, RT_NO_IMAGE, "no bitcode");
        return NULL;
    }
    sim_module *m = calloc(1, sizeof *m);
    if (!m) {
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
        return NULL;
    }
    m->kernels = region->kernels;
    m->wave = strncmp(image->arch, "gfx9", 4) ? 32 : 64;
    rt_code code;
    bool unpacked = rt_unpack(image, &code, why);
    if (unpacked) {
        m->module = d->load(code.bytes, code.size, message, sizeof message);
        free(code.copy);
    }
    if (m->module)
        return m;
    free(m);
    if (unpacked)
        rt_fail(why, RT_LOAD, "%s", message);
    return NULL;
}

static void sim_unload(void *device, void *module) {
    sim_device *d = device;
    sim_module *m = module;
    d->unload(m->module);
    free(m);
}

static uint32_t sim_resident(void *device, void *module, uint32_t kernel) {
    const sim_module *m = module;
    (void)device;
    return m->kernels[kernel].kind == STENCILRT_RESIDENT ? TOGETHER : RESIDENT;
}

static bool sim_launch(void *device, void *module, const rt_launch *l, rt_error *why) {
    sim_device *d = device;
    const sim_module *m = module;
    char message[300] = "";
    stencilsim_launch launch = {.kernel = m->kernels[l->kernel].name,
                                .dynamic_scratchpad = l->scratchpad,
                                .wave = m->wave,
                                .args = (const void *const *)l->args,
                                .arg_sizes = l->arg_sizes,
                                .nargs = l->nargs,
                                .together = l->together};
    memcpy(launch.grid, l->grid, sizeof launch.grid);
    memcpy(launch.block, l->block, sizeof launch.block);
    int code = d->run(m->module, &launch, message, sizeof message);
    return code == 0 || rt_fail(why, code == STENCILSIM_FAULT ? RT_FAULT : RT_LOAD, "%s", message);
}

static bool sim_turn(void *device, unsigned queue, rt_error *why) {
    (void)device, (void)queue, (void)why;
    return true;
}

static bool sim_mark(void *device, unsigned mark, rt_error *why) {
    sim_device *d = device;
    (void)why;
    d->marks[mark] = rt_seconds();
    return true;
}

static bool sim_wait(void *device, unsigned mark, rt_error *why) {
    (void)device, (void)mark, (void)why;
    return true;
}

static bool sim_follow(void *device, void *other, unsigned mark, rt_error *why) {
    (void)device, (void)other, (void)mark, (void)why;
    return true;
}

static double sim_seconds(void *device, unsigned from, unsigned to) {
    sim_device *d = device;
    return d->marks[to] - d->marks[from];
}

static bool sim_sync(void *device, rt_error *why) {
    (void)device, (void)why;
    return true;
}

const rt_driver rt_driver_sim = {.name = "sim",
                                 .images = 1u << STENCILRT_BITCODE,
                                 /* Fresh memory of the exact size, so that faults are noticed. */
                                 .keeps_memory = false,
                                 .patience = 1 << 12,
                                 /* LLVM's exit handlers destroy its options. */
                                 .waits_at_exit = true,
                                 .open = sim_open,
                                 .close = sim_close,
                                 .enter = sim_enter,
                                 .leave = sim_leave,
                                 .alloc = sim_alloc,
                                 .release = sim_release,
                                 .room = sim_room,
                                 .host_alloc = sim_host_alloc,
                                 .host_release = sim_host_release,
                                 .lock = sim_lock,
                                 .unlock = sim_unlock,
                                 .blank = sim_blank,
                                 .zero = sim_zero,
                                 .upload = sim_upload,
                                 .download = sim_download,
                                 .copy = sim_copy,
                                 .move = sim_move,
                                 .meet = sim_meet,
                                 .send = sim_send,
                                 .load = sim_load,
                                 .unload = sim_unload,
                                 .resident = sim_resident,
                                 .launch = sim_launch,
                                 .turn = sim_turn,
                                 .mark = sim_mark,
                                 .wait = sim_wait,
                                 .follow = sim_follow,
                                 .seconds = sim_seconds,
                                 .sync = sim_sync};
