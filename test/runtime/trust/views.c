/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays that are seen or changed in other ways than by loads and stores of the program at their
 * own addresses. Promised: a sweep reads what the plain build's reads, and so does who looks.
 */
#include "trust.h"
#include <aio.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <setjmp.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

static void begin(void) {
    set_up();
    go(4);
}

static void end(void) {
    go(3);
    show_both();
}

static int new_file(size_t bytes) {
    int file = memfd_create("array", 0);
    if (ftruncate(file, (off_t)bytes) != 0)
        exit(92);
    return file;
}

static float *map(int flags, int file) {
    void *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, flags, file, 0);
    if (memory == MAP_FAILED)
        exit(92);
    return memory;
}

static void at_two_addresses(void) {
    int file = new_file(BYTES);
    float *v = map(MAP_SHARED, file), *w = map(MAP_SHARED, file);
    set_up();
    fill(v, CELLS);
    for (int t = 0; t < 6; t++) {
        sweep(CELLS, v, a);
        w[1000 * t] += 1;
        printf("%a\n", (double)w[5000]);
        sweep(CELLS, a, w);
    }
    show("w", w, BYTES);
    show_both();
}

/* What the program has not written follows the file. */
static void private_copy_of_a_file(void) {
    int file = new_file(BYTES);
    set_up();
    a = map(MAP_PRIVATE, file);
    for (int t = 0; t < 6; t++) {
        float value = (float)t;
        if (pwrite(file, &value, sizeof(value), 400000 + 8192 * t) != sizeof(value))
            exit(93);
        sweep(CELLS, b, a);
        printf("%a\n", (double)b[100001]);
    }
    show_both();
}

static void turn(int from, int to) {
    char token = 0;
    if ((from >= 0 && read(from, &token, 1) != 1) || (to >= 0 && write(to, &token, 1) != 1))
        exit(93);
}

static void shared_with_a_child(void) {
    enum { TURNS = 8 };
    int there[2], back[2];
    set_up();
    a = map(MAP_SHARED | MAP_ANONYMOUS, -1);
    fill(a, CELLS);
    if (pipe(there) != 0 || pipe(back) != 0)
        exit(92);
    if (fork() == 0) {
        for (int i = 0; i < TURNS; i++) {
            turn(there[0], -1);
            a[9000 * i + 3] = (float)i;
            turn(-1, back[1]);
        }
        _exit(0);
    }
    for (int i = 0; i < TURNS; i++) {
        turn(-1, there[1]);
        turn(back[0], -1);
        sweep(CELLS, b, a);
        sweep(CELLS, a, b);
    }
    wait(NULL);
    show_both();
}

static void written_by_a_child(void) {
    enum { WRITTEN = 50000 };
    static float values[WRITTEN];
    int there[2], status;
    begin();
    if (pipe(there) != 0)
        exit(92);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        for (int i = 0; i < WRITTEN; i++)
            values[i] = (float)i;
        turn(there[0], -1);
        struct iovec from = {values, sizeof(values)}, to = {a + 33333, sizeof(values)};
        _exit(process_vm_writev(parent, &from, 1, &to, 1, 0) == sizeof(values) ? 7 : 8);
    }
    go(4);
    turn(-1, there[1]);
    waitpid(child, &status, 0);
    printf("child %x\n", status);
    end();
}

static char *whole_pages(float *array) {
    return (char *)(((uintptr_t)array + 8191) & ~4095ul);
}

/* The pipe has the pages themselves. */
static void pages_in_a_pipe(void) {
    static char got[65536];
    int there[2];
    begin();
    if (pipe(there) != 0)
        exit(92);
    fcntl(there[1], F_SETPIPE_SZ, 1 << 20);
    struct iovec pages = {whole_pages(b), sizeof(got)};
    ssize_t given = vmsplice(there[1], &pages, 1, 0);
    for (ssize_t done = 0, n; done < given; done += n)
        if ((n = read(there[0], got + done, sizeof(got) - (size_t)done)) <= 0)
            exit(93);
    show("pages", got, sizeof(got));
    end();
}

static long await(struct aiocb *control) {
    const struct aiocb *list[] = {control};
    while (aio_suspend(list, 1, NULL) != 0)
        ;
    return aio_return(control);
}

static void asynchronous_files(void) {
    int file = new_file(0);
    begin();
    struct aiocb out = {.aio_fildes = file, .aio_buf = a, .aio_nbytes = BYTES};
    aio_write(&out);
    printf("%ld\n", await(&out));
    go(2);
    struct aiocb in = {.aio_fildes = file, .aio_buf = b, .aio_nbytes = BYTES / 2};
    aio_read(&in);
    printf("%ld\n", await(&in));
    end();
}

/* The program watches the array itself. */
static void program_has_a_userfaultfd(bool first) {
    struct uffdio_api api = {.api = UFFD_API};
    struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};
    int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0)
        ioctl(fd, UFFDIO_API, &api);
    set_up();
    if (!first)
        go(4);
    range.range.start = (uintptr_t)a;
    range.range.len = (BYTES + 4095) & ~4095ul;
    bool watches = fd >= 0 && ioctl(fd, UFFDIO_REGISTER, &range) == 0;
    go(4);
    if (watches)
        ioctl(fd, UFFDIO_UNREGISTER, &range.range);
    if (fd >= 0)
        close(fd);
    end();
}

static void watched_by_the_program(void) {
    program_has_a_userfaultfd(true);
}

static void watched_by_the_program_later(void) {
    program_has_a_userfaultfd(false);
}

/* As checkpointing libraries do: a page is protected until it is written. */
static volatile int written;

static void note_page(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    written++;
    mprotect((void *)((uintptr_t)info->si_addr & ~4095ul), 4096, PROT_READ | PROT_WRITE);
}

static void notice_pages(bool after_the_first) {
    struct sigaction action = {.sa_sigaction = note_page, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    set_up();
    if (after_the_first)
        go(4);
    for (int t = 0; t < 5; t++) {
        mprotect(b, BYTES, t == 3 ? PROT_NONE : PROT_READ);
        written = 0;
        go(1);
        printf("%d pages\n", written);
        mprotect(a, BYTES, PROT_READ | PROT_WRITE);
        go(after_the_first);
    }
    show_both();
}

static void written_pages_are_noticed(void) {
    notice_pages(false);
}

static void pages_written_later_are_noticed(void) {
    notice_pages(true);
}

static void read_pages_are_noticed(void) {
    struct sigaction action = {.sa_sigaction = note_page, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    begin();
    mprotect(whole_pages(a), 40960, PROT_NONE);
    go(1);
    printf("%d pages\n", written);
    end();
}

/* The handler leaves the sweep. */
static sigjmp_buf away;

static void leave(int signal) {
    (void)signal;
    siglongjmp(away, 1);
}

static void handler_leaves_the_sweep(void) {
    handle(SIGSEGV, leave);
    begin();
    mprotect(b, BYTES, PROT_READ);
    for (volatile int i = 0; i < 3; i++) {
        if (sigsetjmp(away, 1) == 0)
            go(1);
        else
            puts("left");
    }
    mprotect(b, BYTES, PROT_READ | PROT_WRITE);
    end();
}

static void named_in_part(void) {
    enum { NAME_MAPPING = 0x53564d41 };
    begin();
    prctl(NAME_MAPPING, 0, whole_pages(a), 40960, "part");
    go(4);
    prctl(NAME_MAPPING, 0, whole_pages(b) + 81920, 40960, "other");
    end();
}

MAIN({"at-two-addresses", at_two_addresses}, {"private-copy-of-a-file", private_copy_of_a_file},
     {"shared-with-a-child", shared_with_a_child}, {"written-by-a-child", written_by_a_child},
     {"pages-in-a-pipe", pages_in_a_pipe}, {"asynchronous-files", asynchronous_files},
     {"watched-by-the-program", watched_by_the_program},
     {"watched-by-the-program-later", watched_by_the_program_later},
     {"written-pages-are-noticed", written_pages_are_noticed},
     {"pages-written-later-are-noticed", pages_written_later_are_noticed},
     {"read-pages-are-noticed", read_pages_are_noticed},
     {"handler-leaves-the-sweep", handler_leaves_the_sweep}, {"named-in-part", named_in_part})
