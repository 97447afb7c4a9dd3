/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linux's userfaultfd, with what headers older than the kernel do not have (ioctl_userfaultfd(2)).
 * The calls return 0 or an errno. Only the service's threads (service.h) can make them.
 */
#ifndef STENCILRT_WATCH_KERNEL_H
#define STENCILRT_WATCH_KERNEL_H

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#ifndef USERFAULTFD_IOC_NEW
#define USERFAULTFD_IOC_NEW _IO(0xAA, 0x00)
#endif

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

#ifndef UFFD_FEATURE_MOVE
#define UFFD_FEATURE_MOVE (1 << 16)
#endif

#ifndef UFFDIO_MOVE
struct uffdio_move {
    __u64 dst, src, len, mode;
    __s64 move;
};
#define UFFDIO_MOVE _IOWR(UFFDIO, 0x05, struct uffdio_move)
#define UFFDIO_MOVE_MODE_ALLOW_SRC_HOLES ((__u64)1 << 1)
#endif

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

/* A descriptor, or -1 with an errno. *forks: does it report forks? *users: does it report only
 * faults of user mode? */
int rt_uffd_open(bool *forks, bool *users, const char **why);

int rt_uffd_wake(int fd, uintptr_t at, size_t bytes);
/* Protects against writes, or ends the protection. */
int rt_uffd_protect(int fd, uintptr_t at, size_t bytes, bool on);
int rt_uffd_enroll(int fd, uintptr_t at, size_t bytes);
int rt_uffd_dismiss(int fd, uintptr_t at, size_t bytes);
int rt_uffd_zero(int fd, uintptr_t at, size_t bytes);
/* Moves pages that exist. *done: the bytes moved, from the first on. */
int rt_uffd_move(int fd, uintptr_t to, uintptr_t from, size_t bytes, size_t *done);
int rt_uffd_copy(int fd, uintptr_t to, uintptr_t from, size_t bytes, bool protect, size_t *done);

/* Gets whole pages that are not there. One call, because a fault for each takes long; it also takes
 * long where all are there. */
void rt_pages_populate(uintptr_t lo, uintptr_t hi, size_t page);

#endif
