/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What an address range is, by /proc/self/maps (proc_pid_maps(5)). These ranges do not suit:
 *   - those that other processes or files may change, and those that are not plain memory;
 *   - stacks, because the runtime itself may run on them later;
 *   - where malloc keeps small blocks: the heap, and glibc's further arenas, which begin at
 * multiples of 64 MiB. malloc copies small blocks, in realloc, with a lock held that the runtime
 * may wait for. Large blocks are mappings of their own.
 *
 * Linux 6.11 answers for a single address (PROCMAP_QUERY). Older kernels do not, so all lines are
 * read for each question, which is fast enough for a few arrays.
 */
#include "runtime/watch/service.h"
#include "runtime/watch/watch.h"
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PIECE = 4 << 10, NAME = 32 };
static const uintptr_t arena = (uintptr_t)64 << 20;
static const uintptr_t guard = (uintptr_t)64 << 10; /* the most of a stack */

/* As in linux/fs.h, which may be older than the kernel. */
struct map_query {
    uint64_t size, query_flags, query_addr;
    uint64_t vma_start, vma_end, vma_flags, vma_page_size, vma_offset, inode;
    uint32_t dev_major, dev_minor, vma_name_size, build_id_size;
    uint64_t vma_name_addr, build_id_addr;
};
#define MAP_QUERY _IOWR('f', 17, struct map_query)
enum { MAP_READABLE = 1, MAP_WRITABLE = 2, MAP_OF_SEVERAL = 8 };

typedef struct mapping {
    uintptr_t lo, hi;
    unsigned access; /* as the kernel's query has it */
    uint64_t inode;
    char name[NAME];
} mapping;

static int file = -1;
static bool asks;

void rt_maps_open(void) {
    struct map_query q = {.size = sizeof q, .query_addr = (uintptr_t)&arena};
    file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    asks = ioctl(file, MAP_QUERY, &q) == 0;
}

/* Without a name, which takes the kernel longer, where nobody looks at it. */
static bool query(uintptr_t address, bool named, mapping *m) {
    struct map_query q = {.size = sizeof q,
                          .query_addr = address,
                          .vma_name_size = named ? NAME : 0,
                          .vma_name_addr = named ? (uintptr_t)m->name : 0};
    m->name[0] = 0;
    /* ENAMETOOLONG: there is a mapping, with a long name */
    if (ioctl(file, MAP_QUERY, &q) != 0) {
        q.vma_name_size = 0;
        q.vma_name_addr = 0;
        strcpy(m->name, "?");
        if (ioctl(file, MAP_QUERY, &q) != 0)
            return false;
    }
    m->lo = q.vma_start;
    m->hi = q.vma_end;
    m->access = (unsigned)q.vma_flags;
    m->inode = q.inode;
    return true;
}

static uint64_t number(const char **text, unsigned base) {
    static const char digits[] = "0123456789abcdef";
    uint64_t value = 0;
    for (const char *d; **text && (d = strchr(digits, **text)) && d - digits < (int)base; ++*text)
        value = value * base + (uint64_t)(d - digits);
    return value;
}

static const char *skip_word(const char *text) {
    while (*text && *text != ' ')
        text++;
    while (*text == ' ')
        text++;
    return text;
}

/* A line is: lo-hi access offset device inode name. */
static void parse(const char *line, mapping *m) {
    m->lo = number(&line, 16);
    line += *line == '-';
    m->hi = number(&line, 16);
    line = skip_word(line);
    m->access = 0;
    for (unsigned i = 0; i < 4 && line[i]; i++)
        m->access |= line[i] == "rwxs"[i] ? 1u << i : 0;
    line = skip_word(skip_word(skip_word(line)));
    m->inode = number(&line, 10);
    line = skip_word(line);
    strncpy(m->name, line, NAME - 1);
    m->name[NAME - 1] = 0;
}

/* Reads all lines until see() returns true. False if none did. */
static bool scan(bool (*see)(const mapping *, uintptr_t), uintptr_t address, mapping *m) {
    static char text[PIECE + 1]; /* only one thread asks */
    size_t used = 0;
    ssize_t got;
    if (lseek(file, 0, SEEK_SET) != 0)
        return false;
    while ((got = read(file, text + used, PIECE - used)) > 0) {
        char *line = text, *end;
        used += (size_t)got;
        text[used] = 0;
        for (; (end = strchr(line, '\n')); line = end + 1) {
            *end = 0;
            parse(line, m);
            if (see(m, address))
                return true;
        }
        used = (size_t)(text + used - line);
        memmove(text, line, used);
    }
    return false;
}

static bool is_up_to(const mapping *m, uintptr_t address) {
    return address < m->hi;
}

static bool look_up(uintptr_t address, mapping *m) {
    if (file < 0 || asks)
        return file >= 0 && query(address, true, m);
    return scan(is_up_to, address, m) && address >= m->lo;
}

static bool look_up_unnamed(uintptr_t address, mapping *m) {
    return asks ? query(address, false, m) : look_up(address, m);
}

/* A driver has the memory of its devices, and anonymous memory that the kernel writes. */
static bool is_shared(const mapping *m, uintptr_t unused) {
    static const char *const drivers[] = {"/dev/nvidia", "/dev/dri/", "/dev/kfd", "/dev/zero "};
    bool ours = false;
    (void)unused;
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        ours = ours || !strncmp(m->name, drivers[i], strlen(drivers[i]));
    return !ours && (m->access & MAP_WRITABLE) && (m->access & MAP_OF_SEVERAL);
}

bool rt_maps_are_shared(void) {
    mapping m;
    return file < 0 || scan(is_shared, 0, &m);
}

static bool is_anonymous(const mapping *m) {
    return m->access == (MAP_READABLE | MAP_WRITABLE) && m->inode == 0 &&
           (m->name[0] == 0 || !strncmp(m->name, "[anon:", 6));
}

/* Is there a small mapping without access just below, as below a stack? */
static bool has_guard_below(const mapping *m) {
    mapping below;
    return look_up_unnamed(m->lo - 1, &below) && !(below.access & 7) &&
           below.hi - below.lo <= guard;
}

/* May the mapping be watched beside an array? Not if the reader (watch_reader.c) uses it: its
 * stack, its data, and this library's variables. If the reader waited for a page, no thread could
 * help it. */
static bool may_join(const mapping *m) {
    uintptr_t own = (uintptr_t)&file;
    return is_anonymous(m) && m->lo % arena != 0 && !(own >= m->lo && own < m->hi) &&
           !has_guard_below(m);
}

void rt_maps_widen(uintptr_t *lo, uintptr_t *hi, size_t most) {
    uintptr_t first = *lo, last = *hi;
    mapping m;
    while (*lo - first <= most && look_up(first - 1, &m) && may_join(&m))
        first = m.lo;
    while (last - *hi <= most && look_up(last, &m) && may_join(&m))
        last = m.hi;
    *lo = *lo - first <= most ? first : *lo;
    *hi = last - *hi <= most ? last : *hi;
}

uintptr_t rt_maps_end(uintptr_t address) {
    mapping m;
    return asks && query(address, true, &m) && is_anonymous(&m) ? m.hi : address;
}

typedef struct question {
    uintptr_t lo, hi, stack;
    unsigned rights;
    bool good;
} question;

/* An array may lie in several mappings that touch, if other arrays beside it are watched. */
static void serve_suits(void *context) {
    question *q = context;
    mapping m;
    uintptr_t at = q->lo;
    q->good = true;
    for (; q->good && at < q->hi; at = m.hi)
        q->good = look_up(at, &m) && is_anonymous(&m) && m.lo % arena != 0 &&
                  (q->stack < m.lo || q->stack >= m.hi) && !has_guard_below(&m);
}

static void serve_rights(void *context) {
    question *q = context;
    mapping m;
    q->good = true;
    for (uintptr_t at = q->lo; q->good && at < q->hi; at = m.hi)
        q->good = look_up_unnamed(at, &m) && (m.access & q->rights) == q->rights;
}

bool rt_watch_allows(uintptr_t lo, uintptr_t hi, bool writes) {
    question q = {.lo = lo, .hi = hi, .rights = MAP_READABLE | (writes ? MAP_WRITABLE : 0)};
    rt_service_call(serve_rights, &q);
    return q.good;
}

/* Is called on the stack that the runtime uses. */
bool rt_watch_suits(uintptr_t lo, uintptr_t hi) {
    question q = {.lo = lo, .hi = hi, .stack = (uintptr_t)__builtin_frame_address(0)};
    rt_service_call(serve_suits, &q);
    return q.good;
}
