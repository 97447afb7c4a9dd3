// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region that is worth asking the runtime for, whatever the environment says; and is the runtime there then?
#include <stdio.h>
#include <string.h>
enum { N = 1 << 20 };
static int a[N], b[N];
__attribute__((noinline)) static void sweep(int n) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
static int is_loaded(const char *name) {
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    int found = 0;
    while (maps && fgets(line, sizeof line, maps))
        found |= strstr(line, name) != NULL;
    return found;
}
int main(void) {
    for (int i = 0; i < N; i++)
        a[i] = 2 * i;
    sweep(N);
    printf("%d%s\n", b[98] + b[1], is_loaded("libstencilrt.so") ? ", runtime loaded" : "");
}
