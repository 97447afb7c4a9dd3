/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A GPU family, as functions and numbers; nothing outside this folder names one. nvptx/ and
 * amdgcn/ have one each, target.c finds the one that a module is for.
 *
 * Lanes come in groups, within which values are exchanged: NVIDIA's 32; 64 on AMD's GPUs up to
 * GFX9, where halves may also be groups of their own; 32 from GFX10 on, where ds_bpermute reaches
 * no further, be the wave of 32 or of 64. All lanes of a group, or threads of a block, take part.
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

/* What a call has to do with other threads, and with where its own thread runs. The targets'
 * intrinsics.def say so of those that they know. */
typedef enum tg_call_kind {
    TG_COMPUTES,     /* a value of its operands alone */
    TG_UNIFORM,      /* reads what all threads of a launch have alike */
    TG_READS_LAUNCH, /* reads a tg_launch_value */
    TG_HINT,         /* for the compiler or the scheduler: computes nothing */
    TG_EXCHANGES,    /* gets values of other lanes, or works on all lanes together */
    TG_WAITS,        /* for other threads, or for their memory */
    TG_LOCATES,      /* asks where or when its thread runs: lane, wave, processor, clock */
    TG_UPDATES,      /* memory, atomically */
    TG_SAMPLES,      /* reads or writes a texture or a surface */
    TG_CONVERGENT,   /* not known; marked convergent, so it may exchange values or wait */
    TG_UNKNOWN
} tg_call_kind;

/* A name that ends with '*' stands for all that begin so; the longest that fits counts. */
typedef struct tg_known_call {
    const char *name;
    tg_call_kind kind;
    tg_launch_value value; /* of TG_READS_LAUNCH, whose name goes on with x, y or z */
} tg_known_call;

typedef struct tg_target {
    const char *name;
    const char *triple;        /* what a module's starts with */
    const char *whole_blocks;  /* the attribute that says so, if it is not always so */
    const char *architectures; /* what users may name, with ", " between */
    bool lanes_by_arch;        /* the architecture says how many lanes a wave has */

    /* What its modules contain */
    const char *intrinsics; /* what its own ones start with */
    const tg_known_call *calls;
    size_t ncalls;
    const char *const *assembly; /* instructions that compute values of their operands alone */
    size_t nassembly;
    const char *const *texture; /* those that read or write textures and surfaces */
    size_t ntexture;
    unsigned kernel_convention; /* the calling convention that makes a function a kernel; .. */
    bool (*is_marked)(LLVMValueRef function); /* ..or what else does; may be NULL */
    /* Is it a launch value that is loaded from so many bytes behind `base`? May be NULL. */
    bool (*loads)(const char *base, int64_t at, unsigned bits, tg_launch_value *value, int *dim);
    /* Threads a block along d, where the kernel says that it has no others; else 0; may be NULL. */
    int (*required_size)(LLVMValueRef kernel, int d);
    int (*most_threads)(LLVMValueRef kernel); /* of a block, as the kernel promises; or 0 */
    int (*capability)(const char *cpu);       /* in gpus.h; NULL: what stands for all */

    int64_t scratchpad_size; /* bytes of static scratchpad that a block may have */

    /* Triple and data layout of a module. */
    void (*prepare)(LLVMModuleRef m, const char *arch);
    /* Makes `f` a kernel of blocks of exactly these threads, which use at most so many registers
     * each (0: no limit). */
    void (*mark_kernel)(LLVMValueRef f, const char *arch, const int block[3], int registers);
    /* Lets each thread use at most so many registers, where the kernel says nothing of it. NULL:
     * the target cannot be told. */
    void (*limit_registers)(LLVMValueRef kernel, int registers);

    /* Threads; see the functions of the same names below */
    LLVMValueRef (*launch)(LLVMBuilderRef b, tg_launch_value value, int d);
    LLVMValueRef (*reciprocal)(LLVMBuilderRef b, LLVMValueRef v);
    int (*group)(LLVMValueRef kernel);
    LLVMValueRef (*lane)(LLVMBuilderRef b, int lanes);
    LLVMValueRef (*exchange)(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes);
    LLVMValueRef (*shift)(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes);
    LLVMValueRef (*uniform)(LLVMBuilderRef b, LLVMValueRef v, int lanes);
    void (*barrier)(LLVMBuilderRef b);
    /* The i32 `v` of the lane `distance` away in a warp of `lanes`, which are all that the GPU's
     * have, or 32; beyond its ends, something. All lanes of the warp take part. */
    LLVMValueRef (*shuffle)(LLVMBuilderRef b, LLVMValueRef v, int distance, int lanes);
    /* Like `barrier`, between two warps, which both name barrier `number`, 1 to 15; or NULL. */
    void (*sync_pair)(LLVMBuilderRef b, LLVMValueRef number);
    /* The same between the lanes of a warp. */
    void (*sync_warp)(LLVMBuilderRef b);
    /* The same value, of which the optimiser knows nothing and which it computes before this point.
     * Else it computes the addresses of an unrolled loop in advance and keeps each in a register,
     * and puts sums off while it keeps what they are made of. */
    LLVMValueRef (*conceal)(LLVMBuilderRef b, LLVMValueRef v);

    /* Copies 16, 8 or 4 bytes from device memory to scratchpad, `offset` bytes after `to`, without
     * waiting; commits what was asked for as a group; waits until at most `pending` groups are
     * under way. */
    void (*copy_async)(LLVMBuilderRef b, LLVMValueRef to, int offset, LLVMValueRef from, int bytes);
    void (*copy_commit)(LLVMBuilderRef b);
    void (*copy_wait)(LLVMBuilderRef b, int pending);
    /* Words of 16 bytes in device memory, each stored and loaded as one by all threads of the
     * device, in no order with other accesses: whoever sees one of a word's four i32 sees all.
     * word_load loads where the i32 `on` is not 0; elsewhere `v` stays. All of `v` must be used, or
     * ptxas loads parts. NULL: the target has no such words. */
    void (*word_store)(LLVMBuilderRef b, LLVMValueRef to, LLVMValueRef const v[4]);
    void (*word_load)(LLVMBuilderRef b, LLVMValueRef from, LLVMValueRef v[4], LLVMValueRef on);
    unsigned scratchpad_space; /* address space */
    unsigned device_space;
    const char *device_scope; /* of atomic operations: all threads of the device */
    bool (*has_copy_async)(const char *arch);
    /* Has it instructions that do an addition, product or both of two floats, in pairs of
     * registers? */
    bool (*has_pairs)(const char *arch);

    /* Is the device's mathematical library at hand? Links it into a module that calls it. */
    bool (*has_math)(void);
    bool (*link_math)(LLVMModuleRef m, const char *arch, char *error, size_t size);
    /* The name of its function: "exp" -> "__nv_expf", "__ocml_exp_f32". */
    void (*math_name)(const char *base, bool is_double, char *out, size_t size);
    st_reason no_math; /* why a function of it is not to be had */
    /* Optimises the module, which is used up, and emits code for `arch`. `named`: the user asked
     * for this architecture, so emit final machine code too where an assembler is found. Appends
     * at most two images; returns how many, 0 with a message on failure. */
    int (*emit)(LLVMModuleRef m, const char *arch, bool named, tg_image *out, char *error,
                size_t size);
} tg_target;

/* What users may name, for messages. */
const char *tg_architectures(void);
/* The target that accepts `arch`, or NULL. */
const tg_target *tg_find(const char *arch);
/* The target that a module is for, by its triple; NULL if there is none. */
const tg_target *tg_of_module(LLVMModuleRef m);

/* Of a function, or a call in one, of a target's module */
bool tg_is_kernel(LLVMValueRef function); /* and not only declared */
/* By the tables; else by LLVM's attributes. */
tg_call_kind tg_call_kind_of(LLVMValueRef call);
/* May it also be made of other operands, where the program does not call it? It computes, ends, and
 * is defined for all of them. */
bool tg_may_repeat(LLVMValueRef call);
/* Does inline assembly compute a value of its operands alone? assembly.c */
bool tg_assembly_computes(const tg_target *t, LLVMValueRef call);
bool tg_assembly_samples(const tg_target *t, LLVMValueRef call); /* a texture or a surface */
/* What the tables say of a function; NULL: nothing. `t` may be NULL. */
const tg_known_call *tg_known(const tg_target *t, const char *name);
/* Does the call read a launch value? */
bool tg_reads(LLVMValueRef call, tg_launch_value *value, int *dim);
/* Is it a launch value that is loaded, `bits` wide, from so many bytes behind a call's result? */
bool tg_loads(LLVMValueRef base, int64_t at, unsigned bits, tg_launch_value *value, int *dim);
/* What gpus.h knows the GPU by that a device function is compiled for; of others, the one that
 * stands for it there. */
int tg_capability(LLVMValueRef function);
/* Do all blocks of its launches have the same threads? OpenCL's may have fewer at the end. */
bool tg_has_whole_blocks(LLVMValueRef function);
/* Threads a block along d, where the kernel says that it is launched with no others; else 0. */
int tg_required_size(LLVMValueRef kernel, int d);
/* The most threads of a block that the kernel promises; 0: it promises nothing. */
int tg_most_threads(LLVMValueRef kernel);
/* Functions that do not say which GPU they are compiled for say `cpu`. Empty: as they are. */
void tg_name_cpu(LLVMModuleRef m, const char *cpu);
void tg_add_attribute(LLVMValueRef kernel, const char *name, const char *value); /* intrinsic.c */
void tg_limit_registers(LLVMValueRef kernel, int registers);
/* Bytes of static scratchpad that a block may have. */
int64_t tg_scratchpad_limit(LLVMModuleRef m);

/* In the module that b builds in */

/* Reads a launch value along dimension d (0: x), as i32. */
LLVMValueRef tg_launch(LLVMBuilderRef b, tg_launch_value value, int d);
/* The target's approximation of 1 / v, one unit in the last place off at most; v: float,
 * and normal, or nobody uses it. */
LLVMValueRef tg_reciprocal(LLVMBuilderRef b, LLVMValueRef v);
/* The largest group on the kernel's target: 32 or 64. The target is not known well: 32. */
int tg_group(LLVMValueRef kernel);
/* i32: the lane's number in its group of `lanes`, 32 or the largest. */
LLVMValueRef tg_lane(LLVMBuilderRef b, int lanes);
/* The i32 `v` of the group's lane `from`, which is taken modulo `lanes`. */
LLVMValueRef tg_exchange(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef from, int lanes);
/* The i32 `v` of the lane after (step 1) or before (-1); that at the group's end gets `edge`. */
LLVMValueRef tg_shift(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef edge, int step, int lanes);
/* The i32 `v`, which all lanes of a group have alike: where that is a wave, this makes it known. */
LLVMValueRef tg_uniform(LLVMBuilderRef b, LLVMValueRef v, int lanes);
/* Waits for the whole block, and makes scratchpad writes seen. */
void tg_barrier(LLVMBuilderRef b);

#endif
