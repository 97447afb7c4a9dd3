/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Texts in JSON files.
 */
#ifndef STENCILRT_JSON_H
#define STENCILRT_JSON_H

#include <stdio.h>

/* Writes the text in quotes. Bytes that are not UTF-8 are taken as Latin-1. */
void rt_json_string(FILE *f, const char *text);

#endif
