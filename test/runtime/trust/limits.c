/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Limits set, and rights given up, before or while arrays are on the device. Promised: what
 * bringing back needs was there when they were taken; otherwise the original loops run.
 */
#include "trust.h"
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static void limit(int which, rlim_t most) {
    struct rlimit both = {most, most};
    setrlimit(which, &both);
}

static void work(void) {
    go(5);
    show_both();
    go(2);
    show_both();
}

static void address_space_from_the_start(void) {
    set_up();
    limit(RLIMIT_AS, 200 << 20);
    work();
}

static void no_more_processes(void) {
    set_up();
    limit(RLIMIT_NPROC, 0);
    work();
}

static void data_from_the_start(void) {
    set_up();
    limit(RLIMIT_DATA, 1 << 20);
    work();
}

static void no_descriptors(void) {
    set_up();
    limit(RLIMIT_NOFILE, 0);
    work();
}

static void memory_lowered_while_held(void) {
    set_up();
    go(4);
    limit(RLIMIT_AS, 30 << 20);
    limit(RLIMIT_DATA, 30 << 20);
    work();
}

static void all_lowered_while_held(void) {
    set_up();
    go(4);
    limit(RLIMIT_AS, 1 << 20);
    limit(RLIMIT_DATA, 0);
    limit(RLIMIT_STACK, 16 << 10);
    limit(RLIMIT_NOFILE, 0);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_MEMLOCK, 0);
    limit(RLIMIT_FSIZE, 1 << 20);
    work();
}

static void give_up_root(void) {
    mkdir("emptyroot", 0700);
    if (chroot("emptyroot") || chdir("/") || setgid(65534) || setuid(65534))
        exit(92);
}

static void other_root_from_the_start(void) {
    set_up();
    give_up_root();
    work();
}

static void other_root_while_held(void) {
    set_up();
    go(4);
    give_up_root();
    work();
}

/* As a sandbox does: userfaultfd(2) and ioctl(2) fail from now on, in all threads. */
static void refuse_calls(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program))
        exit(92);
}

static void sandboxed_from_the_start(void) {
    set_up();
    refuse_calls();
    work();
}

static void sandboxed_while_held(void) {
    set_up();
    go(4);
    refuse_calls();
    work();
}

MAIN({"address-space-from-the-start", address_space_from_the_start},
     {"no-more-processes", no_more_processes}, {"data-from-the-start", data_from_the_start},
     {"no-descriptors", no_descriptors}, {"memory-lowered-while-held", memory_lowered_while_held},
     {"all-lowered-while-held", all_lowered_while_held},
     {"other-root-from-the-start", other_root_from_the_start},
     {"other-root-while-held", other_root_while_held},
     {"sandboxed-from-the-start", sandboxed_from_the_start},
     {"sandboxed-while-held", sandboxed_while_held})
