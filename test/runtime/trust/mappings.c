/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays that the program maps anew, moves, protects, discards or pins, and others that look at
 * them by way of the kernel, while they are on the device. Promised: what the plain build finds.
 */
#include "trust.h"
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

enum { PAGES = (CELLS * 4 + 4095) / 4096, MAPPED = PAGES * 4096 };
enum { HOLE = 40960, HOLE_BYTES = 81920 };

static void begin(void) {
    set_up();
    go(4);
}

static void end(void) {
    show_both();
    go(3);
    show_both();
}

static void read_only(void) {
    begin();
    mprotect(a, BYTES, PROT_READ);
    show("a", a, BYTES);
    mprotect(a, BYTES, PROT_READ | PROT_WRITE);
    end();
}

static void allow(int number) {
    mprotect(a, MAPPED, PROT_READ | PROT_WRITE);
    mprotect(b, MAPPED, PROT_READ | PROT_WRITE);
}

static void allowed_by_a_handler(void) {
    begin();
    handle(SIGSEGV, allow);
    mprotect(a, MAPPED, PROT_NONE);
    mprotect(b, MAPPED, PROT_NONE);
    go(2);
    end();
}

static void must_be(void *memory, const char *what) {
    if (memory == MAP_FAILED) {
        printf("%s failed\n", what);
        exit(95);
    }
}

static void grown(void) {
    begin();
    a = mremap(a, MAPPED, 2 * MAPPED, MREMAP_MAYMOVE);
    must_be(a, "growing");
    show("grown", a, 2 * MAPPED);
    end();
}

static void moved(void) {
    begin();
    void *to = mmap(NULL, MAPPED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    a = mremap(a, MAPPED, MAPPED, MREMAP_MAYMOVE | MREMAP_FIXED, to);
    must_be(a, "moving");
    end();
}

/* Nothing is beside it. */
static char *apart(size_t bytes, int access) {
    char *room = mmap(NULL, bytes + 2 * HOLE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mmap(room + HOLE, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* What is new is part of the same mapping, also when the array is back. */
static void grown_then_moved(void) {
    begin();
    go(3);
    float *to = new_array(2 * MAPPED);
    a = mremap(a, MAPPED, 2 * MAPPED, MREMAP_MAYMOVE);
    if (a == MAP_FAILED)
        exit(92);
    show("a", a, BYTES);
    if (mremap(a, 2 * MAPPED, 2 * MAPPED, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED)
        exit(93);
    a = to;
    go(3);
    end();
}

/* From Linux 6.17 on mremap may move several mappings, and stop half-way. */
static void moved_with_what_is_beside(void) {
    enum { HEAD = 20 * 4096, TAIL = 30 * 4096, ALL = HEAD + MAPPED + TAIL };
    char *from = apart(ALL, PROT_READ | PROT_WRITE), *to = apart(ALL, PROT_NONE);
    a = (float *)(from + HEAD);
    b = new_array(BYTES);
    fill(a, CELLS);
    fill(b, CELLS);
    go(4);
    if (mremap(from, ALL, ALL, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED)
        exit(96);
    a = (float *)(to + HEAD);
    show("beside", to, HEAD);
    end();
    go(1); /* `a` is the first array again */
    from = to;
    to = apart(ALL, PROT_NONE);
    if (mremap(from, ALL, ALL, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED)
        exit(97);
    a = (float *)(to + HEAD);
    end();
}

/* The one array is still on its way back when the other comes to its place. */
static void moved_to_where_another_was(void) {
    void *rooms[3];
    for (int i = 0; i < 3; i++)
        rooms[i] = mmap(NULL, MAPPED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    begin();
    for (int i = 0; i < 3; i++) {
        void *was = a;
        a = mremap(a, MAPPED, MAPPED, MREMAP_MAYMOVE | MREMAP_FIXED, rooms[i]);
        must_be(a, "moving");
        b = mremap(b, MAPPED, MAPPED, MREMAP_MAYMOVE | MREMAP_FIXED, was);
        must_be(b, "moving");
        end();
    }
}

static void moved_and_left_empty(void) {
    begin();
    float *to = mremap(a, MAPPED, MAPPED, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
    must_be(to, "moving");
    show("old", a, BYTES);
    a = to;
    end();
}

static void shrunk_and_grown(void) {
    size_t half = MAPPED / 2 & ~4095ul;
    begin();
    a = mremap(a, MAPPED, half, 0);
    must_be(a, "shrinking");
    show("shrunk", a, half);
    a = mremap(a, half, MAPPED, MREMAP_MAYMOVE);
    must_be(a, "growing");
    end();
}

static void discarded_in_part(void) {
    begin();
    madvise((char *)a + HOLE, HOLE_BYTES, MADV_DONTNEED);
    end();
}

static void unmapped_in_part(void) {
    begin();
    munmap((char *)a + HOLE, HOLE_BYTES);
    mmap((char *)a + HOLE, HOLE_BYTES, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    end();
}

static void mapped_over_in_part(void) {
    begin();
    mmap((char *)a + HOLE, HOLE_BYTES, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    end();
}

static void locked(void) {
    begin();
    printf("%d\n", mlock(a, BYTES));
    go(2);
    printf("%d\n", mlockall(MCL_CURRENT | MCL_FUTURE));
    end();
}

static void locked_when_touched(void) {
    begin();
    printf("%d\n", mlock2(a, BYTES, MLOCK_ONFAULT));
    go(3);
    end();
}

static void advised(void) {
    static const int advice[] = {MADV_HUGEPAGE,    25 /* COLLAPSE */, MADV_MERGEABLE,
                                 21 /* PAGEOUT */, MADV_COLD,         23 /* POPULATE_WRITE */};
    begin();
    for (size_t k = 0; k < sizeof(advice) / sizeof(advice[0]); k++) {
        madvise(a, MAPPED, advice[k]);
        go(3);
        show("a", a, BYTES);
    }
    end();
}

static void child_shows(const float *array) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        show("child's", array, BYTES);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void not_for_children(void) {
    begin();
    madvise(a, MAPPED, MADV_DONTFORK);
    child_shows(b);
    end();
}

static void wiped_for_children(void) {
    begin();
    madvise(a, MAPPED, MADV_WIPEONFORK);
    child_shows(a);
    end();
}

static void through_proc_mem(void) {
    static float copy[CELLS];
    begin();
    int memory = open("/proc/self/mem", O_RDWR);
    printf("%ld\n", (long)pread(memory, copy, BYTES, (off_t)a));
    show("copy", copy, BYTES);
    go(3);
    float value = 3.5f;
    printf("%ld\n", (long)pwrite(memory, &value, sizeof(value), (off_t)(a + 100000)));
    end();
}

static void through_process_vm(void) {
    static float copy[CELLS];
    begin();
    struct iovec to = {copy, BYTES}, from = {a, BYTES};
    printf("%ld\n", (long)process_vm_readv(getpid(), &to, 1, &from, 1, 0));
    show("copy", copy, BYTES);
    end();
}

static void through_pipes_and_files(void) {
    static char copy[65536];
    begin();
    char name[] = "trust-XXXXXX";
    int file = mkstemp(name), ends[2];
    unlink(name);
    printf("%ld\n", (long)write(file, a, BYTES));
    go(1);
    printf("%ld\n", (long)pread(file, b, BYTES, 0));
    go(2);
    if (pipe(ends))
        exit(92);
    for (size_t at = 0; at + sizeof(copy) <= BYTES; at += sizeof(copy)) {
        struct iovec part = {(char *)a + at, sizeof(copy)};
        if (vmsplice(ends[1], &part, 1, 0) != (long)sizeof(copy))
            exit(93);
        for (size_t got = 0; got < sizeof(copy);) {
            long some = read(ends[0], copy + got, sizeof(copy) - got);
            if (some <= 0)
                exit(94);
            got += (size_t)some;
        }
        printf("%016llx\n", (unsigned long long)hash_of(copy, sizeof(copy)));
    }
    end();
}

/* The child looks at the parent's cells as a debugger does. */
static void trace(int from, int to) {
    float *array;
    pid_t parent = getppid();
    if (read(from, &array, sizeof(array)) != sizeof(array) ||
        ptrace(PTRACE_ATTACH, parent, NULL, NULL))
        _exit(1);
    waitpid(parent, NULL, 0);
    for (int i = 0; i < 5; i++)
        printf("%lx\n", ptrace(PTRACE_PEEKDATA, parent, array + 100000 + i * 2, NULL));
    fflush(stdout);
    ptrace(PTRACE_DETACH, parent, NULL, NULL);
    _exit(write(to, "x", 1) != 1);
}

static void through_ptrace(void) {
    int there[2], back[2], status = -1;
    char answer;
    set_up();
    if (pipe(there) || pipe(back))
        exit(92);
    pid_t child = fork();
    if (child == 0)
        trace(there[0], back[1]);
    prctl(PR_SET_PTRACER, child, 0, 0, 0);
    go(4);
    if (write(there[1], &a, sizeof(a)) != sizeof(a))
        exit(93);
    while (read(back[0], &answer, 1) < 0)
        ;
    waitpid(child, &status, 0);
    printf("child %x\n", status);
    end();
}

/* As a checkpointing library does, to leave out pages that were never written. */
static void pages_are_present(void) {
    begin();
    int map = open("/proc/self/pagemap", O_RDONLY);
    long present = 0;
    for (long page = 0; page < PAGES; page++) {
        uint64_t entry = 0;
        if (pread(map, &entry, 8, (off_t)(((uintptr_t)a / 4096 + (uintptr_t)page) * 8)) != 8)
            exit(92);
        present += (entry >> 63) || (entry >> 62 & 1);
    }
    printf("present %ld\n", present);
}

MAIN({"read-only", read_only}, {"allowed-by-a-handler", allowed_by_a_handler}, {"grown", grown},
     {"grown-then-moved", grown_then_moved},
     {"moved", moved}, {"moved-with-what-is-beside", moved_with_what_is_beside},
     {"moved-to-where-another-was", moved_to_where_another_was},
     {"moved-and-left-empty", moved_and_left_empty}, {"shrunk-and-grown", shrunk_and_grown},
     {"discarded-in-part", discarded_in_part}, {"unmapped-in-part", unmapped_in_part},
     {"mapped-over-in-part", mapped_over_in_part}, {"locked", locked},
     {"locked-when-touched", locked_when_touched}, {"advised", advised},
     {"not-for-children", not_for_children}, {"wiped-for-children", wiped_for_children},
     {"through-proc-mem", through_proc_mem}, {"through-process-vm", through_process_vm},
     {"through-pipes-and-files", through_pipes_and_files}, {"through-ptrace", through_ptrace},
     {"pages-are-present", pages_are_present})
