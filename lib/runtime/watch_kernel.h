/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linux's userfaultfd, and what headers older than the kernel lack (ioctl_userfaultfd(2)).
 */
#ifndef STENCILRT_WATCH_KERNEL_H
#define STENCILRT_WATCH_KERNEL_H

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/mman.h>

#ifndef USERFAULTFD_IOC_NEW
#define USERFAULTFD_IOC_NEW _IO(0xAA, 0x00)
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

#endif
