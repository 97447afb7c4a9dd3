/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop with outputs, in pieces: see pieces.c (which blocks are what) and cut.c (the change).
 */
#ifndef STENCILOPT_PIECES_H
#define STENCILOPT_PIECES_H

#include "prepare/shadow.h"

typedef enum prep_part {
    PART_OUTPUT, /* outputs, and what only runs with them */
    PART_SWEEPS, /* from the first sweep of a step to the last */
    PART_QUIET   /* the rest of a step without output: from a step's last sweep to the first one of
                    the next. Such blocks only compute. */
} prep_part;

typedef struct piece_block {
    LLVMBasicBlockRef b;
    int first, successors; /* in prep_pieces.next */
    bool nested;           /* in a loop within the time loop */
    bool loud;             /* has an effect other than stores */
    bool writes;
    bool forks;  /* has a parallel region of OpenMP, which is a sweep then */
    bool on_way; /* steps without output pass it */
    bool known;  /* quiet, and where it goes is known before the piece */
    prep_part part;
} piece_block;

/* A loop's blocks. A step without output passes `entry`, the first block of the sweeps, and `end`,
 * the first one after these. */
typedef struct prep_pieces {
    br_function *f;
    LLVMValueRef function;
    br_loop l;
    piece_block *block; /* block[0] is the head */
    int count, latch, entry, end;
    int *next;  /* successors; -1: not in the loop */
    bool forks; /* parallel regions are sweeps, for none has a twin yet */
    bool rare;  /* loops that only read, in some steps, are outputs, too */
    bool exits; /* sweeps may leave the loop */
    /* Is it known before a piece how many steps it has? */
    bool counts;
    bool stops; /* may it also have fewer */
} prep_pieces;

/* NULL: the loop has no outputs, or makes one in each step, or between its sweeps. `rare`: what the
 * loop computes of all cells in some steps only, as a residual in every N-th step, is an output. */
prep_pieces *prep_find_pieces(br_function *f, LLVMValueRef function, br_loop l, bool rare);
/* The parts of a loop that makes outputs between its sweeps: see between.h. NULL: it makes none. */
prep_pieces *prep_find_between(br_function *f, LLVMValueRef function, br_loop l);
void prep_pieces_destroy(prep_pieces *p);
/* Cuts the loop with this head, which has pieces, in the shadow. The head of the loop over a
 * piece's steps, or NULL: then the shadow is to be dropped. */
LLVMBasicBlockRef prep_cut_pieces(prep_shadow *s, LLVMBasicBlockRef head);
LLVMBasicBlockRef prep_cut_rare(prep_shadow *s, LLVMBasicBlockRef head);

/* For the files that change the loop. */
int piece_number(const prep_pieces *p, LLVMBasicBlockRef b); /* -1: not in the loop */
bool piece_is_quiet(const prep_pieces *p, int number);
/* Does block b end in a branch whose condition is the same in all steps, as n > 2 is? */
bool piece_is_guard(const prep_pieces *p, int b);
/* Does control that goes on to `next` from a quiet block make an output, or leave the loop? */
bool piece_ends(const prep_pieces *p, int next);
/* Can the value be computed before a piece's steps, for each of these? */
bool piece_computable(const prep_pieces *p, LLVMValueRef v);
bool piece_is_division(LLVMValueRef v); /* of integers */
bool piece_is_pure(LLVMValueRef v);     /* has it no effect, and reads no memory? */
/* Does the load read what the loop is known to have, and no sweep changes? */
bool piece_keeps(const prep_pieces *p, LLVMValueRef load);
/* May a step load it when it starts, though the program may not come to the load? */
bool piece_is_there(const prep_pieces *p, LLVMValueRef load);
/* Gives the division a divisor by which it does not trap where the program may not come to it. */
void piece_make_safe(LLVMBuilderRef b, LLVMValueRef division);
/* What follows the block's last instruction that writes, or calls; NULL if there is none. */
LLVMValueRef piece_behind_writes(LLVMBasicBlockRef b);

#endif
