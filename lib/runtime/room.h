/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much memory of the host the process may still take.
 */
#ifndef STENCILRT_ROOM_H
#define STENCILRT_ROOM_H

/* Bytes that are free on the machine, or that the limits of the process's control groups leave: a
 * container has such limits. `root` is "", or the folder where a test has its /proc and /sys. */
double rt_host_room(const char *root);

#endif
