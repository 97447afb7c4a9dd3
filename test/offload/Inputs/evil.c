// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that says when it is loaded.
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) {
    ssize_t written = write(1, "foreign code ran\n", 17);
    (void)written;
}
