/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * kernels.c is compiled twice: for the CPU, where stubs of GPUs and the reference
 * run its kernels, and for NVPTX, where its IR is what the simulator runs.
 */
#ifndef RT_TEST_KERNELS_H
#define RT_TEST_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __NVPTX__
#define KERNEL __attribute__((nvptx_kernel))
#define THREAD_X                                                                                   \
    ((int64_t)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +                     \
     __nvvm_read_ptx_sreg_tid_x())
#define THREAD_Y                                                                                   \
    ((int64_t)__nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() +                     \
     __nvvm_read_ptx_sreg_tid_y())
#define THREAD_Z                                                                                   \
    ((int64_t)__nvvm_read_ptx_sreg_ctaid_z() * __nvvm_read_ptx_sreg_ntid_z() +                     \
     __nvvm_read_ptx_sreg_tid_z())
#else
#define KERNEL static
#define THREAD_X (rt_thread[0])
#define THREAD_Y (rt_thread[1])
#define THREAD_Z (rt_thread[2])
extern _Thread_local int64_t rt_thread[3]; /* block index * block size + thread index */
#endif

/* The stream and strip kernels' threads of a block along x, and the cells of a block: fewer, as
 * threads of a real one compute a halo. Their padding is the same in all. */
enum { STREAM_THREADS = 16, STREAM_TILE = 5, STREAM_TILES = 2, STREAM_ROWS = 3 };
enum { STREAM_LOW = 19, STREAM_HIGH = 23, STREAM_OVERLAP = 2, STREAM_SCRATCHPAD = 50000 };

/* What the stub finds by name, "stub_" and the kernel's: runs one thread, given its parameters. */
typedef struct rt_kernel {
    unsigned nargs;
    void (*thread)(const int64_t thread[3], void *const *args);
    /* of a stream or strip kernel; else 0 */
    unsigned rank, elem_size, ports; /* ports besides those of the written grid */
    bool older;                      /* has it an older source and an older destination? */
} rt_kernel;

#endif
