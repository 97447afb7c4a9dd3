/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The end, where the device has failed with the only copy of an array. Another thread may wait for
 * its pages with a lock of malloc or stdio, so neither is used.
 */
#include "runtime/resident/watch.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void rt_die(const char *format, ...) {
    char words[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    rt_say("%s", words);
    abort();
}
