/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What both stubs of GPU drivers share. Compiled twice: as a libcuda and as a libamdhip64.
 * stubgpu.h says how a stub works.
 */
#include "stubgpu_core.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef STUB_HIP
#define DECLARE(member, cuda, hip, parameters)                                                     \
    extern API gpu_result stub_##member parameters __asm__(hip);
#else
#define DECLARE(member, cuda, hip, parameters)                                                     \
    extern API gpu_result stub_##member parameters __asm__(cuda);
#endif
GPU_FUNCTIONS(DECLARE)
extern API stubgpu_get_counts stubgpu_read;

enum { MAX_BLOCKS = 256 };

typedef struct block {
    unsigned char *memory, *written; /* per byte: by a copy or a fill */
    size_t bytes;
} block;

struct gpu_module_object {
    sim_code *code; /* NULL: kernels are the program's */
    gpu_function functions;
};

struct gpu_function_object {
    gpu_function next;
    gpu_module module;
    const rt_kernel *kernel; /* NULL: it is the module's code's */
    char name[200];
    size_t sizes[MAX_ARGS]; /* of its parameters */
    int nargs;
};

struct gpu_event_object {
    gpu_stream stream;
    uint64_t after; /* number of the last operation before it */
    bool recorded;
};

typedef struct operation {
    struct operation *next;
    uint64_t number;
    gpu_stream stream;
    enum { COPY, LAUNCH, SET, WAIT } kind;
    stub_copy copy;
    unsigned char value;           /* of each byte, of SET */
    struct gpu_event_object event; /* of WAIT */
    gpu_function function;
    unsigned grid[3], block[3], scratchpad;
    bool together;
    uint64_t args[MAX_ARGS];
} operation;

enum { MAX_STREAMS = 64 };
static struct gpu_stream_object {
    bool used;
} streams[MAX_STREAMS];

pthread_mutex_t stub_lock = PTHREAD_MUTEX_INITIALIZER;
stub_options stub_settings;
stubgpu_counts stub_counts;
_Thread_local int stub_thread_error;
static block blocks[MAX_BLOCKS];
static size_t memory_used;
static operation *queue_head, **queue_tail = &queue_head;
static uint64_t queued;
static int sticky_code;

static long number_from(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 0) : otherwise;
}

static const char *text_from(const char *name, const char *otherwise) {
    const char *text = getenv(name);
    return text ? strdup(text) : otherwise;
}

static void read_options(void) {
    stub_options *o = &stub_settings;
    const char *fail = getenv("STUBGPU_FAIL");
    if (fail)
        sscanf(fail, "%63[^:]:%lu", o->function, &o->number);
    const char *random = getenv("STUBGPU_RANDOM");
    if (random)
        sscanf(random, "%lu:%lu", &o->random, &o->chance);
    o->images = text_from("STUBGPU_CODE", NULL);
    o->arch = text_from("STUBGPU_ARCH", stub_default_arch);
    o->name = text_from("STUBGPU_NAME", "Stub GPU");
    o->code = (int)number_from("STUBGPU_ERROR", INVALID_VALUE);
    o->sticky = number_from("STUBGPU_STICKY", 0);
    o->strict = number_from("STUBGPU_STRICT", 0);
    o->trace = number_from("STUBGPU_TRACE", 0);
    o->devices = (int)number_from("STUBGPU_DEVICES", 1);
    o->files = (int)number_from("STUBGPU_FILES", 0);
    o->compiler = (int)number_from("STUBGPU_COMPILER", 0);
    o->late = (int)number_from("STUBGPU_LATE_FILES", 0);
    o->processors = (int)number_from("STUBGPU_PROCESSORS", 2);
    o->scratchpad = (int)number_from("STUBGPU_SCRATCHPAD", stub_default_scratchpad);
    o->grid = (int)number_from("STUBGPU_GRID", 65535);
    o->threads = (int)number_from("STUBGPU_THREADS", 1024);
    o->blocks = (uint64_t)number_from("STUBGPU_BLOCKS", MAX_BLOCKS);
    o->memory = (size_t)number_from("STUBGPU_MEMORY", 1l << 40);
    o->process = (int)getpid();
    o->read = true;
}

/* Before the lock is taken: other threads' calls go on. */
void stub_wait(void) {
    long microseconds = number_from("STUBGPU_SLOW", 0);
    if (microseconds > 0)
        usleep((useconds_t)microseconds);
}

/* Marsaglia, "Xorshift RNGs" (2003). */
static uint64_t draw(void) {
    uint64_t x = stub_settings.random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    stub_settings.random = x;
    return x >> 32; /* the lower half is less random */
}

static int fail_at_random(void) {
    static const int codes[] = {INVALID_VALUE, GPU_OUT_OF_MEMORY, ILLEGAL_ADDRESS, NOT_READY};
    if (!stub_settings.chance || draw() % stub_settings.chance != 0)
        return 0;
    stub_counts.failed = 1;
    return codes[draw() % 4];
}

/* Of STUBGPU_FILES, the last one. */
static int needed = -1;

static bool is_needed_file_gone(void) {
    struct stat now, null;
    return needed >= 0 && (fstat(needed, &now) != 0 || stat("/dev/null", &null) != 0 ||
                           now.st_rdev != null.st_rdev);
}

int stub_count(const char *name, uint64_t *of_function) {
    stub_options *o = &stub_settings;
    if (!o->read)
        read_options();
    if (o->process != (int)getpid()) {
        fprintf(stderr, "stubgpu: %s in a forked process\n", name);
        _exit(98);
    }
    stub_counts.calls++;
    errno = EAGAIN; /* as a driver may, and the runtime may not */
    ++*of_function;
    if (sticky_code)
        return sticky_code;
    if (is_needed_file_gone())
        return SYSTEM_CALL;
    bool hit = (strcmp(o->function, "all") == 0 && stub_counts.calls == o->number) ||
               (strcmp(o->function, name) == 0 && *of_function == o->number);
    if (!hit)
        return fail_at_random();
    stub_counts.failed = 1;
    if (o->trace)
        fprintf(stderr, "stubgpu: %s fails\n", name);
    if (o->sticky)
        sticky_code = o->code;
    return o->code;
}

void stubgpu_read(stubgpu_counts *out) {
    pthread_mutex_lock(&stub_lock);
    *out = stub_counts;
    out->current = stub_current();
    out->last_error = stub_thread_error;
    pthread_mutex_unlock(&stub_lock);
}

__attribute__((destructor)) static void check_at_exit(void) {
    const stubgpu_counts *c = &stub_counts;
    if (stub_settings.strict && stub_settings.process == (int)getpid() &&
        (c->blocks || c->pinned || c->modules || c->retained || c->streams || c->events)) {
        fprintf(stderr, "stubgpu: not freed: %lu blocks, %lu pinned, %lu modules\n", c->blocks,
                c->pinned, c->modules);
        _exit(99);
    }
}

/* The marks of [address, address + bytes), or NULL if they are not inside one allocation. */
static unsigned char *marks_of(const void *address, size_t bytes) {
    const unsigned char *at = address;
    for (int i = 0; i < MAX_BLOCKS; i++)
        if (blocks[i].memory && at >= blocks[i].memory &&
            at + bytes <= blocks[i].memory + blocks[i].bytes)
            return blocks[i].written + (at - blocks[i].memory);
    return NULL;
}

static bool is_inside(const void *address, size_t bytes) {
    return marks_of(address, bytes) != NULL;
}

static bool is_written(const void *address, size_t bytes) {
    const unsigned char *marks = marks_of(address, bytes);
    return marks && !memchr(marks, 0, bytes);
}

/* Within a device, bytes that nobody wrote stay bytes that nobody wrote. */
static bool copy_row(const stub_copy *c, void *to, const void *from) {
    if ((c->to_device && !is_inside(to, c->width)) ||
        (c->from_device && !is_inside(from, c->width)))
        return false;
    memcpy(to, from, c->width);
    if (c->to_device && c->from_device)
        memcpy(marks_of(to, c->width), marks_of(from, c->width), c->width);
    else if (c->to_device)
        memset(marks_of(to, c->width), 1, c->width);
    return true;
}

/* A program with a clock of its own is told what a copy takes. */
static void spend(size_t bytes) {
    static const double bytes_per_second = 2e9;
    void (*program_spends)(double seconds);
    *(void **)&program_spends = dlsym(RTLD_DEFAULT, "stub_spends");
    if (program_spends)
        program_spends((double)bytes / bytes_per_second);
}

static int do_copy(const stub_copy *c) {
    if (!c->to_device || !c->from_device)
        spend(c->width * c->height);
    for (size_t i = 0; i < c->height; i++)
        if (!copy_row(c, (char *)c->to + i * c->to_pitch,
                      (const char *)c->from + i * c->from_pitch))
            return ILLEGAL_ADDRESS;
    if (!c->from_device)
        stub_counts.bytes_in += c->width * c->height;
    if (!c->to_device)
        stub_counts.bytes_out += c->width * c->height;
    return 0;
}

static int do_set(const stub_copy *c, unsigned char value) {
    if (!is_inside(c->to, c->width))
        return ILLEGAL_ADDRESS;
    memset(c->to, value, c->width);
    memset(marks_of(c->to, c->width), 1, c->width);
    stub_counts.fills++;
    return 0;
}

/* May the kernel load the padding of src and other, has each cell there a value, and is dst as
 * large and apart from src? The same with an older source and destination, of which all are
 * apart. */
static bool stream_is_sound(const operation *o) {
    const rt_kernel *k = o->function->kernel;
    int buffers = k->older ? 4 : 3;
    const int64_t *extent = (const int64_t *)&o->args[(unsigned)buffers + k->ports];
    const int64_t *stride = extent + k->rank;
    int64_t low = 0, high = 0;
    if (k->ports > 0 && k->rank == 3)
        stride += k->rank - 1; /* icube's grid that rotates is the second */
    for (unsigned d = 0; d < k->rank; d++) {
        int64_t step = d == 0 ? 1 : stride[d - 1];
        low -= STREAM_LOW * step;
        high += (extent[d] + STREAM_HIGH - (d > 0)) * step;
    }
    for (int i = 0; i < buffers; i++) {
        const char *zero = (const char *)(uintptr_t)o->args[i];
        int64_t size = k->elem_size;
        if (o->args[i] % 128 != 0 || (k->rank > 1 && stride[0] * size % 128 != 0) ||
            !(i == 0 || (k->older && i == 3) ? is_inside : is_written)(
                zero + low * size, (size_t)((high - low) * size)))
            return false;
        for (int j = 0; j < i && k->older; j++)
            if (o->args[i] == o->args[j])
                return false;
    }
    return o->args[0] != o->args[1] && o->args[1] != o->args[2];
}

static int run_threads(const operation *o) {
    void *pointers[MAX_ARGS];
    int64_t n[3], t[3];
    if (o->function->kernel->rank > 0 && !stream_is_sound(o))
        return ILLEGAL_ADDRESS;
    for (int i = 0; i < MAX_ARGS; i++)
        pointers[i] = (void *)&o->args[i];
    for (int d = 0; d < 3; d++)
        n[d] = (int64_t)o->grid[d] * o->block[d];
    for (t[2] = 0; t[2] < n[2]; t[2]++)
        for (t[1] = 0; t[1] < n[1]; t[1]++)
            for (t[0] = 0; t[0] < n[0]; t[0]++)
                o->function->kernel->thread(t, pointers);
    return 0;
}

static int do_launch(operation *o) {
    gpu_function f = o->function;
    if (f->kernel)
        return run_threads(o);
    return stubsim_run(f->module->code, f->name, o->grid, o->block, o->scratchpad, o->together,
                       o->args, f->sizes, f->nargs);
}

/* Takes the first operation of a stream from the queue, if its number is not too high. */
static operation *take(gpu_stream stream, uint64_t until) {
    operation **at = &queue_head;
    while (*at && (*at)->stream != stream)
        at = &(*at)->next;
    operation *o = *at;
    if (!o || o->number > until)
        return NULL;
    *at = o->next;
    if (queue_tail == &o->next)
        queue_tail = at;
    return o;
}

static int flush(gpu_stream stream, uint64_t until);

static int do_operation(operation *o) {
    switch (o->kind) {
    case LAUNCH:
        return do_launch(o);
    case COPY:
        return do_copy(&o->copy);
    case SET:
        return do_set(&o->copy, o->value);
    case WAIT:
        return flush(o->event.stream, o->event.after);
    }
    return INVALID_VALUE;
}

/* Does what is queued in a stream, up to an operation's number, and of other streams what it waits
 * for. */
static int flush(gpu_stream stream, uint64_t until) {
    for (operation *o = take(stream, until); o; o = take(stream, until)) {
        int code = do_operation(o);
        free(o);
        if (code)
            return sticky_code = code;
    }
    return 0;
}

static int flush_all(void) {
    int code = 0;
    while (queue_head && !code)
        code = flush(queue_head->stream, queued);
    return code;
}

static void enqueue(const operation *what) {
    operation *o = malloc(sizeof *o);
    *o = *what;
    o->next = NULL;
    o->number = ++queued;
    *queue_tail = o;
    queue_tail = &o->next;
}

static bool is_stream(gpu_stream stream) {
    return stream >= streams && stream < streams + MAX_STREAMS && stream->used;
}

/* The first time, with STUBGPU_LATE_FILES. */
static void open_late(bool *done) {
    if (!stub_settings.late || *done)
        return;
    int file = open("/dev/null", O_RDWR);
    *done = file >= 0;
    if (stub_settings.late > 1)
        dup2(file, stub_settings.late);
}

gpu_result stub_init(unsigned flags) {
    ENTER
    for (; stub_settings.files > 0; stub_settings.files--)
        if ((needed = open("/dev/null", O_RDWR)) < 0)
            LEAVE(GPU_NO_DEVICE);
    LEAVE(flags ? INVALID_VALUE : stub_settings.devices ? 0 : GPU_NO_DEVICE);
}

gpu_result stub_device_count(int *count) {
    ENTER
    *count = stub_settings.devices;
    LEAVE(0);
}

gpu_result stub_device_attribute(int *value, int attribute, int device) {
    ENTER
    LEAVE(stub_attribute(value, attribute, device));
}

gpu_result stub_stream_create(gpu_stream *stream, unsigned flags) {
    IN_CONTEXT
    *stream = streams;
    while ((*stream)->used)
        ++*stream;
    (*stream)->used = true;
    stub_counts.streams++;
    LEAVE(flags == GPU_STREAM_NON_BLOCKING ? 0 : INVALID_VALUE);
}

gpu_result stub_stream_destroy(gpu_stream stream) {
    IN_CONTEXT
    stub_counts.streams--;
    int code_now = is_stream(stream) ? flush(stream, queued) : INVALID_VALUE;
    stream->used = false;
    LEAVE(code_now);
}

gpu_result stub_stream_sync(gpu_stream stream) {
    IN_CONTEXT
    LEAVE(is_stream(stream) ? flush(stream, queued) : INVALID_VALUE);
}

gpu_result stub_event_create(gpu_event *event, unsigned flags) {
    IN_CONTEXT
    *event = calloc(1, sizeof **event);
    stub_counts.events++;
    LEAVE(flags ? INVALID_VALUE : 0);
}

gpu_result stub_event_destroy(gpu_event event) {
    IN_CONTEXT
    free(event);
    stub_counts.events--;
    LEAVE(0);
}

gpu_result stub_event_record(gpu_event event, gpu_stream stream) {
    IN_CONTEXT
    event->stream = stream;
    event->after = queued;
    event->recorded = true;
    LEAVE(is_stream(stream) ? 0 : INVALID_VALUE);
}

gpu_result stub_stream_wait(gpu_stream stream, gpu_event event, unsigned flags) {
    IN_CONTEXT
    operation o = {.kind = WAIT, .stream = stream, .event = *event};
    enqueue(&o);
    LEAVE(is_stream(stream) && event->recorded && flags == 0 ? 0 : INVALID_VALUE);
}

gpu_result stub_event_sync(gpu_event event) {
    IN_CONTEXT
    LEAVE(event->recorded ? flush(event->stream, event->after) : INVALID_VALUE);
}

#ifndef STUB_LACKS_ELAPSED
static bool is_done(const struct gpu_event_object *event) {
    for (const operation *o = queue_head; o; o = o->next)
        if (o->stream == event->stream && o->number <= event->after)
            return false;
    return true;
}

gpu_result stub_event_elapsed(float *milliseconds, gpu_event from, gpu_event to) {
    IN_CONTEXT
    if (!is_done(from) || !is_done(to))
        LEAVE(NOT_READY);
    *milliseconds = 1.5f;
    LEAVE(from->recorded && to->recorded ? 0 : INVALID_VALUE);
}
#endif

gpu_result stub_mem_alloc(gpu_address *address, size_t bytes) {
    static bool opened;
    IN_CONTEXT
    open_late(&opened);
    int i = 0;
    while (i < MAX_BLOCKS && blocks[i].memory)
        i++;
    if (bytes == 0)
        LEAVE(INVALID_VALUE);
    if (i == MAX_BLOCKS || stub_counts.blocks >= stub_settings.blocks ||
        bytes > stub_settings.memory - memory_used)
        LEAVE(GPU_OUT_OF_MEMORY);
    blocks[i].memory =
        stub_settings.images ? stubsim_alloc(bytes) : aligned_alloc(256, (bytes + 255) / 256 * 256);
    blocks[i].bytes = bytes;
    memset(blocks[i].memory, 0xFF, bytes);
    blocks[i].written = calloc(bytes, 1);
    memory_used += bytes;
    *address = (gpu_address)(uintptr_t)blocks[i].memory;
    stub_counts.blocks++;
    LEAVE(0);
}

gpu_result stub_mem_info(size_t *left, size_t *all) {
    IN_CONTEXT
    *left = stub_settings.memory - memory_used;
    *all = stub_settings.memory;
    LEAVE(0);
}

gpu_result stub_mem_free(gpu_address address) {
    IN_CONTEXT
    int code_now = flush_all();
    for (int i = 0; i < MAX_BLOCKS; i++)
        if (blocks[i].memory && (gpu_address)(uintptr_t)blocks[i].memory == address) {
            (stub_settings.images ? stubsim_free : free)(blocks[i].memory);
            free(blocks[i].written);
            memory_used -= blocks[i].bytes;
            blocks[i].memory = NULL;
            stub_counts.blocks--;
            LEAVE(code_now);
        }
    LEAVE(INVALID_VALUE);
}

gpu_result stub_host_alloc(void **memory, size_t bytes, unsigned flags) {
    IN_CONTEXT
    *memory = malloc(bytes);
    stub_counts.pinned++;
    LEAVE(flags ? INVALID_VALUE : 0);
}

gpu_result stub_host_free(void *memory) {
    IN_CONTEXT
    flush_all();
    free(memory);
    stub_counts.pinned--;
    LEAVE(0);
}

/* One range at a time. */
static struct {
    unsigned char *memory;
    size_t bytes;
} locked;

gpu_result stub_host_lock(void *memory, size_t bytes, unsigned flags) {
    enum { PORTABLE = 1, PAGE = 4096 };
    IN_CONTEXT
    if (flags != PORTABLE || locked.memory || bytes == 0 || (uintptr_t)memory % PAGE != 0)
        LEAVE(INVALID_VALUE);
    locked.memory = memory;
    locked.bytes = bytes;
    stub_counts.pinned++;
    LEAVE(0);
}

gpu_result stub_host_unlock(void *memory) {
    IN_CONTEXT
    flush_all();
    if (!memory || locked.memory != memory)
        LEAVE(INVALID_VALUE);
    locked.memory = NULL;
    stub_counts.pinned--;
    LEAVE(0);
}

static int enqueue_set(gpu_address to, unsigned char value, size_t bytes, gpu_stream stream) {
    enqueue(&(operation){.kind = SET,
                         .stream = stream,
                         .value = value,
                         .copy = {.to = (void *)(uintptr_t)to, .width = bytes}});
    return is_stream(stream) ? 0 : INVALID_VALUE;
}

gpu_result stub_set_bytes(gpu_address to, unsigned char value, size_t bytes, gpu_stream stream) {
    IN_CONTEXT
    LEAVE(enqueue_set(to, value, bytes, stream));
}

/* Padding. NaN instead of the value: no result may depend on it. */
gpu_result stub_set_words(gpu_address to, unsigned value, size_t words, gpu_stream stream) {
    IN_CONTEXT(void) value;
    LEAVE(enqueue_set(to, 0xFF, 4 * words, stream));
}

int stub_enqueue_copy(const stub_copy *c, gpu_stream stream) {
    if (c->width > c->to_pitch || c->width > c->from_pitch)
        return INVALID_VALUE;
    enqueue(&(operation){.stream = stream, .copy = *c});
    return is_stream(stream) ? 0 : INVALID_VALUE;
}

static int enqueue_run(stub_copy copy, size_t bytes, gpu_stream stream) {
    copy.to_pitch = copy.from_pitch = copy.width = bytes;
    copy.height = 1;
    return stub_enqueue_copy(&copy, stream);
}

gpu_result stub_copy_in(gpu_address to, const void *from, size_t bytes, gpu_stream stream) {
    IN_CONTEXT
    stub_copy copy = {.to_device = true, .to = (void *)(uintptr_t)to, .from = from};
    LEAVE(enqueue_run(copy, bytes, stream));
}

gpu_result stub_copy_out(void *to, gpu_address from, size_t bytes, gpu_stream stream) {
    IN_CONTEXT
    stub_copy copy = {.from_device = true, .to = to, .from = (const void *)(uintptr_t)from};
    LEAVE(enqueue_run(copy, bytes, stream));
}

gpu_result stub_copy_device(gpu_address to, gpu_address from, size_t bytes, gpu_stream stream) {
    IN_CONTEXT
    stub_copy copy = {.from_device = true,
                      .to_device = true,
                      .to = (void *)(uintptr_t)to,
                      .from = (const void *)(uintptr_t)from};
    int code = enqueue_run(copy, bytes, stream);
    LEAVE(to != from ? code : INVALID_VALUE);
}

/* Without STUBGPU_CODE an image is any text; "bad" at its start makes it one that does not load. */
static atomic_bool compiler_ended;

static void end_compiler(void) {
    atomic_store(&compiler_ended, true);
}

static void compile(void) {
    static bool used;
    if (stub_settings.compiler <= 0)
        return;
    if (!used)
        atexit(end_compiler);
    used = true;
    usleep((useconds_t)stub_settings.compiler);
    if (atomic_load(&compiler_ended))
        _exit(97);
}

int stub_load(gpu_module *module, const void *image) {
    static bool opened;
    sim_code *code = NULL;
    open_late(&opened);
    compile();
    if (stub_settings.images ? !(code = stubsim_load(image)) : strncmp(image, "bad", 3) == 0)
        return INVALID_IMAGE;
    *module = calloc(1, sizeof **module);
    (*module)->code = code;
    stub_counts.modules++;
    return 0;
}

gpu_result stub_module_unload(gpu_module module) {
    IN_CONTEXT
    flush_all();
    for (gpu_function f = module->functions, next; f; f = next) {
        next = f->next;
        free(f);
    }
    stubsim_unload(module->code);
    free(module);
    stub_counts.modules--;
    LEAVE(0);
}

static bool find_kernel(gpu_function f) {
    char symbol[220];
    if (f->module->code) {
        f->nargs = stubsim_parameters(f->module->code, f->name, f->sizes);
        return f->nargs >= 0;
    }
    snprintf(symbol, sizeof symbol, "stub_%s", f->name);
    f->kernel = dlsym(RTLD_DEFAULT, symbol);
    f->nargs = f->kernel ? (int)f->kernel->nargs : 0;
    for (int i = 0; i < f->nargs; i++)
        f->sizes[i] = sizeof(uint64_t);
    return f->kernel != NULL;
}

gpu_result stub_module_function(gpu_function *function, gpu_module module, const char *name) {
    IN_CONTEXT
    gpu_function f = calloc(1, sizeof *f);
    f->module = module;
    snprintf(f->name, sizeof f->name, "%s", name);
    if (!find_kernel(f)) {
        free(f);
        LEAVE(NOT_FOUND);
    }
    f->next = module->functions;
    module->functions = f;
    *function = f;
    LEAVE(0);
}

gpu_result stub_occupancy(int *resident, gpu_function function, int threads, size_t scratchpad) {
    IN_CONTEXT
    bool fits = threads <= stub_settings.threads && scratchpad <= (size_t)stub_settings.scratchpad;
    *resident = function && fits ? 2 : 0;
    LEAVE(0);
}

static bool is_launch(const operation *o) {
    uint64_t threads = 1;
    for (int d = 0; d < 3; d++) {
        threads *= o->block[d];
        if (!o->grid[d] || (d > 0 && o->grid[d] > (unsigned)stub_settings.grid) ||
            (uint64_t)o->grid[d] * o->block[d] > stub_max_threads)
            return false;
    }
    return threads <= (uint64_t)stub_settings.threads && stub_may_launch(o->scratchpad) &&
           (!o->function->kernel || (o->scratchpad > 0) == (o->function->kernel->rank > 1));
}

int stub_enqueue_launch(const stub_launch_of *launch, gpu_stream stream, void **args) {
    operation o = {.kind = LAUNCH,
                   .stream = stream,
                   .function = launch->function,
                   .scratchpad = launch->scratchpad,
                   .together = launch->together};
    memcpy(o.grid, launch->grid, sizeof o.grid);
    memcpy(o.block, launch->block, sizeof o.block);
    if (!is_stream(stream) || !is_launch(&o))
        return INVALID_VALUE;
    for (int i = 0; i < o.function->nargs; i++)
        memcpy(&o.args[i], args[i], o.function->sizes[i]);
    enqueue(&o);
    stub_counts.launches++;
    return 0;
}

gpu_result stub_launch(gpu_function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                       unsigned by, unsigned bz, unsigned shared, gpu_stream stream, void **args,
                       void **extra) {
    static bool opened;
    IN_CONTEXT
    open_late(&opened);
    const stub_launch_of launch = {function, {gx, gy, gz}, {bx, by, bz}, shared, false};
    LEAVE(extra ? INVALID_VALUE : stub_enqueue_launch(&launch, stream, args));
}
