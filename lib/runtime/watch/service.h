/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two threads with a descriptor table of their own. What they open has no number in the program:
 * the program cannot close, replace, inherit or run into it, and lowering RLIMIT_NOFILE or
 * installing a system call filter for its own threads does not reach it.
 *
 * The reader waits for messages. The server does what other threads ask for, one thing at a time:
 * calls that need a descriptor of the table. Neither uses an allocator, stdio, or a lock that code
 * of the program may hold.
 */
#ifndef STENCILRT_SERVICE_H
#define STENCILRT_SERVICE_H

/* Starts both. open() runs in the new table first; if it returns a reason, there is no service,
 * and that is returned. read() runs in the reader for good. */
const char *rt_service_start(const char *(*open)(void), void (*read)(void));

/* Has the server call work(context), and waits for it. */
void rt_service_call(void (*work)(void *), void *context);

#endif
