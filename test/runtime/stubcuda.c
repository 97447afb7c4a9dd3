/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stubcuda.h"
#include "../../lib/runtime/cuda_api.h"
#include "kernels.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
#define DECLARE(member, symbol, parameters)                                                        \
    extern API cu_result stub_##member parameters __asm__(symbol);
CU_FUNCTIONS(DECLARE)
extern API stubcuda_get_counts stubcuda_read;

enum { INVALID_VALUE = 1, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NOT_FOUND = 500 };
enum { NOT_READY = 600, ILLEGAL_ADDRESS = 700, MAX_BLOCKS = 256, MAX_ARGS = 32 };
enum { PROCESSORS = 2 };

typedef struct block {
    unsigned char *memory, *written; /* per byte: by a copy or cuMemset */
    size_t bytes;
} block;

typedef struct operation {
    struct operation *next;
    uint64_t number;
    enum { COPY, LAUNCH, COPY_DEVICE, SET } kind;
    cu_memcpy2d copy;
    const rt_kernel *kernel;
    unsigned grid[3], block[3];
    uint64_t args[MAX_ARGS];
} operation;

struct cu_event_object {
    uint64_t after; /* number of the last operation before it */
    bool recorded;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static stubcuda_counts counts;
static block blocks[MAX_BLOCKS];
static size_t memory_used;
static operation *queue_head, **queue_tail = &queue_head;
static uint64_t queued, done;
static int sticky_code;
static _Thread_local cu_context current[8];
static _Thread_local int depth;

static struct options {
    bool read, sticky, strict;
    char function[64];
    uint64_t number;
    int code, devices, capability, scratchpad;
    size_t memory;
    uint64_t blocks;
} options;

static long number_from(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 0) : otherwise;
}

static void read_options(void) {
    const char *fail = getenv("STUBCUDA_FAIL");
    if (fail)
        sscanf(fail, "%63[^:]:%lu", options.function, &options.number);
    options.code = (int)number_from("STUBCUDA_CODE", INVALID_VALUE);
    options.sticky = number_from("STUBCUDA_STICKY", 0);
    options.strict = number_from("STUBCUDA_STRICT", 0);
    options.devices = (int)number_from("STUBCUDA_DEVICES", 1);
    options.capability = (int)number_from("STUBCUDA_CC", 90);
    options.scratchpad = (int)number_from("STUBCUDA_SCRATCHPAD", 227 << 10);
    options.blocks = (uint64_t)number_from("STUBCUDA_BLOCKS", MAX_BLOCKS);
    options.memory = (size_t)number_from("STUBCUDA_MEMORY", 1l << 40);
    options.read = true;
}

/* Counts a call; a nonzero result is what it must return. */
static int count_call(const char *name, uint64_t *of_function) {
    if (!options.read)
        read_options();
    counts.calls++;
    errno = EAGAIN; /* as a driver may, and the runtime may not */
    ++*of_function;
    if (sticky_code)
        return sticky_code;
    bool hit = (strcmp(options.function, "all") == 0 && counts.calls == options.number) ||
               (strcmp(options.function, name) == 0 && *of_function == options.number);
    if (!hit)
        return 0;
    counts.failed = 1;
    if (options.sticky)
        sticky_code = options.code;
    return options.code;
}

#define LEAVE(code)                                                                                \
    do {                                                                                           \
        int leave_code = (code);                                                                   \
        pthread_mutex_unlock(&lock);                                                               \
        return leave_code;                                                                         \
    } while (0)
#define ENTER                                                                                      \
    static uint64_t calls_here;                                                                    \
    pthread_mutex_lock(&lock);                                                                     \
    int code = count_call(__func__ + sizeof "stub_" - 1, &calls_here);                             \
    if (code)                                                                                      \
        LEAVE(code);
#define IN_CONTEXT                                                                                 \
    ENTER if (depth == 0 || current[depth - 1] != &the_context) LEAVE(INVALID_CONTEXT);

static struct cu_context_object {
    int unused;
} the_context;
static struct cu_stream_object {
    int unused;
} the_stream;

void stubcuda_read(stubcuda_counts *out) {
    pthread_mutex_lock(&lock);
    *out = counts;
    pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void check_at_exit(void) {
    if (options.strict && (counts.blocks || counts.pinned || counts.modules || counts.retained ||
                           counts.streams || counts.events)) {
        fprintf(stderr, "stubcuda: not freed: %lu blocks, %lu pinned, %lu modules\n", counts.blocks,
                counts.pinned, counts.modules);
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

static int do_copy(const cu_memcpy2d *c) {
    bool in = c->dst_type == CU_MEMORYTYPE_DEVICE;
    const char *from = in ? c->src_host : (const char *)(uintptr_t)c->src_device;
    char *to = in ? (char *)(uintptr_t)c->dst_device : c->dst_host;
    for (size_t i = 0; i < c->height; i++) {
        if (!is_inside(in ? to : from, c->width))
            return ILLEGAL_ADDRESS;
        memcpy(to, from, c->width);
        if (in)
            memset(marks_of(to, c->width), 1, c->width);
        from += c->src_pitch;
        to += c->dst_pitch;
    }
    *(in ? &counts.bytes_in : &counts.bytes_out) += c->width * c->height;
    return 0;
}

static int do_copy_device(const cu_memcpy2d *c) {
    const void *from = (const void *)(uintptr_t)c->src_device;
    void *to = (void *)(uintptr_t)c->dst_device;
    if (!is_inside(from, c->width) || !is_inside(to, c->width))
        return ILLEGAL_ADDRESS;
    memcpy(to, from, c->width);
    memcpy(marks_of(to, c->width), marks_of(from, c->width), c->width);
    return 0;
}

static int do_set(const cu_memcpy2d *c) {
    void *to = (void *)(uintptr_t)c->dst_device;
    if (!is_inside(to, c->width))
        return ILLEGAL_ADDRESS;
    memset(to, 0xFF, c->width);
    memset(marks_of(to, c->width), 1, c->width);
    counts.fills++;
    return 0;
}

/* May the kernel load the padding of src and other, has each cell there a value, and is dst as
 * large and apart from src? The same with an older source and destination, of which all are
 * apart. */
static bool stream_is_sound(const operation *o) {
    const rt_kernel *k = o->kernel;
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

static int do_launch(const operation *o) {
    if (o->kernel->rank > 0 && !stream_is_sound(o))
        return ILLEGAL_ADDRESS;

    void *pointers[MAX_ARGS];
    int64_t n[3], t[3];
    for (int i = 0; i < MAX_ARGS; i++)
        pointers[i] = (void *)&o->args[i];
    for (int d = 0; d < 3; d++)
        n[d] = (int64_t)o->grid[d] * o->block[d];
    for (t[2] = 0; t[2] < n[2]; t[2]++)
        for (t[1] = 0; t[1] < n[1]; t[1]++)
            for (t[0] = 0; t[0] < n[0]; t[0]++)
                o->kernel->thread(t, pointers);
    return 0;
}

/* Does what is queued, up to an operation's number. */
static int flush(uint64_t until) {
    while (queue_head && queue_head->number <= until) {
        operation *o = queue_head;
        queue_head = o->next;
        if (!queue_head)
            queue_tail = &queue_head;
        int code = o->kind == LAUNCH ? do_launch(o)
                   : o->kind == COPY ? do_copy(&o->copy)
                   : o->kind == SET  ? do_set(&o->copy)
                                     : do_copy_device(&o->copy);
        done = o->number;
        free(o);
        if (code)
            return sticky_code = code;
    }
    return 0;
}

static void enqueue(const operation *what) {
    operation *o = malloc(sizeof *o);
    *o = *what;
    o->next = NULL;
    o->number = ++queued;
    *queue_tail = o;
    queue_tail = &o->next;
}

cu_result stub_init(unsigned flags) {
    ENTER
    LEAVE(flags ? INVALID_VALUE : options.devices ? 0 : CU_NO_DEVICE);
}

cu_result stub_error_string(cu_result result, const char **text) {
    ENTER
    *text = result == CU_OUT_OF_MEMORY ? "out of memory" : "stub error";
    LEAVE(0);
}

cu_result stub_device_count(int *count) {
    ENTER
    *count = options.devices;
    LEAVE(0);
}

cu_result stub_device_get(cu_device *device, int number) {
    ENTER
    *device = 7;
    LEAVE(number == 0 ? 0 : INVALID_VALUE);
}

cu_result stub_device_name(char *name, int room, cu_device device) {
    ENTER
    snprintf(name, (size_t)room, "Stub GPU");
    LEAVE(device == 7 ? 0 : INVALID_VALUE);
}

cu_result stub_device_attribute(int *value, int attribute, cu_device device) {
    ENTER
    *value = attribute == CU_COMPUTE_CAPABILITY_MAJOR   ? options.capability / 10
             : attribute == CU_COMPUTE_CAPABILITY_MINOR ? options.capability % 10
                                                        : PROCESSORS;
    if (attribute == CU_MULTIPROCESSOR_COUNT)
        LEAVE(device == 7 ? 0 : INVALID_VALUE);
    LEAVE(device == 7 ? 0 : INVALID_VALUE);
}

cu_result stub_context_retain(cu_context *context, cu_device device) {
    ENTER
    *context = &the_context;
    counts.retained++;
    LEAVE(device == 7 ? 0 : INVALID_VALUE);
}

cu_result stub_context_release(cu_device device) {
    ENTER
    counts.retained--;
    LEAVE(device == 7 ? 0 : INVALID_VALUE);
}

cu_result stub_context_push(cu_context context) {
    ENTER
    if (depth == 8)
        abort();
    current[depth++] = context;
    LEAVE(0);
}

cu_result stub_context_pop(cu_context *context) {
    ENTER
    if (depth == 0)
        abort();
    *context = current[--depth];
    LEAVE(0);
}

cu_result stub_stream_create(cu_stream *stream, unsigned flags) {
    IN_CONTEXT
    *stream = &the_stream;
    counts.streams++;
    LEAVE(flags == CU_STREAM_NON_BLOCKING ? 0 : INVALID_VALUE);
}

cu_result stub_stream_destroy(cu_stream stream) {
    IN_CONTEXT
    counts.streams--;
    LEAVE(stream == &the_stream ? flush(queued) : INVALID_VALUE);
}

cu_result stub_stream_sync(cu_stream stream) {
    IN_CONTEXT
    LEAVE(stream == &the_stream ? flush(queued) : INVALID_VALUE);
}

cu_result stub_event_create(cu_event *event, unsigned flags) {
    IN_CONTEXT
    *event = calloc(1, sizeof **event);
    counts.events++;
    LEAVE(flags ? INVALID_VALUE : 0);
}

cu_result stub_event_destroy(cu_event event) {
    IN_CONTEXT
    free(event);
    counts.events--;
    LEAVE(0);
}

cu_result stub_event_record(cu_event event, cu_stream stream) {
    IN_CONTEXT
    event->after = queued;
    event->recorded = true;
    LEAVE(stream == &the_stream ? 0 : INVALID_VALUE);
}

cu_result stub_event_sync(cu_event event) {
    IN_CONTEXT
    LEAVE(event->recorded ? flush(event->after) : INVALID_VALUE);
}

#ifndef STUB_LACKS_ELAPSED
cu_result stub_event_elapsed(float *milliseconds, cu_event from, cu_event to) {
    IN_CONTEXT
    if (from->after > done || to->after > done)
        LEAVE(NOT_READY);
    *milliseconds = 1.5f;
    LEAVE(from->recorded && to->recorded ? 0 : INVALID_VALUE);
}
#endif

cu_result stub_mem_alloc(cu_address *address, size_t bytes) {
    IN_CONTEXT
    int i = 0;
    while (i < MAX_BLOCKS && blocks[i].memory)
        i++;
    if (bytes == 0)
        LEAVE(INVALID_VALUE);
    if (i == MAX_BLOCKS || counts.blocks >= options.blocks || bytes > options.memory - memory_used)
        LEAVE(CU_OUT_OF_MEMORY);
    blocks[i] = (block){.memory = aligned_alloc(256, (bytes + 255) / 256 * 256), .bytes = bytes};
    memset(blocks[i].memory, 0xFF, bytes);
    blocks[i].written = calloc(bytes, 1);
    memory_used += bytes;
    *address = (cu_address)(uintptr_t)blocks[i].memory;
    counts.blocks++;
    LEAVE(0);
}

cu_result stub_mem_free(cu_address address) {
    IN_CONTEXT
    int code_now = flush(queued);
    for (int i = 0; i < MAX_BLOCKS; i++)
        if (blocks[i].memory && (cu_address)(uintptr_t)blocks[i].memory == address) {
            free(blocks[i].memory);
            free(blocks[i].written);
            memory_used -= blocks[i].bytes;
            blocks[i].memory = NULL;
            counts.blocks--;
            LEAVE(code_now);
        }
    LEAVE(INVALID_VALUE);
}

cu_result stub_host_alloc(void **memory, size_t bytes, unsigned flags) {
    IN_CONTEXT
    *memory = malloc(bytes);
    counts.pinned++;
    LEAVE(flags ? INVALID_VALUE : 0);
}

cu_result stub_host_free(void *memory) {
    IN_CONTEXT
    flush(queued);
    free(memory);
    counts.pinned--;
    LEAVE(0);
}

cu_result stub_set_bytes(cu_address to, unsigned char value, size_t bytes, cu_stream stream) {
    IN_CONTEXT(void) value; /* NaN instead: nothing may depend on it */
    enqueue(&(operation){.kind = SET, .copy = {.dst_device = to, .width = bytes}});
    LEAVE(stream == &the_stream ? 0 : INVALID_VALUE);
}

cu_result stub_copy_in(cu_address to, const void *from, size_t bytes, cu_stream stream) {
    IN_CONTEXT
    enqueue(&(operation){.copy = {.src_type = CU_MEMORYTYPE_HOST,
                                  .src_host = from,
                                  .dst_type = CU_MEMORYTYPE_DEVICE,
                                  .dst_device = to,
                                  .width = bytes,
                                  .height = 1}});
    LEAVE(stream == &the_stream ? 0 : INVALID_VALUE);
}

cu_result stub_copy_out(void *to, cu_address from, size_t bytes, cu_stream stream) {
    IN_CONTEXT
    enqueue(&(operation){.copy = {.src_type = CU_MEMORYTYPE_DEVICE,
                                  .src_device = from,
                                  .dst_type = CU_MEMORYTYPE_HOST,
                                  .dst_host = to,
                                  .width = bytes,
                                  .height = 1}});
    LEAVE(stream == &the_stream ? 0 : INVALID_VALUE);
}

cu_result stub_copy_2d(const cu_memcpy2d *copy, cu_stream stream) {
    IN_CONTEXT
    if (copy->width > copy->src_pitch || copy->width > copy->dst_pitch)
        LEAVE(INVALID_VALUE);
    enqueue(&(operation){.copy = *copy});
    LEAVE(stream == &the_stream ? 0 : INVALID_VALUE);
}

cu_result stub_copy_device(cu_address to, cu_address from, size_t bytes, cu_stream stream) {
    IN_CONTEXT
    enqueue(&(operation){.kind = COPY_DEVICE,
                         .copy = {.src_device = from, .dst_device = to, .width = bytes}});
    LEAVE(stream == &the_stream && to != from ? 0 : INVALID_VALUE);
}

/* An image is any text; "bad" at its start makes it one that does not compile. */
cu_result stub_module_load(cu_module *module, const void *image, unsigned count, int *names,
                           void **values) {
    IN_CONTEXT
    if (strncmp(image, "bad", 3) == 0) {
        for (unsigned i = 0; i < count; i++)
            if (names[i] == CU_JIT_ERROR_LOG_BUFFER)
                strcpy(values[i], "line 1: bad\nno hope");
        LEAVE(INVALID_IMAGE);
    }
    *module = malloc(1);
    counts.modules++;
    LEAVE(0);
}

cu_result stub_module_unload(cu_module module) {
    IN_CONTEXT
    free(module);
    counts.modules--;
    LEAVE(0);
}

cu_result stub_module_function(cu_function *function, cu_module module, const char *name) {
    IN_CONTEXT
    char symbol[100];
    snprintf(symbol, sizeof symbol, "stub_%s", name);
    *function = dlsym(RTLD_DEFAULT, symbol);
    LEAVE(module && *function ? 0 : NOT_FOUND);
}

/* More than 48 KiB of scratchpad must be asked for; the stub's kernels want it all alike. */
static bool asked_for_scratchpad;

cu_result stub_function_set(cu_function function, int attribute, int value) {
    IN_CONTEXT
    if (!function || attribute != CU_MAX_DYNAMIC_SHARED_SIZE_BYTES || value > options.scratchpad)
        LEAVE(INVALID_VALUE);
    asked_for_scratchpad = true;
    LEAVE(0);
}

cu_result stub_occupancy(int *blocks, cu_function function, int threads, size_t scratchpad) {
    IN_CONTEXT
    *blocks = function && threads <= 1024 && scratchpad <= (size_t)options.scratchpad ? 2 : 0;
    LEAVE(0);
}

cu_result stub_launch(cu_function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                      unsigned by, unsigned bz, unsigned shared, cu_stream stream, void **args,
                      void **extra) {
    IN_CONTEXT
    operation o = {.kind = LAUNCH,
                   .kernel = (const rt_kernel *)function,
                   .grid = {gx, gy, gz},
                   .block = {bx, by, bz}};
    if (!gx || !gy || !gz || gy > 65535 || gz > 65535 || bx * by * bz > 1024 || extra ||
        (shared > 0) != (o.kernel->rank > 1) || (shared > 48 << 10 && !asked_for_scratchpad) ||
        stream != &the_stream || o.kernel->nargs > MAX_ARGS)
        LEAVE(INVALID_VALUE);
    for (unsigned i = 0; i < o.kernel->nargs; i++)
        memcpy(&o.args[i], args[i], sizeof o.args[i]);
    enqueue(&o);
    counts.launches++;
    LEAVE(0);
}
