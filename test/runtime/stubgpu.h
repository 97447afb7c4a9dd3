/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A libcuda.so.1 and a libamdhip64.so without a GPU, for the runtime's drivers to run on: what both
 * interfaces have in common is stubgpu.c, compiled twice; the rest stubcuda.c and stubhip.c. Device
 * memory is host memory, filled with 0xFF (NaN); copies and launches are queued and done as late as
 * the interface allows (at a synchronisation of their stream, or of one that waits for it), so that a
 * missing wait shows. A stream kernel that
 * may load what was never written is an illegal address.
 *
 * A kernel is the rt_kernel "stub_<name>" that the program exports. Or else, with STUBGPU_CODE, it
 * runs on the simulator (stubsim.c): a stub can run neither PTX nor machine code, but the IR that
 * they were made of, which the compiler leaves beside them when it is asked to save what it
 * generates. So that is the folder of a program's `save-temps`; an image that a module is loaded
 * from is looked for among its files by its bytes, and the .ll of that name is what runs.
 *
 * The environment, read at the first call:
 *
 *   STUBGPU_CODE=FOLDER      where to find images and their IR
 *   STUBGPU_ARCH=sm_80       what the device is; default sm_90, or gfx90a:sramecc+:xnack-. Of CUDA, sm_90+sm_80 are
 *                            those of the first device and of the others, which have names of their own
 *   STUBGPU_NAME=NAME        its name; default: Stub GPU
 *   STUBGPU_PROCESSORS=N     default 2
 *   STUBGPU_DEVICES=0        how many devices there are; default 1
 *   STUBGPU_FILES=N          init opens N files and leaves them open; all calls fail, with the code of
 *                            a system call that failed, while the last one is closed or replaced
 *   STUBGPU_LATE_FILES=1     so do, one each, the first allocation, module and launch; above 1: that
 *                            number is replaced meanwhile, as another thread may do
 *   STUBGPU_FAIL=FUNCTION:N  the N-th call (from 1) of a function (as gpu_api.h and cuda_api.h or
 *                            hip_api.h name it) fails; all:N: of any function
 *   STUBGPU_ERROR=2          with this code; default 1. 2 is out of memory
 *   STUBGPU_STICKY=1         and so do all calls after it, as when a device is lost
 *   STUBGPU_RANDOM=SEED:N    each call fails with a chance of 1 in N, with one code or another
 *   STUBGPU_SLOW=MICROSECONDS  each call takes so long
 *   STUBGPU_COMPILER=MICROSECONDS  to load a module takes so long, by a compiler that registers an exit
 *                            handler at its first use, and ends the process with status 97 if it
 *                            is at work when the handler runs
 *   STUBGPU_SCRATCHPAD=BYTES the most a block may ask for; default 227 KiB, or 64 KiB
 *   STUBGPU_GRID=BLOCKS      the most a launch may have along y and z; default 65535
 *   STUBGPU_THREADS=THREADS  the most a block may have; default 1024
 *   STUBGPU_MEMORY=BYTES     all device memory there is
 *   STUBGPU_BLOCKS=COUNT     how many allocations there may be at a time
 *   STUBGPU_STRICT=1         at exit, status 99 if anything was not freed
 *   STUBGPU_TRACE=1          says on stderr which image was loaded, and that the failure happened
 *
 * A call in a process that was forked from one that had made calls ends it with status 98, as it
 * might hang, or worse, with a real driver.
 *
 * Built with STUB_LACKS_ELAPSED, it lacks cuEventElapsedTime.
 */
#ifndef RT_TEST_STUBGPU_H
#define RT_TEST_STUBGPU_H

#include <stdint.h>

typedef struct stubgpu_counts {
    uint64_t calls, launches, fills, bytes_in, bytes_out; /* since the start */
    uint64_t blocks, pinned, modules;                     /* alive now */
    uint64_t retained, streams, events;
    int failed;     /* the failure asked for has happened */
    int current;    /* of this thread: CUDA: contexts on its stack; HIP: its device */
    int last_error; /* of this thread: what hipGetLastError would say */
} stubgpu_counts;

/* Found with dlsym, as "stubgpu_read". */
typedef void stubgpu_get_counts(stubgpu_counts *counts);

#endif
