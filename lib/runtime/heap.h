/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory of the runtime's own. A thread of the program may look at an array while it holds a lock
 * of its allocator; who brings the array back then waits for the thread that uses the device; so
 * that one must not wait for the allocator. CMake includes this header before each file.
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

/* Leak checkers see malloc's memory: of GCC, and of clang. */
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
