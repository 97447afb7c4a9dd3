/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What held arrays saved, and what was copied of them: for the report at exit.
 */
#ifndef STENCILRT_COUNTS_H
#define STENCILRT_COUNTS_H

#include <stdint.h>

enum rt_counted {
    RT_COUNT_ENTRIES, /* times that an entry found an array on the device, or left it there */
    RT_COUNT_SAVED,   /* bytes that these entries did not copy */
    RT_COUNT_LOOKS,   /* times that a whole array came back */
    RT_COUNT_PARTS,   /* times that a part of one did */
    RT_COUNT_FETCHED, /* bytes that came back then */
    RT_COUNT_BACK,    /* bytes of parts that entries and stencilopt.h brought back, */
    RT_COUNT_THERE,   /* and that they copied to the device */
    RT_COUNTED
};

void rt_count(enum rt_counted what, uint64_t number);
void rt_counts_report(void);

#endif
