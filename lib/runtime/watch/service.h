/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two threads with their own descriptor table. What they open has no number in the program. So the
 * program cannot close, replace or inherit it. A lower RLIMIT_NOFILE, or a system call filter for
 * the program's own threads, does not affect it.
 *
 * The reader waits for messages. The server makes calls that need a descriptor of the table, for
 * other threads, one at a time. Neither uses an allocator, stdio, or a lock that code of the
 * program may hold.
 */
#ifndef STENCILRT_SERVICE_H
#define STENCILRT_SERVICE_H

/* Starts both threads. open() runs in the new table first. If it returns a reason, there is no
 * service, and the reason is returned. read() runs in the reader and does not return. */
const char *rt_service_start(const char *(*open)(void), void (*read)(void));

/* Makes the server call work(context), and waits for it. */
void rt_service_call(void (*work)(void *), void *context);

#endif
