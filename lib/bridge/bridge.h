/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The bridge offers in C what LLVM's C API lacks: loops, scalar evolution, dominators, remarks,
 * command-line options and the registration of passes, behind opaque handles. The bridge knows
 * nothing of stencils and decides nothing. Code that depends on LLVM's version is here alone.
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
typedef const struct br_scev_s *br_scev; /* llvm::SCEV; equal expressions are equal pointers */

/* `analyses` is the handle that a pass receives. An analysis is computed when it is first asked
 * for. */
br_function *br_function_open(LLVMValueRef function, void *analyses);
void br_function_close(br_function *f);
/* To be called after a change of control flow. All loops and expressions die. */
void br_function_invalidate(br_function *f);
/* Memory that a user of the expressions keeps with the function. NULL at first, and after
 * br_function_invalidate. `release` is called for each such memory when the function is closed. */
void *br_function_kept(br_function *f);
void br_function_keep(br_function *f, void *kept, void (*release)(void *kept));
/* Erases blocks that control never reaches, whose values may depend on themselves. True if there
 * were some. */
bool br_function_clean(br_function *f);
/* As br_function_clean. Before that, replaces branches on constants by unconditional ones. */
bool br_function_fold(br_function *f);
/* br_function_open_other opens another function of the module. br_function_invalidate_other does
 * for it what br_function_invalidate does. */
br_function *br_function_open_other(br_function *f, LLVMValueRef other);
void br_function_invalidate_other(br_function *f, LLVMValueRef other);
/* Would a copy of the function do the same? No, if the address of a block is taken; if control is
 * bound to its place (indirect jumps, coroutines, setjmp, tail calls that must stay); or if a value
 * is (tokens, calls that may not be duplicated). */
bool br_may_copy(LLVMValueRef function);
/* Makes a copy in the same module. The copy has the function's source locations and is known by its
 * name. NULL unless br_may_copy. */
br_function *br_function_copy(br_function *f, LLVMValueRef *copy);
/* The block of a new copy that corresponds to this block of the original. */
LLVMBasicBlockRef br_function_copied(br_function *copy, LLVMBasicBlockRef original);
/* The function of which it is a copy, whom others call; of no copy the function itself. */
LLVMValueRef br_function_original(br_function *f);
/* Gives the original its name, so that the next of several copies is known by it, too. */
void br_function_give_name_back(br_function *copy);
void br_function_erase(br_function *copy); /* also closes it */
/* Moves the blocks and attributes of the changed copy into the function. `body`, a block that is
 * not the copy's first, is replaced as a branch target by the function's own first block.
 * Afterwards the copy is empty and can only be erased. */
void br_function_adopt(br_function *copy, LLVMBasicBlockRef body);
/* Puts another global variable in the place of one, also inside constant expressions. */
void br_function_replace(LLVMValueRef function, LLVMValueRef variable, LLVMValueRef by);
/* Drops constant expressions of the variable that nothing uses. */
void br_drop_dead_constants(LLVMValueRef variable);

/* br_is_branch: a branch to one or two blocks. br_is_conditional: a branch to two. */
bool br_is_branch(LLVMValueRef v);
bool br_is_conditional(LLVMValueRef v);
/* The value for which a switch goes to this successor. Successor 0 is the default. */
LLVMValueRef br_case_value(LLVMValueRef branch, unsigned successor);
/* Replaces a switch by tests, one after the other. Call br_function_invalidate afterwards. */
void br_test_cases(LLVMValueRef branch);

/* Puts a loop of one iteration around these blocks. Control must enter them only from the end of
 * `from`, and leave them only to `to`. Returns the loop's branch back, which is on a constant. NULL
 * if that is impossible. Call br_function_invalidate afterwards. */
LLVMValueRef br_wrap(LLVMBasicBlockRef from, LLVMBasicBlockRef *blocks, size_t count,
                     LLVMBasicBlockRef to);

/* Copies blocks. The copies are the twins, and run instead of the blocks if the condition holds.
 * Control must enter the first block only, by an unconditional branch at the end of `from` or from
 * among the blocks. Behind the blocks, phis must hold their values. Each way out of the twins gets
 * a block of its own, which goes to `outs`; *nouts is their number, which may exceed the capacity.
 * Returns the block that leads to the twins. Call br_function_invalidate afterwards. */
LLVMBasicBlockRef br_twin(LLVMBasicBlockRef from, const LLVMBasicBlockRef *blocks, size_t count,
                          LLVMValueRef condition, LLVMBasicBlockRef *twins, LLVMBasicBlockRef *outs,
                          size_t capacity, size_t *nouts);
/* The instruction of the twins that is this one's, by its place in the block; itself if none of the
 * blocks has it. Nothing may have been added or taken away since. */
LLVMValueRef br_twin_of(const LLVMBasicBlockRef *blocks, size_t count,
                        const LLVMBasicBlockRef *twins, LLVMValueRef i);
/* Block `from` goes to a block that goes to the first of the blocks. Puts a copy of the blocks
 * between, as br_twin's. It runs if the condition holds. Where it would come to block number
 * `sought` it goes on to the block between; else, also once it came to block number `counted` more
 * than `limit` times, past that to the blocks. Nothing that the copy may come to may have effects.
 */
void br_search(LLVMBasicBlockRef from, const LLVMBasicBlockRef *blocks, size_t count,
               LLVMValueRef condition, size_t sought, size_t counted, uint64_t limit);
/* Redirects the branches from these blocks to `to` over a new block, and returns that. NULL if that
 * is impossible. */
LLVMBasicBlockRef br_join(LLVMBasicBlockRef *from, size_t count, LLVMBasicBlockRef to);
/* In the phis of `to`, `from` gets the values that come from `like`. */
void br_come_from(LLVMBasicBlockRef to, LLVMBasicBlockRef like, LLVMBasicBlockRef from);
/* The function that v calls, if its body may take the call's place: it is in the module, will not
 * be replaced by another one, and the program does not forbid it. Otherwise NULL. */
LLVMValueRef br_inlinable(LLVMValueRef v);
/* Replaces the call by the function's body. False if that is impossible. */
bool br_inline(LLVMValueRef call);
/* Is it a call of a library function, such as a sine, that is inlined behind our passes alone? */
bool br_is_put_off(LLVMValueRef call);

/* For changes of control flow that need not care about values, until the pass mem2reg runs.
 * br_demote keeps what an instruction computes in memory on the stack. br_demote_phi replaces a phi
 * by memory that each incoming edge stores to. Both return the memory, or NULL if the value has no
 * uses. */
LLVMValueRef br_demote(LLVMValueRef instruction);
LLVMValueRef br_demote_phi(LLVMValueRef phi); /* erases the phi */
void br_demote_phis(LLVMBasicBlockRef block);
/* Splits the block: the instruction and those behind it get a new block. Call
 * br_function_invalidate afterwards. */
LLVMBasicBlockRef br_split_before(LLVMValueRef instruction);
/* Gives the properties of the loop that ends with branch `from` to the loop that ends with `to`. */
void br_copy_loop_properties(LLVMValueRef from, LLVMValueRef to);
/* May the instruction change the memory that the load reads, in the same iterations of the loops
 * around both? br_may_ever_change: in whatever iterations. */
bool br_may_change(br_function *f, LLVMValueRef instruction, LLVMValueRef load);
bool br_may_ever_change(br_function *f, LLVMValueRef instruction, LLVMValueRef load);
/* Is there memory at the load's address, even where control does not come to the load? */
bool br_is_always_there(LLVMValueRef load);
/* Moves the load in front of the instruction, where what it loads may be anything. */
void br_load_earlier(LLVMValueRef load, LLVMValueRef before);
/* Is it memory that the function allocates, and whose address it gives to no one who keeps it? */
bool br_is_kept_to_itself(LLVMValueRef base);
/* May the instruction read or change the memory of this load or store? */
bool br_may_touch(br_function *f, LLVMValueRef instruction, LLVMValueRef access);
/* The size of the member of a struct that a copy of the struct has at this offset; 0: it is not
 * known. br_tag_member tells the load or store of such a member of which type it is. */
int64_t br_member_size(LLVMValueRef copy, int64_t offset);
void br_tag_member(LLVMValueRef copy, int64_t offset, LLVMValueRef access);
/* What an address starts from, and by how many bytes the address is behind that, which is a
 * constant. */
LLVMValueRef br_base_and_offset(LLVMValueRef address, int64_t *offset);

/* memory, including errno and the like; or it may throw */
bool br_may_write(LLVMValueRef instruction);
/* May LLVM vectorise calls of the function by those of a library, which may give other bits? */
bool br_has_vector_form(br_function *f, const char *name);

bool br_is_optnone(LLVMValueRef function); /* the program does not want it to be changed */

/* Loops. */
bool br_may_loop(LLVMValueRef function); /* a cheap test; false if the function has no loops */
size_t br_loops(br_function *f, br_loop *out, size_t capacity); /* all loops, outer before inner */
/* The innermost loop with the block, or NULL. */
br_loop br_loop_of(br_function *f, LLVMBasicBlockRef block);
br_loop br_loop_parent(br_loop l);
size_t br_loop_children(br_loop l, br_loop *out, size_t capacity);
LLVMBasicBlockRef br_loop_header(br_loop l);
LLVMBasicBlockRef br_loop_latch(br_loop l);         /* NULL unless exactly one */
LLVMBasicBlockRef br_loop_exiting_block(br_loop l); /* NULL unless exactly one */
LLVMBasicBlockRef br_loop_exit_block(br_loop l);    /* NULL unless exactly one */
bool br_loop_contains(br_loop l, LLVMBasicBlockRef block);
size_t br_loop_blocks(br_loop l, LLVMBasicBlockRef *out, size_t capacity); /* header first */
/* Block number i, header first; NULL if there are no more. */
LLVMBasicBlockRef br_loop_block(br_loop l, size_t i);
/* Makes a preheader and LCSSA form; returns the preheader, NULL if impossible. */
LLVMBasicBlockRef br_loop_prepare(br_function *f, br_loop l);
/* Moves the test in the loop's head to its end, with a copy in front. Returns the loop's new head;
 * NULL: that is impossible, or takes more than `most` instructions. Call br_function_invalidate
 * afterwards. */
LLVMBasicBlockRef br_loop_rotate(br_function *f, br_loop l, unsigned most);
/* Makes a loop of rows * columns iterations, which its latch alone leaves, a loop over rows with a
 * loop over columns in it. Both have at least one iteration. *row and *column: the new counters, of
 * the numbers' type. Other phis go through both loops. Call br_function_invalidate afterwards. */
void br_loop_split(br_function *f, br_loop l, LLVMValueRef rows, LLVMValueRef columns,
                   LLVMValueRef *row, LLVMValueRef *column);
/* What LLVM's passes did earlier to the loops of the nest: "vectorised", "unrolled", or NULL for
 * nothing. */
const char *br_loop_optimised(br_loop l);
/* What ends the program where control goes to the block: a call that does not return, or the end of
 * a block. NULL: the program goes on, or comes to the other block. */
LLVMValueRef br_end_of_program(LLVMBasicBlockRef block, LLVMBasicBlockRef other);
/* Does the program end behind the loop, whatever exit it takes? So does one that calls exit. */
bool br_loop_ends_program(br_loop l);
/* What ends the program behind an exit; of such a loop, behind one that is not at its latch. NULL:
 * no exit leads only there. */
LLVMValueRef br_loop_failing_exit(br_loop l);
/* Asks LLVM's passes to unroll the loop: fully, or so many times. The number of times does not
 * count if the program gives one, or if code is to be small. */
void br_loop_want_unrolled_fully(br_loop l);
/* A window of cells: the counter goes from first + first_offset on, so many times. It is in the
 * grid where counter - low_offset >= low and counter - high_offset <= high; NULL: there is no
 * limit. */
typedef struct br_window {
    LLVMValueRef first, low, high;
    int64_t first_offset, low_offset, high_offset;
    LLVMValueRef start, last;
    int64_t last_offset;
    bool low_signed, high_signed;
    unsigned times;
} br_window;
/* Makes a loop whose counter is in the grid in all iterations go over the whole window, and skip
 * iterations outside. False: the loop has not the form for that, or is not known to go up from its
 * first number to its last one; it stays. Call
 * br_function_invalidate afterwards. */
bool br_loop_widen(br_function *f, br_loop l, LLVMValueRef counter, const br_window *w);
void br_loop_want_unrolled(br_loop l, unsigned times);

/* br_loop_keep_whole marks the loop: LLVM's passes do not peel it. With `unswitch` they do not
 * unswitch it; with `rolled` they do not unroll it, unless the program says how. False if it is
 * marked already. br_function_split removes the marks of all loops of a function. It then makes up
 * for the passes that the marks held back, at the greatest level of the marks. False if no loop was
 * marked. */
bool br_loop_keep_whole(br_loop l, unsigned level, bool unswitch, bool rolled);
bool br_function_split(br_function *f); /* Call br_function_invalidate afterwards. */
/* Thin LTO brings bodies of functions in from other files, to be inlined. br_function_keep_body
 * keeps such a body until the early passes have run; false if the function has none.
 * br_is_brought_in: is it kept so? */
bool br_function_keep_body(LLVMValueRef function);
bool br_is_brought_in(LLVMValueRef function);

/* Removes promises by which a result would be poison: no wrapping, exact, inbounds. */
void br_drop_promises(LLVMValueRef instruction);
/* Also removes what attributes and metadata promise of the result and of arguments. */
void br_drop_annotations(LLVMValueRef instruction);

bool br_dominates(br_function *f, LLVMBasicBlockRef a, LLVMBasicBlockRef b);
/* Does control come to a wherever it goes from b? */
bool br_post_dominates(br_function *f, LLVMBasicBlockRef a, LLVMBasicBlockRef b);
/* Does a come before b, or are they the same? False if they are in different blocks. */
bool br_earlier_in_block(LLVMValueRef a, LLVMValueRef b);
/* The same for any two instructions. In different blocks, a's block must dominate b's. */
bool br_comes_first(br_function *f, LLVMValueRef a, LLVMValueRef b);

/* Scalar evolution. */
enum br_scev_kind {
    BR_CONSTANT,
    BR_UNKNOWN, /* a value of the program */
    BR_ADD,
    BR_MUL,
    BR_ADDREC, /* operands: start, step, ... over a loop */
    BR_ZEXT,
    BR_SEXT,
    BR_TRUNC,
    BR_PTRTOINT,
    BR_UDIV, /* operands: dividend, divisor */
    /* BR_SMAX and the next three have two or more operands. */
    BR_SMAX,
    BR_SMIN,
    BR_UMAX,
    BR_UMIN,
    BR_OTHER
};
br_scev br_scev_of(br_function *f, LLVMValueRef v);
void br_scev_forget(br_function *f); /* Call it after operands of instructions were changed. */
enum br_scev_kind br_scev_kind(br_scev s);
size_t br_scev_count(br_scev s); /* the number of operands */
br_scev br_scev_operand(br_scev s, size_t i);
LLVMValueRef br_scev_value(br_scev s);       /* of BR_UNKNOWN */
bool br_scev_int(br_scev s, int64_t *value); /* if BR_CONSTANT: sign-extended, if it fits */
br_loop br_scev_loop(br_scev s);             /* of BR_ADDREC */
unsigned br_scev_bits(br_function *f, br_scev s);
bool br_scev_is_pointer(br_scev s);
/* What ScalarEvolution knows of an integer of at most 64 bits. br_scev_signed_range: its range as a
 * signed number. br_scev_greatest: its greatest value as an unsigned number, while control is in
 * the loop. */
void br_scev_signed_range(br_function *f, br_scev s, int64_t *least, int64_t *greatest);
uint64_t br_scev_greatest(br_function *f, br_scev s, br_loop l);
/* Is the value the same in all iterations of l? It may be computed in l, if that has no effects. */
bool br_scev_invariant(br_function *f, br_scev s, br_loop l);
/* a / b if the division has no remainder, whatever the values are; otherwise NULL. */
br_scev br_scev_quotient(br_function *f, br_scev a, br_scev b);
br_scev br_scev_zext(br_function *f, br_scev s, unsigned bits);
/* A number of 64 bits; the sum, the product and the unsigned quotient of two values that have as
 * many bits as each other. One part of a sum may be an address. */
br_scev br_scev_number(br_function *f, int64_t number);
br_scev br_scev_sum(br_function *f, br_scev a, br_scev b);
br_scev br_scev_product(br_function *f, br_scev a, br_scev b);
br_scev br_scev_divided(br_function *f, br_scev a, br_scev b);
/* The low `bits` bits of s, sign-extended to 64. If s has fewer bits, all of them. */
br_scev br_scev_sext_low(br_function *f, br_scev s, unsigned bits);
/* (s + offset) mod divisor, where s is taken as its low bits, sign-extended to 64. The sum must not
 * be negative. */
br_scev br_scev_remainder(br_function *f, br_scev s, int64_t offset, unsigned divisor);
br_scev br_scev_at_exit(br_function *f, LLVMValueRef v, br_loop l); /* its value after the loop */
br_scev br_backedge_count(br_function *f, br_loop l); /* NULL if it cannot be computed in 64 bits */
/* The same if each iteration comes to the end of `exiting`, and the loop is left only there. */
br_scev br_exit_count(br_function *f, br_loop l, LLVMBasicBlockRef exiting);
br_scev br_trip_count(br_function *f, br_loop l); /* one more; or NULL */
/* Is the value above 0 wherever control comes to the loop? */
bool br_scev_positive_before(br_function *f, br_scev s, br_loop l);
/* The count if these recurrences do not wrap until then, as signed or as unsigned numbers. There
 * are at most `capacity` conditions. NULL if the count cannot be computed with conditions either.
 */
typedef struct br_no_wrap {
    br_scev recurrence;
    bool is_signed;
} br_no_wrap;
br_scev br_backedge_count_if(br_function *f, br_loop l, br_no_wrap *conditions, size_t capacity,
                             size_t *count);
/* Can the expression be computed before this instruction? Divisions in expanded code do not trap,
 * because the program may not come to the division. */
bool br_scev_expandable(br_function *f, br_scev s, LLVMValueRef before);
LLVMValueRef br_scev_expand(br_function *f, br_scev s, LLVMTypeRef type, LLVMValueRef before);
/* The expression with one value in the place of another. */
br_scev br_scev_with(br_function *f, br_scev s, LLVMValueRef of, LLVMValueRef by);

/* Remarks and errors. */
enum br_remark_kind { BR_PASSED, BR_MISSED, BR_ANALYSIS };
/* A part of a remark. With a key it is a value, which remark files (YAML) contain by its key. */
typedef struct br_piece {
    const char *key; /* NULL: text alone */
    const char *text;
    bool hidden; /* a value for files only; it follows all that is printed */
} br_piece;
/* Sends a remark at the source location of `l`; if that is NULL, of the function. `pass` is what
 * -Rpass= matches. The message consists of all pieces that are not hidden. */
void br_remark(br_function *f, br_loop l, enum br_remark_kind kind, const char *pass,
               const char *name, const br_piece *pieces, size_t count);
/* The same at an instruction; nothing if it is not known where that is in the source. */
void br_remark_at(br_function *f, LLVMValueRef at, enum br_remark_kind kind, const char *pass,
                  const char *name, const br_piece *pieces, size_t count);
/* From now on, remarks about functions whose names begin with `prefix` are not printed, whatever
 * pass they come from. Remark files have them. `prefix` must be a literal. */
void br_hide_remarks(LLVMContextRef context, const char *prefix);
/* The function's name as its author wrote it, without parameters: heat::step. */
void br_source_name(LLVMValueRef function, char *out, size_t size);
/* "file.c:12 (function)" or, without debug information, "function". */
void br_location(br_loop l, LLVMValueRef function, char *out, size_t size);
/* The instruction's line in the user's source, or that of the call of a library's function that it
 * is part of; 0 without debug information. */
unsigned br_source_line(LLVMValueRef instruction);
/* A number for the loop's place in the source; 0 without debug information. */
uint64_t br_place_number(br_loop l);
/* As br_location, for a function. */
void br_function_location(LLVMValueRef function, char *out, size_t size);
void br_error(LLVMContextRef context, const char *message); /* compilation fails */

/* Compresses to a zstd frame that contains its content's size. NULL if LLVM was built without zstd.
 */
LLVMMemoryBufferRef br_compress(const char *bytes, size_t size, int level);
void br_fatal(const char *message); /* the user's mistake: ends the compiler with this error */

/* br_option_register makes the option -<name>=<value>, once a process. NULL if another copy of the
 * plugin did. The handle lives as long as the process. br_option_value is NULL until the user gives
 * a value. */
typedef struct br_option br_option;
br_option *br_option_register(const char *name, const char *help);
const char *br_option_value(const br_option *o);

/* Passes. */
typedef struct br_pass {
    const char *name; /* matches `name` and `name<parameters>` in pass text */
    /* NULL if the parameters are allowed, otherwise a message (static or thread-local storage). */
    const char *(*check)(const char *parameters);
    /* True if the module was changed. */
    bool (*run)(LLVMModuleRef module, void *analyses, const char *parameters);
    bool early; /* also runs in clang's pipelines, at OptimizerEarly, from -O1 on */
    bool first; /* also runs there, from -O1 on, before functions are inlined */
    /* It calls br_function_invalidate for each function that it changes. So analyses of other
     * functions stay valid. */
    bool invalidates;
    bool optional; /* -opt-bisect-limit and the like may skip it */
} br_pass;
/* The return type of llvmGetPassPluginInfo(). It mirrors llvm::PassPluginLibraryInfo. */
typedef struct br_plugin_info {
    uint32_t api_version;
    const char *name, *version;
    void (*register_passes)(void *pass_builder);
#if LLVM_VERSION_MAJOR >= 22
    void *pre_codegen;
#endif
} br_plugin_info;
uint32_t br_plugin_api_version(void);
/* Registers passes: at most 8; the list must stay. In clang's pipelines from -O2 on, `simplify` is
 * called for each function before LLVM's passes change its loops. It may mark loops, and returns
 * whether it did. The marks are removed after the early passes. */
typedef bool br_simplify(br_function *f, LLVMValueRef function, unsigned level);
void br_register_passes(void *pass_builder, const br_pass *passes, size_t count,
                        br_simplify *simplify);

/* br_pipeline_parse makes passes from their text, as opt's -passes takes it. The module is compiled
 * for the machine; NULL: for no machine. `register_passes` is the function in what the plugin's
 * entry returned. If the text cannot be parsed, returns NULL, and *problem says why; the caller
 * frees it. */
typedef struct br_pipeline br_pipeline;
br_pipeline *br_pipeline_parse(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *text,
                               void (*register_passes)(void *builder), char **problem);
void br_pipeline_run(br_pipeline *p); /* once; afterwards p is freed */

/* Does the caller want this pass to run? Asked of passes that may be left out. NULL: all run. `run`
 * is how often the pass has run on its function before. */
typedef bool br_wants(const char *pass, unsigned run);

/* Runs LLVM's passes of -O3 on a module for that machine. */
void br_optimise(LLVMModuleRef module, LLVMTargetMachineRef machine, br_wants *wants);

/* As LLVMTargetMachineEmitToMemoryBuffer, but without the code generator's passes that `wants`
 * refuses. */
bool br_generate(LLVMModuleRef module, LLVMTargetMachineRef machine, LLVMCodeGenFileType type,
                 br_wants *wants, char **message, LLVMMemoryBufferRef *out);

#ifdef __cplusplus
}
#endif
#endif
