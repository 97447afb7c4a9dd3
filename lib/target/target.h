/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A GPU family, as functions and limits. Nothing outside this folder names one.
 */
#ifndef STENCILOPT_TARGET_H
#define STENCILOPT_TARGET_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum tg_image_kind {
    TG_BITCODE,
    TG_PTX,
    TG_CUBIN,
    TG_HSACO
} tg_image_kind; /* as in region.h */

typedef struct tg_image {
    tg_image_kind kind;
    char arch[16];
    LLVMMemoryBufferRef bytes;
} tg_image;

typedef struct tg_target {
    const char *name;
    const char *triple;        /* what a module's starts with */
    const char *whole_blocks;  /* the attribute that says so, if it is not always so */
    const char *architectures; /* what users may name, with ", " between */
    /* Triple and data layout of a module. */
    void (*prepare)(LLVMModuleRef m, const char *arch);
    /* Makes `f` a kernel of blocks of exactly these threads, which use at most so many registers
     * each (0: no limit). */
    void (*mark_kernel)(LLVMValueRef f, const char *arch, const int block[3], int registers);
    /* The i32 `v` of the lane `distance` away in a warp of `lanes`, which are all that the GPU's
     * have, or 32; beyond its ends, something. All lanes of the warp take part. */
    LLVMValueRef (*shuffle)(LLVMBuilderRef b, LLVMValueRef v, int distance, int lanes);
    /* Like tg_barrier, between two warps, which both name barrier `number`, 1 to 15; or NULL. */
    void (*sync_pair)(LLVMBuilderRef b, LLVMValueRef number);
    /* The same between the lanes of a warp. */
    void (*sync_warp)(LLVMBuilderRef b);
    /* The same value, of which the optimiser knows nothing and which it computes before this point.
     * Else it computes the addresses of an unrolled loop in advance and keeps each in a register,
     * and puts sums off while it keeps what they are made of. */
    LLVMValueRef (*conceal)(LLVMBuilderRef b, LLVMValueRef v);
    /* Copies 16 bytes from device memory to scratchpad, `offset` bytes after `to`, without waiting;
     * commits what was asked for as a group; waits until at most `pending` groups are under way. */
    void (*copy_async)(LLVMBuilderRef b, LLVMValueRef to, int offset, LLVMValueRef from);
    void (*copy_commit)(LLVMBuilderRef b);
    void (*copy_wait)(LLVMBuilderRef b, int pending);
    unsigned scratchpad_space; /* address space */
    unsigned device_space;
    const char *device_scope; /* of atomic operations: all threads of the device */
    bool (*has_copy_async)(const char *arch);
    /* Has it instructions that do an addition, product or both of two floats, in pairs of
     * registers?
     */
    bool (*has_pairs)(const char *arch);
    /* Is the device's mathematical library at hand? Links it into a module that calls it. */
    bool (*has_math)(void);
    bool (*link_math)(LLVMModuleRef m, const char *arch, char *error, size_t size);
    /* The name of its function: "exp" -> "__nv_expf", "__ocml_exp_f32". */
    void (*math_name)(const char *base, bool is_double, char *out, size_t size);
    /* Optimises the module, which is used up, and emits code for `arch`. `named`: the user asked
     * for this architecture, so emit final machine code too where an assembler is found. Appends
     * at most two images; returns how many, 0 with a message on failure. */
    int (*emit)(LLVMModuleRef m, const char *arch, bool named, tg_image *out, char *error,
                size_t size);
} tg_target;

extern const tg_target tg_nvptx;
extern const tg_target tg_amdgcn;

/* What users may name, for messages. */
const char *tg_architectures(void);
/* The target that accepts `arch`, or NULL. */
const tg_target *tg_find(const char *arch);
/* The target that a module is for, by its triple; NULL if there is none. */
const tg_target *tg_of_module(LLVMModuleRef m);
/* What gpus.h knows the GPU by that a device function is compiled for; of others, the one that
 * stands for it there. */
int tg_capability(LLVMValueRef function);
/* Do all blocks of its launches have the same threads? OpenCL's may have fewer at the end. */
bool tg_has_whole_blocks(LLVMValueRef function);

#endif
