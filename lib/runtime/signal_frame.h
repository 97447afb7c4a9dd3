/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tells whether a signal handler runs on a stack. The kernel puts a frame on the stack of a
 * handler. On x86-64 the frame has the address of the code that returns from the handler
 * (sigaction's sa_restorer), and behind it a ucontext. A handler runs with its signal blocked. So
 * the stack is searched for the restorers of blocked signals.
 *
 * The runtime (stack.c) and the entry stub (offload/stub/entry.c) include this file. It needs no
 * other header. All of its functions are inlined, because the stub has no static functions.
 */
#ifndef STENCILRT_SIGNAL_FRAME_H
#define STENCILRT_SIGNAL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_INLINE static inline __attribute__((always_inline))

enum {
    FRAME_MOST = 1 << 20, /* bytes of a stack that are searched at most */
    /* The distance from the restorer's address to ucontext_t's uc_mcontext.gregs[REG_CSGSFS]. The
     * first two bytes there are the code segment. */
    FRAME_CODE = 192,
    FRAME_USER_CODE = 0x33, /* the code segment of all 64-bit programs */
    FRAME_SIGNALS = 64,
    FRAME_FEW = 8 /* a thread that blocks more signals blocks them for good */
};

/* Returns the restorer of the signal's handler; 0 if there is no handler or no restorer. */
typedef uintptr_t frame_restorer(int signal);
/* Copies bytes of this process; false where nothing is mapped. */
typedef bool frame_read(uintptr_t from, void *to, size_t bytes);

/* Searches the stack upwards from `here`. Memory is read by `read`, because the end of the stack is
 * not known yet. */
FRAME_INLINE bool frame_is_above(uintptr_t here, uintptr_t restorer, frame_read *read) {
    enum { WORDS = 64 };
    uintptr_t words[WORDS], end = here + FRAME_MOST;
    uint16_t code;
    for (uintptr_t at = here & ~(sizeof words - 1); at < end; at += sizeof words) {
        if (!read(at, words, sizeof words))
            return false;
        for (size_t i = 0; i < WORDS; i++) {
            uintptr_t place = at + i * sizeof *words;
            if (place >= here && words[i] == restorer &&
                read(place + FRAME_CODE, &code, sizeof code) && code == FRAME_USER_CODE)
                return true;
        }
    }
    return false;
}

/* Is there a frame of a handler of a blocked signal, as far as the search can tell? In `blocked`,
 * bit s - 1 is signal s. */
FRAME_INLINE bool frame_is_of_any(uint64_t blocked, frame_restorer *restorer_of,
                                  bool (*search)(uintptr_t restorer)) {
    if (__builtin_popcountll(blocked) > FRAME_FEW)
        return false;
    for (int s = 1; s <= FRAME_SIGNALS; s++) {
        uintptr_t restorer = blocked >> (s - 1) & 1 ? restorer_of(s) : 0;
        if (restorer && search(restorer))
            return true;
    }
    return false;
}

#endif
