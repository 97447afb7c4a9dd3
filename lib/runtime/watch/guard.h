/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays that stay for a user without rights. A userfaultfd for faults of user mode needs no right,
 * but then the kernel does not wait for an array: a system call that meets one fails with EFAULT.
 * So while arrays are on a device, the program's system calls are trapped (Syscall User Dispatch,
 * prctl(2)) and looked at first. Most go on. Before one that reads or writes an array, the array
 * comes back. Before one that may do anything else, all arrays come back, and the trap ends.
 *
 * The trap is a thread's own. So the program must have no other thread, and no other process may
 * read its memory without a system call of the program.
 */
#ifndef STENCILRT_GUARD_H
#define STENCILRT_GUARD_H

#include <signal.h>
#include <stdbool.h>

/* Can system calls be trapped on this machine? */
bool rt_guard_works(void);
/* Prepares the trap for this thread's program. A reason, if that cannot be. */
const char *rt_guard_refusal(void);
/* This thread is inside the runtime from now on, and makes system calls of its own. Calls may be
 * nested. */
void rt_guard_enter(void);
/* It leaves. If arrays are watched, calls are trapped from now on. Restores the signals, if any are
 * given: handlers that run then are trapped already. */
void rt_guard_leave(const sigset_t *signals);

#endif
