/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tables of what a nest's cells need, filled in front of the sweep: see tables.c.
 */
#ifndef STENCILOPT_TABLES_H
#define STENCILOPT_TABLES_H

#include "detect/common/limits.h"
#include "prepare/needs.h"

enum { TABLES_MAX_BLOCKS = HOST_MAX_BLOCKS }; /* of which it is known whence control comes */

typedef struct prep_table {
    LLVMValueRef call, index;           /* in the sweep */
    LLVMValueRef bytes, cells, address; /* in front of it */
} prep_table;

typedef struct prep_tables {
    prep_guard g; /* of the copy that becomes the sweep, or the time loop of the sweeps */
    prep_needs needs;
    LLVMBasicBlockRef own[TABLES_MAX_BLOCKS], sweep[TABLES_MAX_BLOCKS], fill[TABLES_MAX_BLOCKS];
    size_t blocks;
    LLVMValueRef made[NEEDS_CALLS]; /* the calls that fill the tables, as numbered in needs */
    prep_table table[NEEDS_CALLS];
    size_t tables;
    LLVMValueRef bytes; /* of all */
    /* Of each loop around a call: its counter, and how often it goes round. */
    br_loop loop[NEEDS_VALUES / 16];
    LLVMValueRef counter[NEEDS_VALUES / 16], count[NEEDS_VALUES / 16];
    size_t loops;
    LLVMTypeRef i64;
} prep_tables;

/* Lists the calls that get a table: not those by which others are computed. */
void prep_tables_list(prep_tables *t);
/* Computes the sizes, in front of the loop, and numbers the cells. False: that is not possible. */
bool prep_tables_number(prep_tables *t);
/* Asks for memory for all tables, in front of the loop, if it is worth it for so many cells. The
 * address, which may be null. */
LLVMValueRef prep_tables_ask(prep_tables *t, LLVMValueRef cells);
/* Fills the tables, behind block `in`, and has the sweep look them up. The block between; NULL:
 * that is not possible. */
LLVMBasicBlockRef prep_tables_fill(prep_tables *t, LLVMBasicBlockRef in, LLVMValueRef memory);
/* Gives the memory back, at the end of the block. */
void prep_tables_drop(prep_tables *t, LLVMBasicBlockRef at);
/* The calls `i1 stencilopt.worthwhile(i64 cells)` in front of such copies stand for a test whether
 * the sweep may run on a GPU. */
LLVMValueRef prep_build_worthwhile(LLVMBuilderRef b, LLVMValueRef cells);
bool prep_asks_worth(LLVMValueRef i);
/* The next one, or NULL. */
LLVMValueRef prep_next_worthwhile(LLVMModuleRef m);
/* Where there can be no runtime, there is no memory for tables. */
void prep_forget_tables(LLVMModuleRef m);
/* Removes from the module the functions of this preparation that nothing calls. */
void prep_drop_tables(LLVMModuleRef m);

#endif
