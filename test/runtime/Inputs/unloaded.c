/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LIBRARY: a sweep. Otherwise: loads each library that is named, calls its sweep, and unloads it.
 */
#ifdef LIBRARY
enum { CELLS = 2000 };
float from[CELLS], to[CELLS];

void LIBRARY(void) {
    for (int i = 1; i < CELLS - 1; i++)
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}
#else
#include <dlfcn.h>

int main(int words, char **word) {
    for (int i = 1; i + 1 < words; i += 2) {
        void *library = dlopen(word[i], RTLD_NOW);
        void (*sweep)(void) = library ? (void (*)(void))dlsym(library, word[i + 1]) : 0;
        if (!sweep)
            return 1;
        sweep();
        dlclose(library);
    }
    return 0;
}
#endif
