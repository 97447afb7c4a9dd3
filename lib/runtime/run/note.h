/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A note about the program, for its next runs: a GPU was worth opening. It holds for the program's
 * file as it is now: its size and its time of change. The file is of the user's cache; noted.h says
 * which. Whatever fails there, nothing is noted.
 */
#ifndef STENCILRT_NOTE_H
#define STENCILRT_NOTE_H

#include <stdbool.h>

/* Is there a note about this program? */
bool rt_note_is_there(void);
/* Writes the note. Its descriptors are those of the calling thread. Allocates nothing. */
void rt_note_write(void);
/* For good: none is written again until the program's file changes. Otherwise a program that forks,
 * or whose runs differ, would lose in every second run. */
void rt_note_withdraw(void);

#endif
