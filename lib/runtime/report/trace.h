/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * STENCILOPT_REPORT=trace:FILE: when each entry copied arrays and ran kernels, as a file that the
 * trace viewers of Chrome and Perfetto read. The caller has the lock of the summary.
 */
#ifndef STENCILRT_TRACE_H
#define STENCILRT_TRACE_H

#include "runtime/report/summary.h"
#include <stdio.h>

/* `where`, and `why` the original loops ran, live as long as the process; `why` may be NULL. */
void rt_trace_add(const char *where, const char *why, const rt_entry *entry);
void rt_trace_write(FILE *f);
/* In a forked child: what was noted is the parent's. */
void rt_trace_forget(void);

#endif
