/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows that are found through tables of pointers. Reads: addresses. Hands on: the tables, which of
 * their pointers each sweep reads, and stand-ins for where rows are.
 */
#ifndef STENCILOPT_HOST_TABLES_H
#define STENCILOPT_HOST_TABLES_H

#include "detect/host/scene.h"

/* A table of rows, a[i] of T **a; or of planes, whose own tables have rows: a[k][i]. tables.c */
typedef struct host_table {
    poly base; /* address of pointer number 0 */
    bool planes;
    int64_t step[2];   /* bytes from a pointer to the next one: of planes, if any, and of rows */
    poly skip;         /* of planes: bytes from where a table of rows is to its number 0 */
    LLVMValueRef rows; /* stands for where row number 0 is, of plane 0; NULL: taken over */
} host_table;

/* Which pointers a sweep reads, in a step of the period: numbers low .. high, and to that, if
 * `from` is not HOST_START, the loop's iterations less one: to both, or if HOST_BETWEEN to high
 * alone. */
typedef struct host_rows {
    int loop;
    host_place from;
    int64_t low, high;
    int fixed; /* 0, or of HOST_START: the number is also as much more as fixed[fixed - 1] */
} host_rows;
typedef struct host_table_use {
    int table, sweep, step;
    bool unsure;       /* the pointers may not be read: only under a condition */
    host_rows rows[2]; /* planes, where there are some, and rows */
} host_table_use;

typedef struct host_tables {
    host_table *table;
    int count;
    host_table_use *use;
    int nuses;
    poly *fixed; /* run-time values, without constants */
    int nfixed;
    LLVMValueRef distance[2]; /* stand for the distances of planes and of rows; or NULL */
} host_tables;

struct host_region;

/* A pointer that is a row's, read in a table. tables.c */
bool host_row(const host_query *q, LLVMValueRef load, host_affine *out);
/* Is the load a row's pointer that a loop of the nest carries on from an iteration before? No
 * reason is set. */
host_resolver host_row_value;
/* The tables of a region; or, where it is one of several sweeps, those of all sweeps. */
host_tables *host_tables_of(struct host_region *r);
/* Forgets which pointers this sweep reads; of a single sweep also the tables. */
void host_forget_table_uses(struct host_region *r);
void host_forget_tables(host_tables *t);

#endif
