/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loop nests of spread_sweeps.c, which spread.c calls. REAL is the type of a cell.
 */
#ifndef SPREAD_H
#define SPREAD_H

#ifndef REAL
#define REAL float
#endif

/* rows times n cells each */
void jacobi(long rows, long n, REAL *to, const REAL *from);
void wide(long rows, long n, REAL *to, const REAL *from);   /* reads two rows beyond */
void steps(long rows, long n, int count, REAL *a, REAL *b); /* of jacobi, both arrays in turn */
void two_sweeps(long rows, long n, int count, REAL *a, REAL *b); /* a step of two sweeps */
void scale(long rows, long n, REAL *a);                          /* all cells, in place */
void walls(long rows, long n, REAL *a);                          /* first and last row and column */
/* steps that write two rows of another array, too */
void beside(long rows, long n, int count, REAL *a, REAL *b, REAL *c);
REAL change(long rows, long n, int count, REAL *a, REAL *b); /* greatest change of the last step */
int settle(long rows, long n, REAL limit, REAL *a, REAL *b); /* steps until it is below a limit */
REAL greatest(long rows, long n, const REAL *a);
REAL greatest_of_all(long cells, const REAL *a);             /* the same, as one row */
void around(long rows, long n, int count, REAL *a, REAL *b); /* periodic along rows */
void jacobi_3d(long planes, long rows, long n, REAL *to, const REAL *from);

#endif
