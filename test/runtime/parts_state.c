/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests of the process around a call: errno, floating point, signals, contexts, forks, memory.
 */
#include "parts.h"
#include "runtime/device/cuda_api.h"
#include "stubgpu.h"
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const layout plain = {.extent = {20, 10, 3}, .steps = 3, .seed = 4};

static bool is_hip(void) {
    return getenv("STENCILOPT_LIBHIP") != NULL;
}

static void *stub_library(int flags) {
    const char *path = getenv(is_hip() ? "STENCILOPT_LIBHIP" : "STENCILOPT_LIBCUDA");
    return path ? dlopen(path, RTLD_NOW | flags) : NULL;
}

/* A function of the stub, or NULL where the device is another. */
static void *stub_function(const char *name) {
    void *library = stub_library(RTLD_NOLOAD);
    return library ? dlsym(library, name) : NULL;
}

static bool read_stub(stubgpu_counts *counts) {
    stubgpu_get_counts *get = (stubgpu_get_counts *)stub_function("stubgpu_read");
    memset(counts, 0, sizeof *counts);
    if (get)
        get(counts);
    return get;
}

static int wait_for(pid_t child) {
    int status;
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

bool test_fork(int count) {
    (void)count;
    if (!CHECK(run_once(rt_region("star"), &plain, 1)))
        return false;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        bool ok = run_once(rt_region("star"), &plain, 0) && run_once(rt_region("heat"), &plain, 0);
        fflush(stdout);
        _exit(ok ? 0 : 1);
    }
    return CHECK(wait_for(child) == 0) && CHECK(run_once(rt_region("star"), &plain, 1));
}

static bool keeps_context(void) {
    gpu_result (*push)(cu_context) =
        (gpu_result (*)(cu_context))stub_function("cuCtxPushCurrent_v2");
    gpu_result (*pop)(cu_context *) =
        (gpu_result (*)(cu_context *))stub_function("cuCtxPopCurrent_v2");
    cu_context mine = (cu_context)(void *)&mine, top = NULL;
    if (!push || !pop)
        return true;
    push(mine);
    bool ok = CHECK(run_once(rt_region("wave"), &plain, 1));
    pop(&top);
    return CHECK(top == mine) && ok;
}

/* HIP has a current device: the stub's second one, with STUBGPU_DEVICES=2. */
static bool keeps_device(void) {
    gpu_result (*set)(int) = (gpu_result (*)(int))stub_function("hipSetDevice");
    stubgpu_counts counts;
    if (!set)
        return true;
    set(1);
    bool ok = CHECK(run_once(rt_region("wave"), &plain, 1)) && CHECK(read_stub(&counts));
    return CHECK(counts.current == 1) && CHECK(counts.last_error == 0) && ok;
}

/* Before the runtime's first call: a context of the program's own, or another device. */
static void take_context(void) {
    void *library = stub_library(0);
    cu_context mine = (cu_context)(void *)&mine;
    if (is_hip())
        ((gpu_result (*)(int))dlsym(library, "hipSetDevice"))(1);
    else
        ((gpu_result (*)(cu_context))dlsym(library, "cuCtxPushCurrent_v2"))(mine);
}

static bool run_world_quietly(world *w, int must_run) {
    sigset_t before, after;
    sigemptyset(&before);
    sigaddset(&before, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_OVERFLOW);
    int rounding = fegetround();
    errno = 1234;
    int ran = rt_run_alone(w->region, &w->call);
    bool ok = CHECK(errno == 1234) && CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_OVERFLOW) &&
              CHECK(fegetround() == rounding) && CHECK(ran == must_run);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    return CHECK(sigismember(&after, SIGUSR1) == 1) && CHECK(sigismember(&after, SIGINT) == 0) &&
           ok;
}

#ifdef __aarch64__
static unsigned long control(void) {
    unsigned long fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr;
}

static void set_flushing(bool on) {
    unsigned long fpcr = (control() & ~(1ul << 24)) | (unsigned long)on << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
}

static bool is_flushing(void) {
    return control() >> 24 & 1;
}
#else
static unsigned control(void) {
    unsigned mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    return mxcsr;
}

static void set_flushing(bool on) {
    unsigned mxcsr = (control() & ~0x8040u) | (on ? 0x8040 : 0);
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
}

static bool is_flushing(void) {
    return (control() & 0x8040) == 0x8040;
}
#endif

bool test_quiet(int count) {
    world w;
    (void)count;
    world_make(&w, rt_region("star"), &plain);
    fesetround(FE_UPWARD);
    bool ok = run_world_quietly(&w, 0);
    fesetround(FE_TONEAREST);
    ok = CHECK(world_is(&w, false)) && ok;
    set_flushing(true);
    ok = run_world_quietly(&w, 0) && CHECK(is_flushing()) && ok;
    stencilrt_region free_of_mode = *w.region;
    const stencilrt_region *strict = w.region;
    free_of_mode.flags = STENCILRT_DENORMALS_FREE;
    w.region = &free_of_mode;
    ok = run_world_quietly(&w, 1) && CHECK(is_flushing()) && ok;
    set_flushing(false);
    world_free(&w);
    world_make(&w, strict, &plain);
    ok = run_world_quietly(&w, 1) && ok;
    world_expect(&w);
    ok = CHECK(world_is(&w, true)) && ok;
    world_free(&w);
    return keeps_context() && keeps_device() && ok;
}

/* In a child whose stub fails at its k-th call: two runs. 0: fine; 1: wrong; 10: no failure came.
 */
static int run_with_failure(bool (*run)(const void *), const void *what, const failure *f, int k) {
    char text[32];
    stubgpu_counts before, counts;
    snprintf(text, sizeof text, "all:%d", k);
    setenv("STUBGPU_FAIL", text, 1);
    snprintf(text, sizeof text, "%d", f->code);
    setenv("STUBGPU_ERROR", text, 1);
    setenv("STUBGPU_STICKY", f->sticky ? "1" : "0", 1);
    take_context();
    if (!CHECK(read_stub(&before)))
        return 1;
    bool ok = run(what) && run(what);
    ok = CHECK(read_stub(&counts)) && CHECK(counts.current == before.current) &&
         CHECK(!is_hip() || counts.last_error == 0 || k == 1) && ok;
    return !ok ? 1 : counts.failed ? 0 : 10;
}

static int number_in(const char *variable) {
    const char *text = getenv(variable);
    return text && atoi(text) > 0 ? atoi(text) : 1;
}

/* RT_TEST_EVERY=N: each N-th call only, for settings beside those where each call fails. */
/* RT_TEST_SHARE=N: of these each N-th. */
static int stride(void) {
    return number_in("RT_TEST_EVERY") * number_in("RT_TEST_SHARE");
}

/* RT_TEST_FIRST=N: where that begins, so that each call has its turn. */
static int first(void) {
    return (number_in("RT_TEST_FIRST") - 1) % stride() + 1;
}

bool fail_each_call(const char *name, bool (*run)(const void *), const void *what, failure f) {
    for (int k = first();; k += stride()) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            int status = run_with_failure(run, what, &f, k);
            fflush(stdout);
            _exit(status);
        }
        int status = wait_for(child);
        if (status == 10)
            return CHECK(k > 40);
        if (status != 0) {
            printf("%s: wrong with call %d failing (sticky %d, code %d)\n", name, k, f.sticky,
                   f.code);
            return false;
        }
    }
}

typedef struct region_run {
    const char *region;
    const layout *layout;
} region_run;

static bool run_region(const void *what) {
    const region_run *r = what;
    return run_once(rt_region(r->region), r->layout, ANY_ANSWER);
}

static bool fail_region(const char *region, const layout *layout, bool sticky, int code) {
    region_run r = {region, layout};
    return fail_each_call(region, run_region, &r, (failure){sticky, code});
}

bool test_faults(int count) {
    (void)count;
    layout blocked = plain;
    blocked.steps = 12;
    for (int i = 0; i < 4; i++) {
        static const int codes[] = {1, 2, 1, 700};
        if (!fail_region("drift", &blocked, i > 1, codes[i]) ||
            !fail_region("icube", &blocked, i > 1, codes[i]))
            return false;
    }
    return fail_region("star", &plain, false, 1) && fail_region("star", &plain, false, 2) &&
           fail_region("star", &plain, true, 700) && fail_region("mixed", &plain, false, 1) &&
           fail_region("wave", &plain, true, 1);
}

bool test_memory(int count) {
    static const layout shapes[] = {{.extent = {100, 100, 1}, .steps = 2, .seed = 1},
                                    {.extent = {50, 60, 1}, .steps = 2, .seed = 1},
                                    {.extent = {120, 120, 1}, .steps = 2, .seed = 1},
                                    {.extent = {30, 20, 1}, .steps = 2, .seed = 1}};
    stubgpu_counts counts;
    layout large = {.extent = {400, 400, 1}, .steps = 2, .seed = 1};
    bool ok = true;
    (void)count;
    for (int i = 0; i < 12; i++) {
        ok = run_once(rt_region("star"), &shapes[i % 4], 1) && ok;
        ok = run_once(rt_region("star"), &large, 0) && ok;
    }
    return CHECK(read_stub(&counts)) && CHECK(counts.blocks <= 16) && CHECK(counts.pinned == 2) &&
           CHECK(counts.modules == 1) && ok;
}

/* `ops` makes the 200 cell updates of a step as dear as the test wants: 1e-10 s each. So long the
 * original loops take. */
static bool run_auto(int64_t steps, uint32_t ops, int must_run) {
    stencilrt_region region = *rt_region("star");
    layout l = plain;
    l.steps = steps;
    region.ops = ops;
    bool ok = run_once(&region, &l, must_run);
    if (!must_run)
        usleep((useconds_t)(200 * steps * ops / 10000));
    return ok;
}

/* `first`: the call that runs on the device, from 0. 0.1 s are won a call, and 0.33 s are to be
 * paid first. So the fourth call pays; or the second, if another core opens the device beside the
 * first, for which a quarter of the price counts. */
bool test_auto(int first) {
    stubgpu_counts counts;
    bool ok = true;
    ok = CHECK(run_auto(1, 5, 0)) && ok; /* slower for ever */
    ok = CHECK(!read_stub(&counts)) && ok;
    for (int i = 0; i < 6; i++)
        ok = CHECK(run_auto(3, 1666667, i >= first)) && ok;
    ok = CHECK(run_auto(1, 5, 0)) && ok;
    return ok;
}

static bool run_at_last(void) {
    bool ran = false;
    for (int i = 0; i < 100 && !ran; i++) {
        usleep(20000);
        ran = run_auto(3, 1666667, 1);
    }
    return ran;
}

static void *go_on(void *unused) {
    (void)unused;
    exit(CHECK(run_at_last()) ? 0 : 1);
}

/* STUBGPU_SLOW=20000: opening takes long. A fork waits for the thread that opens, and the child
 * runs original loops. The parent runs on the device later, unless `exits`. 1: then the process
 * ends while the device is being opened. 2: the first thread ends, and another one goes on. */
bool test_opening(int exits) {
    pthread_t thread;
    bool ok = CHECK(run_auto(3, 1666667, 0));
    if (exits == 2 && ok && CHECK(pthread_create(&thread, NULL, go_on, NULL) == 0))
        pthread_exit(NULL);
    if (exits)
        return ok;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(run_once(rt_region("star"), &plain, 0) ? 0 : 1);
    ok = CHECK(wait_for(child) == 0) && ok;
    return CHECK(run_at_last()) && ok;
}

/* A call that gains 20 ms. So long the original loops take. */
static bool run_small(const stencilrt_region *region, int must_run) {
    layout l = plain;
    l.steps = 3;
    bool ok = run_once(region, &l, must_run);
    if (!must_run || !ok)
        usleep(20000);
    return ok;
}

/* STUBGPU_SLOW=20000: a call gains less than loading takes, so it does not wait for the kernels. A
 * thread loads them; a fork waits for the thread. `exits`: the process ends meanwhile. A copy on
 * the stack stands for a region that may be unloaded: its call waits. */
bool test_beside(int exits) {
    static stencilrt_region region, lasting;
    static void *states[2];
    bool ok = CHECK(run_auto(30, 1666667, 1)), ran = false;
    region = *rt_region("star");
    region.state = &states[0];
    region.ops = 333333;
    stencilrt_region copy = region;
    copy.state = &states[1];
    rt_lasting = &lasting;
    ok = CHECK(run_small(&region, 0)) && ok;
    if (exits)
        return ok;
    pid_t child = fork();
    if (child == 0)
        _exit(run_once(&region, &plain, 0) ? 0 : 1);
    ok = CHECK(wait_for(child) == 0) && ok;
    for (int i = 0; i < 100 && !ran; i++)
        ran = run_small(&region, 1);
    rt_lasting = NULL;
    int waits = 0;
    for (int i = 0; i < 4 && !run_small(&copy, 1); i++)
        waits++;
    return CHECK(ran && waits < 3) && ok;
}

/* STUBGPU_SLOW=1000: each call gains 10 ms by the model, and loses as much, for the driver is slow.
 * No region is called so often that it is given up by itself. After the first call of each, 12
 * calls and 24 calls, all rest, also a region that never ran. */
bool test_rests(int count) {
    enum { REGIONS = 14, ENTRIES = REGIONS + 12 + 24 };
    static void *states[REGIONS + 1];
    static stencilrt_region lasting[REGIONS + 1];
    layout l = plain;
    l.steps = 3;
    bool ok = CHECK(run_auto(30, 1666667, 1));
    (void)count;
    for (int i = 0; i <= ENTRIES; i++) {
        stencilrt_region region = *rt_region("star");
        region.ops = 166667;
        int number = i < ENTRIES ? i % REGIONS : REGIONS;
        region.state = &states[number];
        rt_lasting = &lasting[number];
        ok = CHECK(run_once(&region, &l, i < ENTRIES)) && ok;
    }
    rt_lasting = NULL;
    return ok;
}

/* A small call that is not asked about again says nothing of a large one. */
bool test_auto_grows(int count) {
    stencilrt_region region = *rt_region("star");
    layout large = {.extent = {1000, 400, 1}, .steps = 10, .seed = 1};
    bool ok = true;
    (void)count;
    region.ops = 1000;
    for (int i = 0; i < 2; i++)
        ok = CHECK(run_once(&region, &plain, 0)) && ok;
    return CHECK(run_once(&region, &large, 1)) && ok;
}

#define IMAGE_OF(what, how, of, at, length)                                                        \
    {.kind = what, .packing = how, .arch = of, .bytes = at, .size = length}
#define IMAGE(what, of, text) IMAGE_OF(STENCILRT_##what, STENCILRT_PLAIN, of, text, sizeof text)

static bool loads(const stencilrt_image *images, uint32_t count, int must_run, uint64_t modules) {
    static void *states[16];
    static unsigned used;
    stubgpu_counts before, after;
    stencilrt_region region = *rt_region("star");
    region.images = images;
    region.nimages = count;
    region.state = &states[used++];
    read_stub(&before);
    bool ok = run_once(&region, &plain, must_run) && run_once(&region, &plain, must_run);
    read_stub(&after);
    return CHECK(after.modules - before.modules == modules) && ok;
}

/* The stub has capability 9.0. An image "bad..." does not load, so what loads tells the order. */
bool test_images(int count) {
    static const stencilrt_image newer[] = {IMAGE(PTX, "sm_100", "x"),
                                            IMAGE(CUBIN, "sm_80", "x"),
                                            IMAGE(CUBIN, "sm_100", "x"),
                                            {STENCILRT_BITCODE, 0, "", "x", 2},
                                            {STENCILRT_HSACO, 0, "gfx90a", "x", 2}};
    static const stencilrt_image exact[] = {IMAGE(PTX, "sm_90a", "x"), IMAGE(PTX, "sm_89a", "bad")};
    static const stencilrt_image other_letter[] = {IMAGE(PTX, "sm_89a", "x"),
                                                   IMAGE(CUBIN, "sm_80a", "x")};
    static const stencilrt_image falls_back[] = {
        IMAGE(PTX, "sm_75", "x"), IMAGE(CUBIN, "sm_90", "bad"), IMAGE(PTX, "sm_86", "bad")};
    static const stencilrt_image none[] = {IMAGE(PTX, "sm_80", "bad"), IMAGE(PTX, "sm_75", "bad")};
    (void)count;
    bool ok = CHECK(run_once(rt_region("heat"), &plain, 1));
    ok = CHECK(loads(newer, 5, 0, 0)) && ok;
    ok = CHECK(loads(exact, 2, 1, 1)) && ok;
    ok = CHECK(loads(other_letter, 2, 0, 0)) && ok;
    ok = CHECK(loads(falls_back, 3, 1, 1)) && ok;
    ok = CHECK(loads(none, 2, 0, 0)) && ok;
    return ok;
}

/* zstd's frames, of "x" and its NUL, as one raw block: magic number, header with the content's
 * size, block's header, bytes (RFC 8878). The others end early, tell another size than they have,
 * tell none, or tell more than there may be. */
bool test_packed(int count) {
    enum { PTX = STENCILRT_PTX, ZSTD = STENCILRT_ZSTD };
    static const char good[] = "\x28\xb5\x2f\xfd\x20\x02\x11\x00\x00x";
    static const char other_size[] = "\x28\xb5\x2f\xfd\x20\x03\x11\x00\x00x";
    static const char no_size[] = "\x28\xb5\x2f\xfd\x00\x58\x11\x00\x00x";
    static const char huge[] = "\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\x7f\x11\x00\x00x";
    static const stencilrt_image packed = IMAGE_OF(PTX, ZSTD, "sm_80", good, sizeof good);
    static const stencilrt_image damaged[] = {
        IMAGE_OF(PTX, ZSTD, "sm_80", good, sizeof good - 1),
        IMAGE_OF(PTX, ZSTD, "sm_80", other_size, sizeof other_size),
        IMAGE_OF(PTX, ZSTD, "sm_80", no_size, sizeof no_size),
        IMAGE_OF(PTX, ZSTD, "sm_80", huge, sizeof huge),
        IMAGE_OF(PTX, ZSTD, "sm_80", "x", 2),
        IMAGE_OF(PTX, ZSTD, "sm_80", good, 0),
        IMAGE_OF(PTX, ZSTD + 1, "sm_80", good, sizeof good)};
    static const stencilrt_image falls_back[] = {IMAGE_OF(PTX, ZSTD, "sm_86", "bad", 4),
                                                 IMAGE(PTX, "sm_80", "x")};
    bool ok = CHECK(loads(&packed, 1, count, (uint64_t)count));
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++)
        ok = CHECK(loads(&damaged[i], 1, 0, 0)) && ok;
    return CHECK(loads(falls_back, 2, 1, 1)) && ok;
}

bool test_both(int count) {
    static void *state;
    static const stencilrt_image both[] = {IMAGE(PTX, "sm_80", "x"), IMAGE(HSACO, "gfx90a", "x")};
    stencilrt_region region = *rt_region("star");
    (void)count;
    region.images = both;
    region.nimages = 2;
    region.state = &state;
    region.ops = 100000000; /* worth any device */
    return run_once(&region, &plain, 1) && run_once(&region, &plain, 1);
}

/* The stub is a gfx90a:sramecc+:xnack-. */
bool test_code_objects(int count) {
    static const stencilrt_image others[] = {
        IMAGE(HSACO, "gfx90", "x"),           IMAGE(HSACO, "gfx90c", "x"),
        IMAGE(HSACO, "gfx90ab", "x"),         IMAGE(HSACO, "gfx90a:xnack+", "x"),
        IMAGE(HSACO, "gfx90a:xnack", "x"),    IMAGE(HSACO, "gfx90a:xnack-:sramecc-", "x"),
        {STENCILRT_PTX, 0, "gfx90a", "x", 2}, {STENCILRT_BITCODE, 0, "gfx90a", "x", 2}};
    static const stencilrt_image plain_last[] = {IMAGE(HSACO, "gfx942", "bad"),
                                                 IMAGE(HSACO, "gfx90a", "x")};
    static const stencilrt_image named_first[] = {IMAGE(HSACO, "gfx90a", "bad"),
                                                  IMAGE(HSACO, "gfx90a:xnack-", "x")};
    static const stencilrt_image falls_back[] = {IMAGE(HSACO, "gfx90a:sramecc+:xnack-", "bad"),
                                                 IMAGE(HSACO, "gfx90a:sramecc+", "x")};
    static const stencilrt_image none[] = {IMAGE(HSACO, "gfx90a", "bad")};
    (void)count;
    bool ok = CHECK(run_once(rt_region("heat"), &plain, 1));
    ok = CHECK(loads(others, 8, 0, 0)) && ok;
    ok = CHECK(loads(plain_last, 2, 1, 1)) && ok;
    ok = CHECK(loads(named_first, 2, 1, 1)) && ok;
    ok = CHECK(loads(falls_back, 2, 1, 1)) && ok;
    ok = CHECK(loads(none, 1, 0, 0)) && ok;
    return ok;
}

/* Copied to and from the device in one run, in bytes. */
static bool copies(const char *region, int64_t steps, uint64_t in, uint64_t out) {
    layout l = plain;
    stubgpu_counts before, after;
    l.steps = steps;
    read_stub(&before);
    bool ok = run_once(rt_region(region), &l, 1);
    read_stub(&after);
    return CHECK(after.bytes_in - before.bytes_in == in) &&
           CHECK(after.bytes_out - before.bytes_out == out) && ok;
}

/* The domain has 20 x 10 cells of 4 bytes; a star reads 60 more around it. The second buffer's
 * domain is made on the device, so that only its halo is copied. */
bool test_bytes(int count) {
    (void)count;
    return CHECK(run_once(rt_region("heat"), &plain, 1)) && CHECK(copies("star", 1, 1040, 800)) &&
           CHECK(copies("star", 2, 1040 + 240, 1600)) &&
           CHECK(copies("star", 5, 1040 + 240, 1600)) && CHECK(copies("inplace", 4, 800, 800));
}

/* For the tests to compare: "drift 40: 8 launches, ran". */
bool test_launches(int count) {
    static const int steps[] = {1, 2, 3, 13, 40, 39};
    static const char *const names[] = {"drift", "icube", "ione", "ipulse", "ripple", "pond"};
    layout l = {.extent = {23, 11, 7}, .seed = 4};
    stubgpu_counts before, after;
    bool ok = true;
    (void)count;
    for (int i = 0; i < 6; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            l.steps = steps[k];
            l.alike = i >= 4 && steps[k] != 39;
            read_stub(&before);
            ok = run_once(rt_region(names[i]), &l, ANY_ANSWER) && ok;
            read_stub(&after);
            printf("%s %d: %lu launches\n", names[i], steps[k], after.launches - before.launches);
        }
    return ok;
}

/* With the kernels' times as given, are all launches the cell kernel's, and is nothing padded? */
static bool runs_cells(uint32_t cell, uint32_t blocked) {
    stencilrt_region *r = rt_region("drift");
    const stencilrt_kernel *saved = r->kernels;
    stencilrt_kernel kernels[4];
    stubgpu_counts before, after;
    layout l = {.extent = {23, 11, 7}, .steps = 40, .seed = 4};
    memcpy(kernels, saved, sizeof kernels);
    for (int i = 0; i < 4; i++)
        kernels[i].time = i == 0 ? cell : blocked;
    r->kernels = kernels;
    read_stub(&before);
    bool ok = CHECK(run_once(r, &l, 1));
    read_stub(&after);
    r->kernels = saved;
    bool cells = after.launches - before.launches == 40, bare = after.fills == before.fills;
    return CHECK(cells == bare) && ok && cells;
}

bool test_estimates(int count) {
    (void)count;
    return CHECK(runs_cells(1, UINT32_MAX)) && CHECK(!runs_cells(UINT32_MAX, 1));
}
