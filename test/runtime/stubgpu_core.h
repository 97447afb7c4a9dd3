/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the stub's files share; see stubgpu.h.
 */
#ifndef RT_TEST_STUBGPU_CORE_H
#define RT_TEST_STUBGPU_CORE_H

#include "kernels.h"
#include "runtime/device/gpu_api.h"
#include "stubgpu.h"
#include <pthread.h>
#include <stdbool.h>

#define API __attribute__((visibility("default")))

enum { INVALID_VALUE = 1, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NOT_FOUND = 500 };
enum { SYSTEM_CALL = 304 };
enum { NOT_READY = 600, ILLEGAL_ADDRESS = 700, MAX_ARGS = 64 };

typedef struct stub_options {
    bool read, sticky, strict, trace;
    int process;
    char function[64];
    uint64_t number, chance, random; /* random: of the last draw, never 0 */
    int code, devices, files, late, compiler, scratchpad, processors, grid, threads;
    const char *arch, *name, *images;
    size_t memory;
    uint64_t blocks;
} stub_options;

extern stub_options stub_settings;
extern stubgpu_counts stub_counts;
extern pthread_mutex_t stub_lock;
extern _Thread_local int stub_thread_error;

void stub_wait(void);
/* Counts a call; a nonzero result is what it must return. */
int stub_count(const char *name, uint64_t *of_function);

#define LEAVE(code)                                                                                \
    do {                                                                                           \
        int leave_code = (code);                                                                   \
        if (leave_code)                                                                            \
            stub_thread_error = leave_code;                                                        \
        pthread_mutex_unlock(&stub_lock);                                                          \
        return leave_code;                                                                         \
    } while (0)
/* `injected`: a failure that was asked for, or 0. */
#define BEGIN                                                                                      \
    static uint64_t calls_here;                                                                    \
    stub_wait();                                                                                   \
    pthread_mutex_lock(&stub_lock);                                                                \
    int injected = stub_count(__func__ + sizeof "stub_" - 1, &calls_here);
#define ENTER BEGIN if (injected) LEAVE(injected);
extern API gpu_result stub_mem_info(size_t *left, size_t *all)
#ifdef STUB_HIP
    __asm__("hipMemGetInfo");
#else
    __asm__("cuMemGetInfo_v2");
#endif
extern API gpu_result stub_host_lock(void *memory, size_t bytes, unsigned flags)
#ifdef STUB_HIP
    __asm__("hipHostRegister");
#else
    __asm__("cuMemHostRegister_v2");
#endif
extern API gpu_result stub_host_unlock(void *memory)
#ifdef STUB_HIP
    __asm__("hipHostUnregister");
#else
    __asm__("cuMemHostUnregister");
#endif
#define IN_CONTEXT ENTER if (!stub_is_current()) LEAVE(INVALID_CONTEXT);

/* stubcuda.c, stubhip.c */
extern const char *const stub_default_arch;
extern const int stub_default_scratchpad;
extern const uint64_t stub_max_threads; /* of a launch, along a dimension */
bool stub_is_current(void);
int stub_current(void);
int stub_attribute(int *value, int attribute, int device);
bool stub_may_launch(unsigned scratchpad);

/* stubgpu.c; with the lock */
typedef struct stub_copy {
    bool from_device, to_device;
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
} stub_copy;

int stub_enqueue_copy(const stub_copy *copy, gpu_stream stream);
int stub_load(gpu_module *module, const void *image);
/* Queues a launch, whose blocks perhaps all run at once. */
typedef struct stub_launch_of {
    gpu_function function;
    unsigned grid[3], block[3], scratchpad;
    bool together;
} stub_launch_of;
int stub_enqueue_launch(const stub_launch_of *launch, gpu_stream stream, void **args);

/* stubsim.c: what STUBGPU_CODE asks for */
typedef struct sim_code sim_code;
void *stubsim_alloc(size_t bytes);
void stubsim_free(void *memory);
sim_code *stubsim_load(const void *image); /* NULL: no file is it */
void stubsim_unload(sim_code *code);
/* Sizes of the kernel's parameters; how many, or -1. */
int stubsim_parameters(sim_code *code, const char *kernel, size_t sizes[MAX_ARGS]);
int stubsim_run(sim_code *code, const char *kernel, const unsigned grid[3], const unsigned block[3],
                unsigned scratchpad, bool together, uint64_t *args, const size_t *sizes, int nargs);

#endif
