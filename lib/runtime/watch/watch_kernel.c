/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls of userfaultfd(2) and its ioctls. Each returns its errno.
 */
#include "runtime/watch/watch_kernel.h"
#include "runtime/watch/guard.h"
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int call(int fd, unsigned long request, void *argument) {
    return ioctl(fd, request, argument) == 0 ? 0 : errno;
}

enum { open_flags = O_CLOEXEC | O_NONBLOCK };

static int open_descriptor(void) {
    int opened = (int)syscall(SYS_userfaultfd, open_flags);
    if (opened >= 0 || errno == EMFILE)
        return opened;
    int device = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
    if (device >= 0) {
        opened = ioctl(device, USERFAULTFD_IOC_NEW, open_flags);
        close(device);
    }
    return opened;
}

static const char *refusal(int error) {
    switch (error) {
    case ENOSYS:
        return "the kernel has no userfaultfd";
    case EMFILE:
        return "the limit of descriptors leaves none for a userfaultfd";
    default:
        return "userfaultfd for system calls is not permitted";
    }
}

/* Messages of forks need CAP_SYS_PTRACE. */
int rt_uffd_open(bool *forks, bool *users, const char **why) {
    uint64_t features = UFFD_FEATURE_PAGEFAULT_FLAG_WP | UFFD_FEATURE_THREAD_ID |
                        UFFD_FEATURE_EVENT_REMAP | UFFD_FEATURE_EVENT_REMOVE |
                        UFFD_FEATURE_EVENT_UNMAP | UFFD_FEATURE_MOVE;
    int fd = open_descriptor();
    *users = fd < 0 && (errno == EPERM || errno == EACCES || errno == ENOENT) && rt_guard_works();
    if (*users)
        fd = (int)syscall(SYS_userfaultfd, open_flags | UFFD_USER_MODE_ONLY);
    if (fd < 0) {
        *why = refusal(errno);
        return -1;
    }
    struct uffdio_api api = {.api = UFFD_API, .features = features | UFFD_FEATURE_EVENT_FORK};
    *forks = call(fd, UFFDIO_API, &api) == 0;
    api = (struct uffdio_api){.api = UFFD_API, .features = features};
    if (*forks || call(fd, UFFDIO_API, &api) == 0)
        return fd;
    *why = "the kernel's userfaultfd cannot move pages (Linux 6.8 can)";
    close(fd);
    return -1;
}

int rt_uffd_wake(int fd, uintptr_t at, size_t bytes) {
    struct uffdio_range range = {at, bytes};
    return call(fd, UFFDIO_WAKE, &range);
}

int rt_uffd_protect(int fd, uintptr_t at, size_t bytes, bool on) {
    struct uffdio_writeprotect wp = {{at, bytes}, on ? UFFDIO_WRITEPROTECT_MODE_WP : 0};
    return call(fd, UFFDIO_WRITEPROTECT, &wp);
}

int rt_uffd_enroll(int fd, uintptr_t at, size_t bytes) {
    struct uffdio_register r = {.range = {at, bytes},
                                .mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP};
    return call(fd, UFFDIO_REGISTER, &r);
}

int rt_uffd_dismiss(int fd, uintptr_t at, size_t bytes) {
    struct uffdio_range range = {at, bytes};
    return call(fd, UFFDIO_UNREGISTER, &range);
}

int rt_uffd_zero(int fd, uintptr_t at, size_t bytes) {
    struct uffdio_zeropage zero = {.range = {at, bytes}};
    return call(fd, UFFDIO_ZEROPAGE, &zero);
}

int rt_uffd_move(int fd, uintptr_t to, uintptr_t from, size_t bytes, size_t *done) {
    struct uffdio_move m = {
        .dst = to, .src = from, .len = bytes, .mode = UFFDIO_MOVE_MODE_ALLOW_SRC_HOLES};
    int error = call(fd, UFFDIO_MOVE, &m);
    *done = m.move > 0 ? (size_t)m.move : 0;
    return error;
}

int rt_uffd_copy(int fd, uintptr_t to, uintptr_t from, size_t bytes, bool protect, size_t *done) {
    struct uffdio_copy copy = {
        .dst = to, .src = from, .len = bytes, .mode = protect ? UFFDIO_COPY_MODE_WP : 0};
    int error = call(fd, UFFDIO_COPY, &copy);
    *done = copy.copy > 0 ? (size_t)copy.copy : 0;
    return error;
}

void rt_pages_populate(uintptr_t lo, uintptr_t hi, size_t page) {
    enum { AT_ONCE = 128 };
    unsigned char there[AT_ONCE];
    for (size_t pages; lo < hi; lo += pages * page) {
        pages = (hi - lo) / page < AT_ONCE ? (hi - lo) / page : AT_ONCE;
        bool all = mincore((void *)lo, pages * page, there) == 0;
        for (size_t i = 0; i < pages && all; i++)
            all = there[i] & 1;
        if (!all)
            break;
    }
    if (lo < hi)
        madvise((void *)lo, hi - lo, MADV_POPULATE_READ);
}
