/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The bridge: what LLVM's C API lacks, as C. Loops, scalar evolution, dominators,
 * remarks, command-line options and pass registration of the running LLVM, behind
 * opaque handles. No stencil knowledge and no decisions live here, and LLVM-version conditionals
 * live nowhere else.
 *
 * Handles are borrowed: loops and expressions belong to their br_function and die with it.
 */
#ifndef STENCILOPT_BRIDGE_H
#define STENCILOPT_BRIDGE_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <llvm/Config/llvm-config.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct br_function br_function;  /* a function's analyses */
typedef struct br_loop_s *br_loop;       /* llvm::Loop */
typedef const struct br_scev_s *br_scev; /* llvm::SCEV, uniqued: equal pointers are equal */

/* `analyses` is the handle a pass receives. Analyses are computed when first asked for. */
br_function *br_function_open(LLVMValueRef function, void *analyses);
void br_function_close(br_function *f);
/* After the control flow changed. All loops and expressions die. */
void br_function_invalidate(br_function *f);
/* What a user of the expressions keeps with them, NULL at first and after br_function_invalidate.
 * `release` is called for each when the function is closed. */
void *br_function_kept(br_function *f);
void br_function_keep(br_function *f, void *kept, void (*release)(void *kept));
/* Erases blocks that control never reaches, in which values may be made of themselves. Is that a
 * change? */
bool br_function_clean(br_function *f);
/* Likewise, once branches on constants go where they always go. */
bool br_function_fold(br_function *f);
/* Another function of the module: opened; and the same as br_function_invalidate. */
br_function *br_function_open_other(br_function *f, LLVMValueRef other);
void br_function_invalidate_other(br_function *f, LLVMValueRef other);
/* Does a copy of the function do what the function does? Not if a block's address is taken, control
 * is bound to its place (indirect jumps, coroutines, setjmp, calls in place of a return), or a
 * value is (tokens, calls that may not be duplicated). */
bool br_may_copy(LLVMValueRef function);
/* A copy in the same module, with the function's source locations, under the function's name. NULL
 * unless br_may_copy. */
br_function *br_function_copy(br_function *f, LLVMValueRef *copy);
/* The block of a fresh copy that was this one of the original. */
LLVMBasicBlockRef br_function_copied(br_function *copy, LLVMBasicBlockRef original);
void br_function_erase(br_function *copy); /* closes it, too */
/* The function takes over the blocks and attributes of its copy, which was changed. Where these go
 * to `body`, a block that is not their first, they go to the function's own first block instead.
 * The copy is empty then, and only good for br_function_erase. */
void br_function_adopt(br_function *copy, LLVMBasicBlockRef body);

/* Is the value a branch, to one block or two; to two? */
bool br_is_branch(LLVMValueRef v);
bool br_is_conditional(LLVMValueRef v);
/* Of a switch, whose successor 0 is the default. */
LLVMValueRef br_case_value(LLVMValueRef branch, unsigned successor);
/* Tests in place of the switch, one after the other. Call br_function_invalidate. */
void br_test_cases(LLVMValueRef branch);

/* A loop of one iteration around so many blocks, into which control comes from the end of `from`
 * alone, and out to `to` alone: its branch back, on a constant, is returned. NULL if impossible.
 * Call br_function_invalidate. */
LLVMValueRef br_wrap(LLVMBasicBlockRef from, LLVMBasicBlockRef *blocks, size_t count,
                     LLVMBasicBlockRef to);

/* A copy of so many blocks, the twins, that runs in place of these if the condition holds. Control
 * comes to the first of the blocks alone, by an unconditional branch at the end of `from` or from
 * among them, and phis behind them stand for their values. Each way out of the twins is a block of
 * its own; *nouts are all of these, also beyond the capacity. Returns the block that leads to the
 * twins. Call br_function_invalidate. */
LLVMBasicBlockRef br_twin(LLVMBasicBlockRef from, const LLVMBasicBlockRef *blocks, size_t count,
                          LLVMValueRef condition, LLVMBasicBlockRef *twins, LLVMBasicBlockRef *outs,
                          size_t capacity, size_t *nouts);
/* The ways from so many blocks to another one lead over a new block, which is returned. NULL:
 * impossible. */
LLVMBasicBlockRef br_join(LLVMBasicBlockRef *from, size_t count, LLVMBasicBlockRef to);
/* Puts the function's body in place of the call. False: it cannot be. */
bool br_inline(LLVMValueRef call);

/* To change control flow without regard to values, until the pass mem2reg: memory on the stack for
 * what an instruction computes; in place of a phi, for its value on each edge; NULL if it has no
 * uses. */
LLVMValueRef br_demote(LLVMValueRef instruction);
LLVMValueRef br_demote_phi(LLVMValueRef phi); /* which is gone then */
/* What begins with the instruction becomes a block of its own. Call br_function_invalidate. */
LLVMBasicBlockRef br_split_before(LLVMValueRef instruction);
/* The loop that ends with branch `to` has the properties of the loop that ends with `from`. */
void br_copy_loop_properties(LLVMValueRef from, LLVMValueRef to);
/* May the instruction change what the load reads? */
bool br_may_change(br_function *f, LLVMValueRef instruction, LLVMValueRef load);

bool br_may_write(LLVMValueRef instruction); /* memory, errno and the like included; or throw */

bool br_is_optnone(LLVMValueRef function); /* the program wants it as it is */

/* Loops. */
bool br_may_loop(LLVMValueRef function); /* if not, there are none; cheaper than to find them */
size_t br_loops(br_function *f, br_loop *out, size_t capacity); /* all, outer before inner */
br_loop br_loop_of(br_function *f, LLVMBasicBlockRef block);    /* the innermost one; or NULL */
br_loop br_loop_parent(br_loop l);
size_t br_loop_children(br_loop l, br_loop *out, size_t capacity);
LLVMBasicBlockRef br_loop_header(br_loop l);
LLVMBasicBlockRef br_loop_latch(br_loop l);         /* NULL unless exactly one */
LLVMBasicBlockRef br_loop_exiting_block(br_loop l); /* NULL unless exactly one */
LLVMBasicBlockRef br_loop_exit_block(br_loop l);    /* NULL unless exactly one */
bool br_loop_contains(br_loop l, LLVMBasicBlockRef block);
size_t br_loop_blocks(br_loop l, LLVMBasicBlockRef *out, size_t capacity); /* header first */
LLVMBasicBlockRef br_loop_block(br_loop l, size_t i); /* likewise; NULL if there are no more */
/* Makes a preheader and LCSSA form; returns the preheader, NULL if impossible. */
LLVMBasicBlockRef br_loop_prepare(br_function *f, br_loop l);
/* Marks it as one that LLVM's passes are to unroll: fully, or so many times unless the program says
 * how often, or that code is to be small. */
/* What LLVM's passes have made of the loops of the nest before: "vectorised" or "unrolled"; else
 * NULL. */
const char *br_loop_optimised(br_loop l);
/* Does one of the loop's exits lead to where the program ends, and nowhere else? */
bool br_loop_has_failing_exit(br_loop l);
void br_loop_want_unrolled_fully(br_loop l);
void br_loop_want_unrolled(br_loop l, unsigned times);

/* Marks the loop as one that LLVM's passes do not peel, nor, if that is asked for, unswitch, nor
 * unroll unless the program says how; false if it is marked already. br_function_split takes that
 * back for all loops of a function and does what was kept from these passes, at the greatest level;
 * false: no loop was marked. */
bool br_loop_keep_whole(br_loop l, unsigned level, bool unswitch, bool rolled);
bool br_function_split(br_function *f); /* and br_function_invalidate */

/* Takes off what makes a result poison where operands are not: no wrapping, exact, inbounds. */
void br_drop_promises(LLVMValueRef instruction);
/* Likewise, and what attributes and metadata promise of the result and of arguments. */
void br_drop_annotations(LLVMValueRef instruction);

bool br_dominates(br_function *f, LLVMBasicBlockRef a, LLVMBasicBlockRef b);
/* Of two instructions of one block: does a come first, or are they the same? False for others. */
bool br_earlier_in_block(LLVMValueRef a, LLVMValueRef b);
/* Likewise, of any: where blocks differ, that of a dominates. */
bool br_comes_first(br_function *f, LLVMValueRef a, LLVMValueRef b);

/* Scalar evolution. */
enum br_scev_kind {
    BR_CONSTANT,
    BR_UNKNOWN, /* a value */
    BR_ADD,
    BR_MUL,
    BR_ADDREC, /* operands: start, step, ... over a loop */
    BR_ZEXT,
    BR_SEXT,
    BR_TRUNC,
    BR_PTRTOINT,
    BR_UDIV, /* operands: dividend, divisor */
    BR_SMAX, /* of two operands or more, likewise the next three */
    BR_SMIN,
    BR_UMAX,
    BR_UMIN,
    BR_OTHER
};
br_scev br_scev_of(br_function *f, LLVMValueRef v);
void br_scev_forget(br_function *f); /* after operands of instructions changed */
enum br_scev_kind br_scev_kind(br_scev s);
size_t br_scev_count(br_scev s); /* operands */
br_scev br_scev_operand(br_scev s, size_t i);
LLVMValueRef br_scev_value(br_scev s);       /* of BR_UNKNOWN */
bool br_scev_int(br_scev s, int64_t *value); /* if BR_CONSTANT: sign-extended, if it fits */
br_loop br_scev_loop(br_scev s);             /* of BR_ADDREC */
unsigned br_scev_bits(br_function *f, br_scev s);
bool br_scev_is_pointer(br_scev s);
/* What ScalarEvolution knows of the value of an integer of at most 64 bits: signed; and as an
 * unsigned number where control is in the loop. */
void br_scev_signed_range(br_function *f, br_scev s, int64_t *least, int64_t *greatest);
uint64_t br_scev_greatest(br_function *f, br_scev s, br_loop l);
/* Does not change in l; or is computed in l, without effects, from what does not. */
bool br_scev_invariant(br_function *f, br_scev s, br_loop l);
/* a / b if that has no remainder, whatever values they stand for; else NULL. */
br_scev br_scev_quotient(br_function *f, br_scev a, br_scev b);
br_scev br_scev_zext(br_function *f, br_scev s, unsigned bits);
/* The low `bits` bits (all, if it has no more), sign-extended to 64. */
br_scev br_scev_sext_low(br_function *f, br_scev s, unsigned bits);
/* ((the low bits, sign-extended to 64) + offset) mod divisor, of a sum that is not negative. */
br_scev br_scev_remainder(br_function *f, br_scev s, int64_t offset, unsigned divisor);
br_scev br_scev_at_exit(br_function *f, LLVMValueRef v, br_loop l); /* value after the loop */
br_scev br_backedge_count(br_function *f, br_loop l); /* NULL if not computable in 64 bits */
/* The count if these recurrences do not wrap until then, as signed or unsigned numbers; at most
 * `capacity` of them. NULL if it cannot be computed so either. */
typedef struct br_no_wrap {
    br_scev recurrence;
    bool is_signed;
} br_no_wrap;
br_scev br_backedge_count_if(br_function *f, br_loop l, br_no_wrap *conditions, size_t capacity,
                             size_t *count);
/* Expanded, divisions do not trap, for the program may not come to them. */
bool br_scev_expandable(br_function *f, br_scev s, LLVMValueRef before);
LLVMValueRef br_scev_expand(br_function *f, br_scev s, LLVMTypeRef type, LLVMValueRef before);

/* Remarks and errors. */
enum br_remark_kind { BR_PASSED, BR_MISSED, BR_ANALYSIS };
/* A part of a remark. With a key it is a value, which records of remarks (YAML) have by its key. */
typedef struct br_piece {
    const char *key; /* NULL: text alone */
    const char *text;
    bool hidden; /* a value that is in records only; behind all that is printed */
} br_piece;
/* At the source location of `l`, or of the function if NULL. `pass` is what -Rpass= matches. The
 * message is all pieces that are not hidden, one after the other. */
void br_remark(br_function *f, br_loop l, enum br_remark_kind kind, const char *pass,
               const char *name, const br_piece *pieces, size_t count);
/* Remarks of any pass about functions whose names begin with `prefix`, a literal, are not printed
 * from now on. Records of remarks have them. */
void br_hide_remarks(LLVMContextRef context, const char *prefix);
/* A function as its author wrote it, without parameters: heat::step. */
void br_source_name(LLVMValueRef function, char *out, size_t size);
/* "file.c:12 (function)" or, without debug information, "function". */
void br_location(br_loop l, LLVMValueRef function, char *out, size_t size);
void br_function_location(LLVMValueRef function, char *out, size_t size); /* likewise */
void br_error(LLVMContextRef context, const char *message);               /* compilation fails */

/* A zstd frame that tells its content's size; NULL where LLVM was built without zstd. */
LLVMMemoryBufferRef br_compress(const char *bytes, size_t size, int level);
void br_fatal(const char *message); /* the user's mistake: ends the compiler with this error */

/* Options: registers -<name>=<value> once a process; the value is NULL until given. The handle
 * lives as long as the process. NULL if another copy of the plugin registered it. */
typedef struct br_option br_option;
br_option *br_option_register(const char *name, const char *help);
const char *br_option_value(const br_option *o);

/* Passes. */
typedef struct br_pass {
    const char *name; /* matches `name` and `name<parameters>` in pass text */
    /* NULL if the parameters are good, else a message (static or thread-local storage). */
    const char *(*check)(const char *parameters);
    /* True if the module was changed. */
    bool (*run)(LLVMModuleRef module, void *analyses, const char *parameters);
    bool early; /* also runs in clang's pipelines, at OptimizerEarly, from -O1 on */
    /* It calls br_function_invalidate for each function that it changes: what is known of the
     * others need not be found again. */
    bool invalidates;
    bool optional; /* -opt-bisect-limit and the like may skip it */
} br_pass;
/* What llvmGetPassPluginInfo() returns: mirrors llvm::PassPluginLibraryInfo. */
typedef struct br_plugin_info {
    uint32_t api_version;
    const char *name, *version;
    void (*register_passes)(void *pass_builder);
#if LLVM_VERSION_MAJOR >= 22
    void *pre_codegen;
#endif
} br_plugin_info;
uint32_t br_plugin_api_version(void);
/* `simplify` is called for each function in clang's pipelines from -O2 on, before LLVM's passes
 * change its loops; it may mark these, and is to say so. The marks are taken back after the early
 * passes. At most 8 passes; the list is kept. */
typedef bool br_simplify(br_function *f, LLVMValueRef function, unsigned level);
void br_register_passes(void *pass_builder, const br_pass *passes, size_t count,
                        br_simplify *simplify);

/* Passes by their text, as opt's -passes takes it, for a module that is compiled for that machine;
 * NULL: for none. `register_passes` is what the plugin's entry returned. NULL if the text is none;
 * *problem then says why, to be freed. */
typedef struct br_pipeline br_pipeline;
br_pipeline *br_pipeline_parse(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *text,
                               void (*register_passes)(void *builder), char **problem);
void br_pipeline_run(br_pipeline *p); /* once; p is gone then */

/* Of passes that may be left out, those run that a caller wants; NULL: all run. `run` is how often
 * the pass came to its function before. */
typedef bool br_wants(const char *pass, unsigned run);

/* Runs LLVM's passes of -O3 on a module, which is for that machine. */
void br_optimise(LLVMModuleRef module, LLVMTargetMachineRef machine, br_wants *wants);

/* LLVMTargetMachineEmitToMemoryBuffer without the code generator's passes that are not wanted. */
bool br_generate(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMCodeGenFileType type,
                 br_wants *wants, char **message, LLVMMemoryBufferRef *out);

#ifdef __cplusplus
}
#endif
#endif
