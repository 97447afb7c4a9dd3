/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A GPU driver opens descriptors and keeps them. The kernel gives each the lowest free number,
 * which may be that of a standard descriptor that the program has closed. So all free numbers below
 * FIRST are taken while a driver is opened, and while it allocates memory, loads code and launches
 * a kernel for the first time. They are released afterwards. A number is taken by an O_PATH
 * descriptor. Reads and writes of the number fail with EBADF, as if it were closed. It is closed on
 * exec.
 *
 * Meanwhile another thread may close a number and open something there. So a number is released
 * only if it still is an O_PATH descriptor. To ask for each number by itself takes three quarters
 * of all the time. poll(2) tells of 64 at once: it takes O_PATH descriptors for closed ones, and
 * nothing else.
 */
#include "runtime/device/numbers.h"
#include "runtime/descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST = 512, WORD = 64 };

static uint64_t taken[FIRST / WORD];
static struct stat what;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users; /* threads that need the numbers taken */

/* If the limit is small, half of the numbers are left to the driver. */
static int end_of_numbers(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    return limit.rlim_cur >= 2 * FIRST ? FIRST : (int)limit.rlim_cur / 2;
}

static void take_all(void) {
    int end = end_of_numbers(), number = open("/", O_PATH | O_CLOEXEC), last = number;
    if (number < 0 || fstat(number, &what) != 0)
        end = 0;
    while (last >= 0 && last < end) {
        taken[last / WORD] |= UINT64_C(1) << last % WORD;
        last = fcntl(number, F_DUPFD_CLOEXEC, 0);
    }
    if (last >= 0)
        close(last);
}

void rt_numbers_take(void) {
    pthread_mutex_lock(&lock);
    if (users++ == 0)
        take_all();
    pthread_mutex_unlock(&lock);
}

static bool is_ours(int number) {
    struct stat now;
    int flags = fcntl(number, F_GETFL);
    return flags >= 0 && (flags & O_PATH) && fstat(number, &now) == 0 &&
           now.st_dev == what.st_dev && now.st_ino == what.st_ino;
}

/* Leaves in *bits the numbers from `first` on that are closed, or O_PATH descriptors. False: the
 * limit of descriptors is lower than 64. */
static bool keep_ours(int first, uint64_t *bits) {
    struct pollfd numbers[WORD];
    for (int i = 0; i < WORD; i++)
        numbers[i] = (struct pollfd){.fd = *bits >> i & 1 ? first + i : -1};
    if (poll(numbers, WORD, 0) < 0)
        return false;
    for (int i = 0; i < WORD; i++)
        if (numbers[i].revents != POLLNVAL)
            *bits &= ~(UINT64_C(1) << i);
    return true;
}

/* The lowest run of numbers goes with one call. False: the kernel has no such call. */
static bool close_run(int first, uint64_t *bits) {
    int from = __builtin_ctzll(*bits);
    uint64_t rest = ~(*bits >> from);
    int count = rest ? __builtin_ctzll(rest) : WORD;
    if (syscall(SYS_close_range, first + from, first + from + count - 1, 0) != 0)
        return false;
    *bits &= count < WORD ? ~(((UINT64_C(1) << count) - 1) << from) : 0;
    return true;
}

static void release_word(int first, uint64_t bits) {
    bool runs = bits && keep_ours(first, &bits);
    while (runs && bits)
        runs = close_run(first, &bits);
    for (; bits; bits &= bits - 1)
        if (is_ours(first + __builtin_ctzll(bits)))
            close(first + __builtin_ctzll(bits));
}

static void release_all(void) {
    for (int word = 0; word < FIRST / WORD; word++) {
        release_word(word * WORD, taken[word]);
        taken[word] = 0;
    }
}

void rt_numbers_release(void) {
    pthread_mutex_lock(&lock);
    if (--users == 0)
        release_all();
    pthread_mutex_unlock(&lock);
}

/* The child's only thread is not among the users: no thread forks inside the runtime. */
void rt_numbers_forked(void) {
    release_all();
    users = 0;
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
