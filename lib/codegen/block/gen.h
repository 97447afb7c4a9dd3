/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes the body of a GPU kernel anew in place, under the kernel's own launch: Stencil + Plan ->
 * IR.
 *
 *   entry:   does all that the new body assumes hold?  no -> the old body
 *   new:     the thread's cells; none of them inside -> return; all of them -> interior
 *   interior, border: compute the cells, without and with tests of what is inside
 *
 * What the program reads under a condition, the new body reads under the same condition
 * (guarded.c). The interior has one exception: cells that other threads of the program read in any
 * case.
 *
 * A source delivers the neighbours of a cell: from L1, from scratchpad, or from registers.
 */
#ifndef STENCILOPT_BLOCK_GEN_H
#define STENCILOPT_BLOCK_GEN_H

#include "codegen/build.h"
#include "model/launch.h"
#include "model/refusal.h"
#include "plan/block/block.h"
#include "target/target.h"

typedef struct blk_gen blk_gen;

/* Which threads must take the same branch: a thread alone, or all threads of a wave or of a block,
 * which exchange values. */
typedef enum blk_scope { BLK_THREAD, BLK_WAVE, BLK_BLOCK } blk_scope;

/* A cell of a grid, by its distance from the thread's first cell. Along x it counts elements even
 * where the grid does not extend along x. */
typedef struct blk_tap {
    int32_t grid;
    int32_t offset[ST_MAX_RANK];
    uint32_t faces; /* of st_access: where it follows the boundary rule. Interior: none */
    int32_t turned[ST_MAX_RANK]; /* where that is ST_TURN: the access's offset; else 0 */
} blk_tap;

/* A source. A body calls begin; then for each plane (in 2-D: row) of taps along the plan's
 * dimension, in growing order, arrive and then tap for each tap; at last end. Each tap is asked for
 * once a body. Both bodies, interior and border, call all of them; blk_gen.interior tells which it
 * is. Planes are those along the last dimension if a thread has one cell.
 *
 * The border body also asks for taps of cells outside (see blk_axis). Any value will do for them,
 * but no memory may be read that the program does not read: blk_clamp. All threads of the scope get
 * there. */
typedef struct blk_source {
    const char *name;
    blk_scope scope;
    /* Called at the entry, when the axes' widths are known. Sets the axes' `wave`, and *suits to an
     * i1 that tells whether the launch suits; NULL: every launch does. False if the source refused;
     * the reason is set then. May be NULL. */
    bool (*check)(blk_gen *g, LLVMValueRef *suits);
    /* Called before the thread's first cells are computed. May change the axes' `thread`, so that
     * the block's threads divide its cells among them in another way. Sets `lane`. May be NULL. */
    void (*renumber)(blk_gen *g);
    void (*begin)(blk_gen *g);             /* may be NULL */
    void (*arrive)(blk_gen *g, int plane); /* by its distance from the first cell; may be NULL */
    LLVMValueRef (*tap)(blk_gen *g, const blk_tap *t);
    void (*end)(blk_gen *g); /* may be NULL */
    /* Called around taps that are emitted under a condition. Values found inside are not available
     * after it. NULL: the source takes no such taps. */
    void (*enter)(blk_gen *g);
    void (*leave)(blk_gen *g);
} blk_source;
extern const blk_source blk_l1, blk_lds, blk_reg;

/* A face, and the rule by which taps read another cell in place of one outside (st_rule). */
typedef struct blk_face {
    st_rule rule;
    LLVMValueRef limit, period; /* i64: the first or last cell; the period of ST_WRAP */
    bool followed;              /* is there a tap that follows the rule? */
    int32_t reach;              /* the farthest offset of such a tap. It may be 0: a
                                   cell that is written may itself be outside */
    int32_t readers;            /* so far from interior cells there must be threads, which read in
                                 * any case what these cells read under conditions */
} blk_face;

/* A dimension of the stencil: 0 is x. */
typedef struct blk_axis {
    int launch_dim;      /* whose thread and block numbers move it; -1: a flat index does, which
                            has no thread, width or tile */
    LLVMValueRef thread; /* i32: the thread's number in the block; 0 if the axis does not move
                          * with that number */
    LLVMValueRef width;  /* i32: the block's threads along the axis; 1 if these do not move it */
    int64_t known_width; /* `width` as a number; 0: not known */
    int cells;           /* of a thread, one after the other */
    /* With BLK_WAVE: the wave's lanes along the axis, and the thread's number among them (i32). The
     * wave's first cell is first - lane * cells; it has wave * cells. */
    int wave;
    LLVMValueRef lane;
    LLVMValueRef tile;  /* i64: coordinate of the block's first cell: it has width * cells */
    LLVMValueRef first; /* i64: of the thread's first: tile + thread * cells */
    /* i64: cells low <= c < high are written, and no others: by the guards and by the launch. */
    LLVMValueRef low, high;
    bool bounded;        /* of a flat index: is there such a `high`? Else the index alone ends */
    blk_face face[2];    /* at the low and at the high end */
    LLVMValueRef step;   /* i64, of a flat index: its divisor; or NULL */
    LLVMValueRef extent; /* i64: the first cells of all threads of the launch are below it */
} blk_axis;

enum {
    BLK_MAX_ATOMS = ST_LIMIT(128, 4),
    BLK_MAX_COARSEN = 32,
    BLK_MAX_PLANES = BLK_MAX_COARSEN + 6 * ST_MAX_RADIUS
};

/* What a polynomial's atom is at run time, as i64. */
typedef struct blk_known {
    br_scev atom;
    LLVMValueRef value;
} blk_known;

/* A number that the program reads behind branches, as it is read at the entry. */
typedef struct blk_early_number {
    LLVMValueRef load, address, value;
} blk_early_number;
enum { BLK_MAX_EARLY = ST_LIMIT(16, 2) };

struct blk_gen {
    gen_expr e;
    const st_launch *l;
    st_refusal *why;
    const st_stencil *s;
    const blk_plan *p;
    LLVMValueRef function;
    LLVMValueRef cut; /* what is the same for all threads is computed before this instruction */
    LLVMBasicBlockRef done; /* returns */
    blk_known atoms[BLK_MAX_ATOMS];
    int natoms;
    LLVMValueRef small[BLK_MAX_ATOMS]; /* i64: must be below 2^30 */
    int nsmall;
    blk_early_number early[BLK_MAX_EARLY];
    int nearly;
    LLVMValueRef all_signs; /* i64: those that must not be negative, or-ed; or NULL */
    LLVMValueRef launch[TG_LAUNCH_VALUES][ST_MAX_RANK]; /* i32, those asked for */
    /* i1: what the new body relies on: `holds`, and one of `quick` and `exact`; NULL: nothing */
    LLVMValueRef holds, quick, exact;
    bool checked;       /* true where the code in hand runs only if all of these hold */
    LLVMValueRef leads; /* i1: the thread computes cells, its own and those of threads that
                         * coarsening leaves idle; NULL: all threads do */
    /* i64, of a flat index: the thread's, where it ends (by guards, by the launch), and by how much
     * it grows from one of the thread's cells to the next. */
    LLVMValueRef flat, flat_end, flat_total, flat_step, flat_reach;
    /* i32: threads that coarsening would leave idle share the iterations of the program's loop. The
     * thread has number `share` of `shares` parts of them. NULL: it has all. */
    LLVMValueRef share, shares;
    LLVMValueRef rows; /* i64, of a flat index with a stride loop: the rows that have cells */
    blk_axis axes[ST_MAX_RANK];
    /* By grid: address of cell (0,0,0); i64: bytes from cell to cell along a dimension. */
    LLVMValueRef *origin, (*stride)[ST_MAX_RANK];
    LLVMValueRef (*row)[ST_MAX_RANK]; /* the same in elements, an extended i32; or NULL */
    LLVMValueRef *scalars;
    LLVMValueRef *home;                  /* by grid: address of the thread's first cell */
    LLVMValueRef *plane[BLK_MAX_PLANES]; /* the same, so many planes on, as they are needed */
    const blk_source *source;
    void *state; /* the source's */
    bool alone;  /* says the source: at the border each thread finds its own neighbours, from L1 */
    bool interior;
    bool *has_readers; /* by access: other threads read its cell in any case, see blk_face */
    int32_t where;     /* the node of the condition under which taps are asked for; -1: none */
    int cells;         /* of a thread, in the body in hand */
    /* For the border, i64. The thread's cells inside are those at the distances `from` to `to` from
     * its first cell, along the plan's dimension. None is inside if from > to, or if `active` is
     * false (i1, from the other dimensions). With BLK_THREAD there is one cell, which is inside,
     * and these are NULL. */
    LLVMValueRef from, to, active;
    LLVMValueRef from_x, to_x; /* the same along x, with vectors */
};

/* Drops attributes of a kernel that its new body may make untrue: threads that share values wait
 * for each other, and scratchpad is memory. With `as`: those that this kernel has no more. */
void gen_block_drop_attributes(LLVMValueRef kernel, LLVMValueRef as);
/* Makes the new body, which replaces the old one or stands beside it. The second plan, if there is
 * one, is for rows that are not aligned for the vectors of the first plan. False, with a reason in
 * `why`, if that is impossible. */
bool gen_block(const st_launch *l, const blk_plan *plans, int count, const tg_target *t,
               st_refusal *why);
/* What can be chosen, for the plan; false with a reason if nothing. */
bool gen_block_launch(const st_launch *l, blk_launch *out, st_refusal *why);

/* Refuses because the launch lacks what `detail` names. Returns false. block/base.c */
bool blk_refuse(blk_gen *g, const char *detail);
/* The sum, its terms in the order in which they are emitted. An axis may stand for its greatest
 * value, by the address that blk_axis_atom gives. */
const poly_term *blk_in_order(const blk_gen *g, poly p);
br_scev blk_axis_atom(const blk_gen *g, int d);

/* Values at the entry; NULL with a reason if they cannot be had. block/values.c */
bool blk_find_values(blk_gen *g);                     /* origin, stride, scalars */
LLVMValueRef blk_uniform(blk_gen *g, LLVMValueRef v); /* one of the program's */
LLVMValueRef blk_atom(blk_gen *g, br_scev atom);      /* i64 */
LLVMValueRef blk_value(blk_gen *g, poly p);           /* i64; without roots */
/* What the program reads behind branches (tg_is_read_early), from `address`, the load's own at the
 * entry; `uniform` is blk_uniform. NULL: it cannot be had. block/early.c */
typedef LLVMValueRef blk_uniform_fn(blk_gen *g, LLVMValueRef v);
LLVMValueRef blk_early(blk_gen *g, LLVMValueRef load, LLVMValueRef address,
                       blk_uniform_fn *uniform);
/* Requires that none of these numbers is among the bytes that are written. */
void blk_require_unwritten(blk_gen *g, LLVMValueRef first, LLVMValueRef end);
bool blk_find_axes(blk_gen *g); /* block/axes.c */
/* A flat index's cell; `row`: the last coordinate if it is known, or NULL. */
void blk_place_flat(blk_gen *g, LLVMValueRef index, LLVMValueRef row);
void blk_narrow_axes(blk_gen *g); /* once they are checked to be small: as extended i32 */
bool blk_find_checks(blk_gen *g); /* holds; block/check.c */
/* Must the entry compare ranges of arrays because a thread reads after it wrote? Else it requires
 * what is enough. block/late.c */
bool blk_compares_ranges(const st_launch *l);
void blk_require_unread(blk_gen *g);
void blk_emit_bodies(blk_gen *g); /* block/bodies.c */

/* Is the access, in the body in hand, to be made under its condition? */
bool blk_is_guarded(const blk_gen *g, const st_access *a);

/* What is read of the launch (i32), and what the new body requires. block/base.c */
enum { BLK_SMALL_BITS = 30 };
LLVMValueRef blk_launched(blk_gen *g, tg_launch_value v, int d);
bool blk_divides(LLVMValueRef v);
/* A divisor that may be 0 or -1, or 1 in place of these, so that no division is undefined. */
LLVMValueRef blk_safe_divisor(const blk_gen *g, LLVMValueRef d);
void blk_require(blk_gen *g, LLVMValueRef condition);
void blk_require_small(blk_gen *g, LLVMValueRef v); /* i64, below 1 << BLK_SMALL_BITS */
void blk_require_sign(blk_gen *g, LLVMValueRef v);  /* i64, not below 0 */

/* Arithmetic of i64, and addresses. Where operands are extended i32, it is done in 32 bits. */
LLVMValueRef blk_coordinate(blk_gen *g, LLVMValueRef v); /* that v is small is checked */
LLVMValueRef blk_scale(blk_gen *g, LLVMValueRef a, int64_t by);
LLVMValueRef blk_compare(blk_gen *g, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b);
/* i64: the bytes of so many cells (i64) along d. */
LLVMValueRef blk_steps(blk_gen *g, int32_t grid, int d, LLVMValueRef cells);
LLVMValueRef blk_add(blk_gen *g, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef blk_sub(blk_gen *g, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef blk_plus(blk_gen *g, LLVMValueRef a, int64_t b);
LLVMValueRef blk_least(blk_gen *g, LLVMValueRef a, LLVMValueRef b);    /* signed */
LLVMValueRef blk_greatest(blk_gen *g, LLVMValueRef a, LLVMValueRef b); /* signed */
LLVMValueRef blk_bytes(blk_gen *g, LLVMValueRef pointer,
                       LLVMValueRef bytes); /* moves the pointer */
/* The address of a grid's cell with these coordinates. */
LLVMValueRef blk_address(blk_gen *g, int32_t grid, LLVMValueRef const coordinate[]);
/* The address of the tap's cell. */
LLVMValueRef blk_tap_address(blk_gen *g, const blk_tap *t);
/* A load, marked as read-only where the kernel does not write the grid. */
LLVMValueRef blk_load_cell(blk_gen *g, int32_t grid, LLVMValueRef address);
/* Loads the tap's cell alone, whatever other cells of the thread read. */
LLVMValueRef blk_load_tap(blk_gen *g, const blk_tap *t);
/* Loads `count` cells along x, at an address that is a multiple of their size. */
LLVMValueRef blk_load_cells(blk_gen *g, int32_t grid, LLVMValueRef address, int count);
/* i1: all rows start at multiples of the size of the plan's vectors; NULL: it has none. */
LLVMValueRef blk_is_aligned(blk_gen *g);
/* The least and greatest offset of the statement's accesses to the grid along d; 0 included. */
void blk_reach(const st_stencil *s, int32_t grid, int d, int32_t *low, int32_t *high);
/* By the boundary rules. turned: of a tap; NULL if no rule is ST_TURN. */
void blk_fold(blk_gen *g, uint32_t faces, const int32_t turned[], LLVMValueRef coordinate[]);
/* The address of a tap with these coordinates, which are folded. */
LLVMValueRef blk_folded_address(blk_gen *g, const blk_tap *t, LLVMValueRef coordinate[]);
/* Moves coordinates into what the program reads of the grid: the cells inside, and around them as
 * far as its taps reach. blk_can_clamp: can that be told? Of boxes and stars it can. */
bool blk_can_clamp(const st_stencil *s, int32_t grid);
void blk_clamp(blk_gen *g, int32_t grid, LLVMValueRef coordinate[]);

/* The least and greatest offset along dim of the accesses that differ from the tap there alone. */
void blk_tap_reach(const blk_gen *g, const blk_tap *t, int dim, int32_t *low, int32_t *high);

#endif
