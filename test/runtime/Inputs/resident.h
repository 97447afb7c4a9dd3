/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The loop nests of resident_sweep.c, which resident.c calls.
 */
#ifndef RESIDENT_H
#define RESIDENT_H

void sweep(long n, float *to, const float *from);
void sweep_part(long n, long rows, float *to, const float *from);
void sweep_3d(long n, double *to, const double *from);
void weighted(long n, float *to, const float *from, const float *weight);
void edges(long n, float *a);
void sweep_and_copy(long n, int steps, float *a, float *b);
float difference(long n, float *a, float *b);
void steps_inside(long n, int steps, float *a, float *b);

#endif
