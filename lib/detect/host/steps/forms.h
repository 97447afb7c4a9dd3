/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Forms of time loops beside the single sweep that swaps its arrays: two sweeps, a copy back,
 * several sweeps. Reads: regions. Hands on: one region, or a time step of several.
 */
#ifndef STENCILOPT_HOST_STEPS_FORMS_H
#define STENCILOPT_HOST_STEPS_FORMS_H

#include "detect/host/region.h"

/* The other sweep of a time loop that holds two, r's being one of them; or NULL. */
host_region *host_twin(host_region *r, int spatial);
/* Both sweeps as one region: r, which then holds the loops of the first. Without a change to r's
 * loops if refused. */
st_refusal host_build_pair(host_region *r, host_region *twin, int spatial, bool device_math);
/* What both parts of a time loop require is there once. */
void host_copy_requirements(host_region *to, const host_region *from);
void host_exchange(host_region *a, host_region *b); /* their loops and stores */

/* What copies an array in the time loop of r, where one nest of loops (or of two, r's and its twin,
 * the other) is a sweep; or NULL. */
host_region *host_copier(host_region *r, host_region *twin, int spatial);
/* The sweep and the copy as one region: r, which then holds the loops of the sweep. */
st_refusal host_build_copied(host_region *r, host_region *copier, host_region *twin, int spatial,
                             bool device_math);

/* The sweep of calls that copy or fill memory: r->store and r->also. */
bool host_build_copies(host_region *r);
/* Divides so many bytes of an array into whole planes and rows that no loop walks, and cells. They
 * become r's implied extents. */
bool host_find_extents(host_region *r, const host_array *known, poly length);
/* Does the region's one loop walk rows of an array, one after the other? Then the region gets rows.
 */
void host_find_rows(host_region *r);

/* What else may be a step. APART: where no loop walks neighbouring elements, each sweep may have
 * one cell along x. BESIDE: single loops that read no neighbours, for others around use their
 * arrays. LEFT: a loop that is also left where its sweeps do not run. CELLS: single cells that are
 * assigned one right after the other are sweeps of their own. */
enum { HOST_APART = 1, HOST_BESIDE = 2, HOST_LEFT = 4, HOST_CELLS = 8 };
/* Looks at it. NULL if it makes but one assignment, and that brings no index back, unless LEFT. */
host_steps *host_detect_steps(br_function *f, LLVMValueRef function, br_loop time, bool device_math,
                              unsigned also);
/* Detects a loop of one iteration that was put around nests. If it contains a single nest, the
 * reason why the nest is no sweep is told, too. */
host_steps *host_detect_wrapped(br_function *f, LLVMValueRef function, br_loop once,
                                bool device_math, unsigned also);
void host_steps_destroy(host_steps *s);
/* Does the loop hold two things that write, so that they may be a pair of sweeps, or a sweep and a
 * copy? Cheap. */
bool host_may_hold_pair(br_loop time);

#endif
