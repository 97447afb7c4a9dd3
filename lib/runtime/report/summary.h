/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * STENCILOPT_REPORT=1 and =json:FILE: what all entries of each region did, reported when the
 * program exits. docs/reports.md shows the lines, docs/report.schema.json the JSON.
 */
#ifndef STENCILRT_SUMMARY_H
#define STENCILRT_SUMMARY_H

#include "runtime/report/words.h"

/* To be called before the first region runs. Then the report at exit comes after devices were
 * closed. */
void rt_summary_begin(void);
void rt_summary_add(const rt_entry *entry);

#endif
