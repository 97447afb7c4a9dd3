/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a device module becomes a host module, stage by stage (load.c has the order):
 * prepare (inline, strip), lower (intrinsics become calls or plain IR), guard (each access is
 * checked), scratchpad layout (arrays become offsets), driver (one entry per kernel), JIT.
 */
#ifndef STENCILSIM_LOWER_H
#define STENCILSIM_LOWER_H

#include "sim/machine/loaded.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdarg.h>

/* Offsets of the fields of sim_thread and sim_worker that compiled code reads. */
enum {
    SIM_THREAD_ID = 0,
    SIM_THREAD_LINEAR = 12,
    SIM_THREAD_WORKER = 16,
    SIM_WORKER_NTID = 0,
    SIM_WORKER_CTAID = 12,
    SIM_WORKER_NCTAID = 24,
    SIM_WORKER_WAVE = 36,
    SIM_WORKER_SCRATCHPAD = 40,
    SIM_WORKER_CACHES = 48,
    SIM_WORKER_IMPLICIT = 56,
    SIM_WORKER_DISPATCH = 64,
    SIM_WORKER_DYNAMIC = 72,
    SIM_WORKER_STATIC = 76
};

enum { SIM_SPACE_GLOBAL = 1, SIM_SPACE_SHARED = 3, SIM_SPACE_CONSTANT = 4, SIM_SPACE_PRIVATE = 5 };

/* Values that every function gets. The ids are tid, ntid, ctaid and nctaid, each with x, y and z.
 */
enum {
    SIM_ENV_THREAD,
    SIM_ENV_WORKER,
    SIM_ENV_SCRATCHPAD,
    SIM_ENV_CACHES,
    SIM_ENV_IDS,
    SIM_ENV_COUNT = SIM_ENV_IDS + 12
};

typedef struct sim_function {
    LLVMValueRef value;
    sim_kernel *kernel; /* NULL for a device function that was not inlined */
    LLVMValueRef env[SIM_ENV_COUNT];
    bool synchronises;
    /* The kernel is AMDGPU code for waves of 64 and GFX10 or later, where some instructions work on
     * halves. */
    bool halves;
} sim_function;

typedef struct sim_lower {
    stencilsim_module *out;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout; /* the host's data layout */
    LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, pointer, void_type;
    sim_function *functions;
    size_t nfunctions;
    sim_function *function; /* the function that is lowered now */
    unsigned own_kind;      /* metadata kind: this value needs no check */
    LLVMValueRef check;     /* the inlined bounds check */
    char *error;
    size_t error_size;
    bool failed;
} sim_lower;

/* One way to lower a call. `name` is exact, or a prefix when it ends with '*'. `lower` returns the
 * call's replacement, or NULL where there is none to make (void, or after sim_lower_fail). */
typedef struct sim_rule sim_rule;
struct sim_rule {
    const char *name;
    LLVMValueRef (*lower)(sim_lower *lower, LLVMValueRef call, const sim_rule *rule);
    int a, b;
};
LLVMValueRef sim_lower_nvvm_math(sim_lower *lower, LLVMValueRef call, const sim_rule *rule);
extern const sim_rule sim_rules_common[];

/* A target's modules: lower/nvptx.c and lower/amdgcn.c have one each. */
typedef struct sim_dialect {
    const char *triple; /* what a module's starts with */
    unsigned kernel_convention;
    const sim_rule *rules;
    uint32_t wave;     /* lanes of a wave, if the launch does not say */
    const char *waves; /* the numbers of lanes that a launch may choose */
} sim_dialect;
extern const sim_dialect sim_nvptx, sim_amdgcn;

bool sim_lower_fail(sim_lower *lower, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The stages, in order. Each returns false after sim_lower_fail. */
bool sim_prepare(sim_lower *lower);
/* Shuffles of all lanes by constants; sim_lower_calls lowers the others. */
bool sim_lower_shuffles(sim_lower *lower);
bool sim_lower_calls(sim_lower *lower);
bool sim_lower_asm(sim_lower *lower, LLVMValueRef call, LLVMValueRef *replacement);
bool sim_guard(sim_lower *lower);
bool sim_lay_out_scratchpad(sim_lower *lower);
bool sim_retarget(sim_lower *lower);
bool sim_emit_drivers(sim_lower *lower);
bool sim_compile(sim_lower *lower, LLVMOrcThreadSafeContextRef context);
bool sim_compile_kernel(sim_lower *lower, sim_kernel *kernel);

/* Helpers for rules. */
/* A rule: the call becomes its first operand. */
LLVMValueRef sim_same(sim_lower *lower, LLVMValueRef call, const sim_rule *rule);
LLVMValueRef sim_operand(LLVMValueRef call, unsigned index);
LLVMValueRef sim_const32(sim_lower *lower, uint64_t value);
LLVMValueRef sim_const64(sim_lower *lower, uint64_t value);
uint32_t sim_new_site(sim_lower *lower, LLVMValueRef instruction, sim_access_kind kind,
                      uint64_t bytes, uint64_t element_bytes, unsigned alignment);
LLVMValueRef sim_env(sim_lower *lower, unsigned which);
LLVMValueRef sim_call_helper(sim_lower *lower, const char *name, LLVMTypeRef result,
                             LLVMValueRef *args, unsigned nargs);
/* The lesser or greater of two floats, or of each pair of two vectors. Of a number and a NaN: the
 * number. -0.0 is less than +0.0. GPUs do the same. (LLVM 22 makes wrong code of llvm.maximumnum
 * for AVX-512, and llvm.maxnum differs from processor to processor.) */
LLVMValueRef sim_extreme(sim_lower *lower, LLVMValueRef x, LLVMValueRef y, bool is_max);
LLVMValueRef sim_call_intrinsic(sim_lower *lower, const char *name, LLVMTypeRef *overloads,
                                unsigned noverloads, LLVMValueRef *args, unsigned nargs);
/* A call of an intrinsic that maps one value to another of its type. */
LLVMValueRef sim_call_unary(sim_lower *lower, const char *name, LLVMValueRef value);
const char *sim_callee_name(LLVMValueRef call);
LLVMValueRef sim_load_field(sim_lower *lower, LLVMValueRef base, unsigned offset, LLVMTypeRef type);
/* Fills env[0 .. SIM_ENV_COUNT) from a sim_thread and its sim_worker. */
void sim_load_env(sim_lower *lower, LLVMValueRef thread, LLVMValueRef worker, LLVMValueRef *env);
LLVMValueRef sim_address(sim_lower *lower, LLVMValueRef pointer);
/* sim_to_bits makes an i64 of any value of at most 64 bits; sim_from_bits makes the value again.
 * NULL, after failing, if the value is larger. */
LLVMValueRef sim_to_bits(sim_lower *lower, LLVMValueRef value);
LLVMValueRef sim_from_bits(sim_lower *lower, LLVMValueRef bits, LLVMTypeRef type);
/* A meeting of lanes. mask NULL: the active lanes. Operands that the operation lacks are NULL. */
LLVMValueRef sim_call_wave(sim_lower *lower, LLVMValueRef at, sim_wave_op op, LLVMValueRef mask,
                           LLVMValueRef a, LLVMValueRef b, LLVMValueRef c, LLVMValueRef d);
LLVMValueRef sim_call_barrier(sim_lower *lower, LLVMValueRef at, sim_barrier_kind kind,
                              LLVMValueRef id, LLVMValueRef count, LLVMValueRef predicate);
LLVMValueRef sim_call_copy(sim_lower *lower, LLVMValueRef at, LLVMValueRef to, LLVMValueRef from,
                           LLVMValueRef bytes, LLVMValueRef source_bytes);
LLVMValueRef sim_lane(sim_lower *lower);
/* Marks an access that is not checked: one of the library itself, or one to the kernel's arguments.
 */
void sim_mark_own(sim_lower *lower, LLVMValueRef instruction);

#endif
