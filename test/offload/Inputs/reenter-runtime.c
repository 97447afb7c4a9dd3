// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the runtime's place: says that it is asked, and declines. With -DFAILS it lacks what is called.
#include <errno.h>
#include <unistd.h>
void during(void);
__attribute__((constructor)) static void loaded(void) {
    ssize_t written = write(1, "loading\n", 8);
    during();
    written += write(1, "loaded\n", 7);
    (void)written;
    errno = 5;
}
#ifndef FAILS
int stencilrt_run(const void *region, const void *call);
int stencilrt_run(const void *region, const void *call) {
    ssize_t written = write(1, "asked\n", 6);
    (void)written, (void)region, (void)call;
    return 0;
}
#endif
