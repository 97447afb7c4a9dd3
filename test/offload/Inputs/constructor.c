/* constructor LIBRARY [thread]: loads the library; in a program with another thread. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *wait_for_ever(void *unused) {
    for (;;)
        pause();
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (argc > 2)
        pthread_create(&thread, NULL, wait_for_ever, NULL);
    if (!dlopen(argv[1], RTLD_NOW))
        printf("%s\n", dlerror());
    printf("loaded\n");
    return 0;
}
