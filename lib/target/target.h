/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A GPU family as functions and numbers. Nothing outside this folder names a family. nvptx/ and
 * amdgcn/ define one each; target.c finds the one that a module is for.
 *
 * Lanes exchange values within a group. A group is NVIDIA's warp of 32. On AMD's GPUs up to GFX9 it
 * is a wave of 64, or one half of the wave. From GFX10 on it is 32 lanes, also of waves of 64,
 * because ds_bpermute does not reach the other half. All lanes of a group take part in an exchange,
 * and all threads of a block in a barrier.
 */
#ifndef STENCILOPT_TARGET_H
#define STENCILOPT_TARGET_H

#include "model/stencil.h"
#include "stencilopt/region.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* Address spaces, on all targets. */
enum { TG_DEVICE = 1, TG_SCRATCHPAD = 3, TG_CONSTANT = 4, TG_STACK = 5 };

typedef enum tg_image_kind {
    TG_BITCODE = STENCILRT_BITCODE,
    TG_PTX = STENCILRT_PTX,
    TG_CUBIN = STENCILRT_CUBIN,
    TG_HSACO = STENCILRT_HSACO
} tg_image_kind;

typedef struct tg_image {
    tg_image_kind kind;
    char arch[16];
    LLVMMemoryBufferRef bytes;
} tg_image;

/* What a GPU tells its threads about their launch, along x, y or z. */
typedef enum tg_launch_value {
    TG_THREAD,      /* the thread's number in its block */
    TG_BLOCK,       /* the block's number in the launch */
    TG_BLOCK_SIZE,  /* threads a block */
    TG_BLOCK_COUNT, /* blocks of the launch */
    TG_LAUNCH_VALUES
} tg_launch_value;

/* How a call depends on other threads, or on where its own thread runs. The targets' intrinsics.def
 * give the kind of each call that they know. */
typedef enum tg_call_kind {
    TG_COMPUTES,     /* its value depends on its operands alone */
    TG_UNIFORM,      /* reads a value that is the same for all threads of a launch */
    TG_READS_LAUNCH, /* reads a tg_launch_value */
    TG_HINT,         /* for the compiler or the scheduler: computes nothing */
    TG_EXCHANGES,    /* gets values of other lanes, or works on all lanes together */
    TG_WAITS,        /* for other threads, or for their memory */
    TG_LOCATES,      /* tells where or when its thread runs: lane, wave, processor, clock */
    TG_UPDATES,      /* changes memory by an atomic operation */
    TG_SAMPLES,      /* reads or writes a texture or a surface */
    TG_CONVERGENT,   /* unknown and marked convergent: it may exchange values or wait */
    TG_UNKNOWN
} tg_call_kind;

/* A name that ends with '*' stands for all names that begin so. Of several that fit, the longest
 * counts. */
typedef struct tg_known_call {
    const char *name;
    tg_call_kind kind;
    tg_launch_value value; /* for TG_READS_LAUNCH; the name continues with x, y or z */
} tg_known_call;

typedef struct tg_target {
    const char *name;
    const char *triple; /* the beginning of its modules' triple */
    /* The function attribute that promises whole blocks; NULL: all launches have them. */
    const char *whole_blocks;
    const char *architectures; /* names that users may give, with ", " between them */
    bool lanes_by_arch;        /* whether the architecture determines the number of lanes */

    /* What its modules contain */
    const char *intrinsics; /* the beginning of its intrinsics' names */
    const tg_known_call *calls;
    size_t ncalls;
    const char *const *assembly; /* instructions whose value depends on their operands alone */
    size_t nassembly;
    const char *const *texture; /* instructions that read or write textures and surfaces */
    size_t ntexture;
    unsigned kernel_convention;               /* functions of this calling convention are kernels */
    bool (*is_marked)(LLVMValueRef function); /* other functions that are kernels; may be NULL */
    /* Does a load of so many bits, `at` bytes behind the result of the call of `base`, read a
     * launch value? May be NULL. */
    bool (*loads)(const char *base, int64_t at, unsigned bits, tg_launch_value *value, int *dim);
    /* The number of threads along d that all blocks have, as the kernel promises; 0: no promise.
     * May be NULL. */
    int (*required_size)(LLVMValueRef kernel, int d);
    /* The most threads of a block that the kernel promises, or 0. */
    int (*most_threads)(LLVMValueRef kernel);
    int (*capability)(const char *cpu); /* the number in gpus.h; for NULL that of a typical GPU */

    int64_t scratchpad_size; /* bytes of static scratchpad that a block may have */

    /* Gives a module the triple and the data layout. */
    void (*prepare)(LLVMModuleRef m, const char *arch);
    /* Makes `f` a kernel for blocks of exactly these threads. Each thread uses at most so many
     * registers (0: no limit). */
    void (*mark_kernel)(LLVMValueRef f, const char *arch, const int block[3], int registers);
    /* Limits the registers of each thread, if the kernel has no limit yet. NULL: the target has no
     * such limit. */
    void (*limit_registers)(LLVMValueRef kernel, int registers);

    /* Threads. The functions below of the same names call these. */
    LLVMValueRef (*launch)(LLVMBuilderRef b, tg_launch_value value, int d);
    LLVMValueRef (*reciprocal)(LLVMBuilderRef b, LLVMValueRef v);
    int (*group)(LLVMValueRef kernel);
    LLVMValueRef (*lane)(LLVMBuilderRef b, int lanes);
    LLVMValueRef (*exchange)(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes);
    LLVMValueRef (*shift)(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes);
    LLVMValueRef (*uniform)(LLVMBuilderRef b, LLVMValueRef v, int lanes);
    void (*barrier)(LLVMBuilderRef b);
    /* Each lane gets the i32 `v` of the lane `distance` away, in a warp of `lanes`: 32, or the
     * warp's full size. Lanes that would read beyond the warp's ends get an undefined value. All
     * lanes of the warp take part. */
    LLVMValueRef (*shuffle)(LLVMBuilderRef b, LLVMValueRef v, int distance, int lanes);
    /* A barrier between two warps. Both name barrier `number`, 1 to 15. NULL: the target has none.
     */
    void (*sync_pair)(LLVMBuilderRef b, LLVMValueRef number);
    /* A barrier between the lanes of a warp. */
    void (*sync_warp)(LLVMBuilderRef b);
    /* Returns `v`, hidden from the optimiser, and computed before this point. Without this the
     * optimiser computes all addresses of an unrolled loop in advance and keeps each in a register.
     * It also delays sums, and keeps all their operands until then. */
    LLVMValueRef (*conceal)(LLVMBuilderRef b, LLVMValueRef v);

    /* copy_async copies 16, 8 or 4 bytes from device memory to scratchpad, `offset` bytes behind
     * `to`, without waiting. copy_commit makes a group of the copies so far. copy_wait waits until
     * at most `pending` groups are unfinished. */
    void (*copy_async)(LLVMBuilderRef b, LLVMValueRef to, int offset, LLVMValueRef from, int bytes);
    void (*copy_commit)(LLVMBuilderRef b);
    void (*copy_wait)(LLVMBuilderRef b, int pending);
    /* Words of 16 bytes in device memory. For all threads of the device each is stored and loaded
     * as a whole: who sees one of a word's four i32 sees all four. Words have no order with other
     * accesses. word_load loads where the i32 `on` is not 0, and leaves `v` as it is elsewhere. The
     * program must use all four i32, or ptxas loads only parts. NULL: the target has no such words.
     */
    void (*word_store)(LLVMBuilderRef b, LLVMValueRef to, LLVMValueRef const v[4]);
    void (*word_load)(LLVMBuilderRef b, LLVMValueRef from, LLVMValueRef v[4], LLVMValueRef on);
    unsigned scratchpad_space; /* address space */
    unsigned device_space;
    /* The scope of atomic operations that means all threads of the device. */
    const char *device_scope;
    bool (*has_copy_async)(const char *arch);
    /* Has the architecture instructions that add, multiply, or multiply and add two floats at once,
     * in pairs of registers? */
    bool (*has_pairs)(const char *arch);

    /* has_math: was the device's library of mathematical functions found? link_math links it into a
     * module that calls it. */
    bool (*has_math)(void);
    bool (*link_math)(LLVMModuleRef m, const char *arch, char *error, size_t size);
    /* The name of a function of this library: "exp" -> "__nv_expf", "__ocml_exp_f32". */
    void (*math_name)(const char *base, bool is_double, char *out, size_t size);
    st_reason no_math; /* the reason of a refusal where the library was not found */
    /* Optimises the module and emits code for `arch`. The module is used up. With `named` the user
     * asked for this architecture: then machine code is made too, if an assembler is found. Appends
     * at most two images. Returns their number, or 0 with a message. */
    int (*emit)(LLVMModuleRef m, const char *arch, bool named, tg_image *out, char *error,
                size_t size);
} tg_target;

/* The names of all architectures that users may give, for messages. */
const char *tg_architectures(void);
/* The target that accepts `arch`, or NULL. */
const tg_target *tg_find(const char *arch);
/* The target that a module is for, by its triple; NULL if there is none. */
const tg_target *tg_of_module(LLVMModuleRef m);

/* The next functions take a function of a target's module, or a call in one. */
bool tg_is_kernel(LLVMValueRef function); /* and it has a body */
/* The kind of a call: by the tables, or for unknown calls by LLVM's attributes. */
tg_call_kind tg_call_kind_of(LLVMValueRef call);
/* May a transformation add calls like this one, with other operands? Such a call only computes,
 * ends, and is defined for all operands. */
bool tg_may_repeat(LLVMValueRef call);
/* Does the inline assembly compute a value of its operands alone? In assembly.c. */
bool tg_assembly_computes(const tg_target *t, LLVMValueRef call);
bool tg_assembly_samples(const tg_target *t, LLVMValueRef call); /* a texture or a surface */
/* What the tables say of a function. NULL: they do not have it. `t` may be NULL. */
const tg_known_call *tg_known(const tg_target *t, const char *name);
/* Does the call read a launch value? */
bool tg_reads(LLVMValueRef call, tg_launch_value *value, int *dim);
/* Does a load of so many bits, `at` bytes behind the call's result, read a launch value? */
bool tg_loads(LLVMValueRef base, int64_t at, unsigned bits, tg_launch_value *value, int *dim);
/* The name of the GPU that the function is compiled for, such as "sm_90"; "" if it is not known. */
const char *tg_arch(LLVMValueRef function, char *out, size_t size);
/* Do all blocks of all launches have the same number of threads? In OpenCL the last may have fewer.
 */
bool tg_has_whole_blocks(LLVMValueRef function);
/* The number of threads along d that all blocks have, as the kernel promises; 0: no promise. */
int tg_required_size(LLVMValueRef kernel, int d);
/* The most threads of a block that the kernel promises; 0: no promise. */
int tg_most_threads(LLVMValueRef kernel);
/* Gives `cpu` to functions that do not say which GPU they are compiled for. Empty: changes nothing.
 */
void tg_name_cpu(LLVMModuleRef m, const char *cpu);
void tg_add_attribute(LLVMValueRef kernel, const char *name, const char *value); /* intrinsic.c */
void tg_limit_registers(LLVMValueRef kernel, int registers);
/* The most bytes of static scratchpad of a block. */
int64_t tg_scratchpad_limit(LLVMModuleRef m);

/* Functions that build in b's module */

/* Reads a launch value along dimension d (0: x), as i32. */
LLVMValueRef tg_launch(LLVMBuilderRef b, tg_launch_value value, int d);
/* The target's approximation of 1 / v, at most one unit in the last place off. v is a float. It
 * must be normal where the result is used. */
LLVMValueRef tg_reciprocal(LLVMBuilderRef b, LLVMValueRef v);
/* The size of the largest group on the kernel's target: 32 or 64. 32 if the target is not known
 * well. */
int tg_group(LLVMValueRef kernel);
/* i32: the lane's number in its group of `lanes`, 32 or the largest. */
LLVMValueRef tg_lane(LLVMBuilderRef b, int lanes);
/* Each lane gets the i32 `v` of the lane `from` of its group. `from` is taken modulo `lanes`. */
LLVMValueRef tg_exchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes);
/* Each lane gets the i32 `v` of the next lane (step 1) or the previous one (-1). The lane at the
 * group's end gets `edge`. */
LLVMValueRef tg_shift(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes);
/* The i32 `v`, which is the same in all lanes of a group. If a group is a whole wave, the compiler
 * is told so. */
LLVMValueRef tg_uniform(LLVMBuilderRef b, LLVMValueRef v, int lanes);
/* Waits for all threads of the block, and makes their writes to scratchpad visible. */
void tg_barrier(LLVMBuilderRef b);

#endif
