/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The runtime's own memory. The program's allocator cannot be used, for this reason: a thread of
 * the program may touch an array while it holds the allocator's lock. The array must then be
 * brought back, which waits for the thread that uses the device. So that thread must never wait for
 * the allocator. CMake includes this header before each file.
 */
#ifndef STENCILRT_HEAP_H
#define STENCILRT_HEAP_H

#include <stdlib.h>
#include <string.h>

void *rt_heap_take(size_t bytes);
void *rt_heap_take_zeroed(size_t count, size_t size);
void *rt_heap_grow(void *memory, size_t bytes);
char *rt_heap_copy_text(const char *text);
void rt_heap_give(void *memory);

/* With a leak checker of GCC or clang, malloc is used, because the checker sees only malloc's
 * memory. */
#ifdef __has_feature
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__
#endif
#endif
#ifndef __SANITIZE_ADDRESS__
#define malloc(bytes) rt_heap_take(bytes)
#define calloc(count, size) rt_heap_take_zeroed(count, size)
#define realloc(memory, bytes) rt_heap_grow(memory, bytes)
#define free(memory) rt_heap_give(memory)
#undef strdup
#define strdup(text) rt_heap_copy_text(text)
#endif

#endif
