/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The code that every program with offloaded regions contains: it finds the runtime and calls it.
 * Clang compiles this file to bitcode when the plugin is built. lib/offload/enter.c links the
 * bitcode into the user's module. The linker keeps one copy of it.
 *
 * A program needs no library at link time: all functions that this file calls are weak. Without
 * dlopen, or without a runtime, the original loops run. They also run in a program that is linked
 * statically with glibc. There dlopen would load a second C library and crash. Only such a program
 * has _dl_non_dynamic_init.
 *
 * The runtime is looked for in this order:
 *   STENCILOPT_RUNTIME, if it is set; then nowhere else
 *   the path recorded when the program was compiled
 *   libstencilrt.so.ABI, then libstencilrt.so, on the loader's path
 * A program with more rights than its caller (AT_SECURE: set-user-id, set-group-id, file
 * capabilities) reads no variable and leaves out the recorded path. That path may lead through a
 * folder that others can write. The caller cannot change the loader's path of such a program, which
 * trusts it for all its libraries.
 *
 * Signals. A handler that interrupted dlopen must not call dlopen. So asynchronous signals are
 * blocked while the runtime is looked for. Another thread, or the handler of a fault, may still
 * come here meanwhile: it runs the original loops. Nothing here waits, and there is no lock. A
 * thread must not be cancelled in dlopen, because dlopen's lock would stay taken for good. A
 * handler that interrupted malloc must not load the runtime, because dlopen would wait for malloc's
 * lock. So while the runtime is not loaded, a handler that can be recognised
 * (runtime/signal_frame.h) runs the original loops, and a later region looks for the runtime.
 *
 * Descriptors. While dlopen works, it reads files by numbers of the descriptor table. Another
 * thread may replace these numbers by dup2, and dlopen would map a wrong file. So a thread that has
 * an empty table of its own calls dlopen. In a library's constructor the calling thread has
 * dlopen's lock, which another thread would never get. Then the calling thread calls dlopen itself.
 *
 * Forks. A child has only the thread that forked. Locks that other threads held then, in malloc or
 * in dlopen, stay taken in the child. So in a child of a process with several threads the original
 * loops run, unless the runtime was loaded before the fork.
 */
#include "runtime/noted.h"
#include "runtime/signal_frame.h"
#include <stdbool.h>
#include <stddef.h>
#include <stencilopt/region.h>

#define NAMED(name) __asm__("stencilopt." name)
#define WEAK __attribute__((weak))
/* no_builtin: no loop may become a call of strlen, which a program without a C library lacks. */
#define COLD __attribute__((noinline, cold, nothrow, no_builtin))
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define LIBRARY "libstencilrt.so"

/* Declared here: headers would be those of the machine that builds the plugin. */
extern void *dlopen(const char *, int) WEAK;
extern void *dlsym(void *, const char *) WEAK;
extern int dlclose(void *) WEAK;
extern char *dlerror(void) WEAK;
extern char *getenv(const char *) WEAK;
extern char *secure_getenv(const char *) WEAK;
extern unsigned long getauxval(unsigned long) WEAK;
extern int sigprocmask(int, const void *, void *) WEAK;
extern int sigaction(int, const void *, void *) WEAK;
extern int getpid(void) WEAK;
extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *) WEAK;
extern int pthread_join(unsigned long, void **) WEAK;
extern int pthread_tryjoin_np(unsigned long, void **) WEAK;
extern int pthread_detach(unsigned long) WEAK;
extern int nanosleep(const void *, void *) WEAK;
extern int unshare(int) WEAK;
extern long syscall(long, ...) WEAK;
extern void *mmap(void *, unsigned long, int, int, int, long) WEAK;
extern int munmap(void *, unsigned long) WEAK;
extern int pthread_setcancelstate(int, int *) WEAK;
extern int pthread_setcanceltype(int, int *) WEAK;
extern void pthread_testcancel(void) WEAK;
extern long process_vm_readv(int, const void *, unsigned long, const void *, unsigned long,
                             unsigned long) WEAK;
extern int *__errno_location(void) WEAK;
/* The first byte of the program's, or the library's, file. Linkers define it. */
extern const char __ehdr_start WEAK __attribute__((visibility("hidden")));
/* Functions of glibc; no program uses these names for something else. */
extern long __readlink_chk(const char *, char *, unsigned long, unsigned long) WEAK;
extern long __write(int, const void *, unsigned long) WEAK;
extern long __read(int, void *, unsigned long) WEAK;
extern int __open(const char *, int, ...) WEAK;
extern int __close(int) WEAK;
extern char __libc_single_threaded WEAK;
extern void _dl_non_dynamic_init(void) WEAK;

/* Linux's numbers. They are the same on x86-64 and AArch64. */
enum { RTLD_NOW_ = 2, AT_PHDR_ = 3, AT_SECURE_ = 23, SIG_SETMASK_ = 2, STANDARD_ERROR = 2 };
enum { O_NONBLOCK_ = 04000, O_NOCTTY_ = 0400 };
enum { O_CLOEXEC_ = 02000000, FORKED_NO_EXEC = 0x40 /* the kernel's PF_FORKNOEXEC */ };
enum { SIGNAL_WORDS = 16 }; /* of a sigset_t */
enum { SYS_CLOSE_RANGE = 436, CLOSE_RANGE_UNSHARE_ = 2, CLONE_SIGHAND_ = 0x800, EINVAL_ = 22 };
enum { CANCEL_DISABLE = 1, CANCEL_DEFERRED = 0 };
/* SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV: the thread itself causes them. */
#define SYNCHRONOUS (1ul << 3 | 1ul << 4 | 1ul << 5 | 1ul << 6 | 1ul << 7 | 1ul << 10)

/* The state of a thread before it looked for the runtime. */
typedef struct guarded {
    unsigned long signals[SIGNAL_WORDS];
    int error, cancel_state, cancel_type;
} guarded;

/* glibc's sigaction; musl does not show the restorer. */
typedef struct signal_action {
    uintptr_t handler;
    unsigned long mask[SIGNAL_WORDS];
    int flags;
    uintptr_t restorer;
} signal_action;

/* The kernel's struct iovec. */
typedef struct piece {
    void *at;
    unsigned long bytes;
} piece;

/* The kernel's struct timespec. */
typedef struct pause {
    long seconds, nanoseconds;
} pause;

typedef int entry_run(const stencilrt_region *, const stencilrt_call *);
typedef int entry_notify(int, const void *, uint64_t);
typedef void entry_begin(void);

enum { NOT_KNOWN, ALWAYS_ONE, ONE, SEVERAL }; /* threads of the process */
enum {
    UNKNOWN = 0, /* nothing was found out yet */
    /* The device is chosen by cost. So small regions need not ask, unless their arrays may be on
     * the device. */
    BY_COST = 1,
    ASKED = 2, /* a device is named or a report is wanted, so all regions ask */
    NEVER = 3  /* there is no runtime or no device, so no region asks */
};
/* A CPU core takes some 30 microseconds for 65,536 cell updates. One launch with its transfers
 * costs at least about as much. */
enum { WORTH_ASKING = 65536 };

int entry_state NAMED("state") = UNKNOWN;
/* Did a device run the last sweep with tables? If not, how many of those in a row. */
int entry_used NAMED("used") = 0;
unsigned entry_idle NAMED("idle") = 0;
entry_run *entry_function NAMED("function") = NULL;
entry_notify *entry_told NAMED("told") = NULL;
entry_begin *entry_begins NAMED("begins") = NULL;
/* The number of arrays that the runtime has on devices. NULL: unknown. */
const int *entry_holding NAMED("holding") = NULL;
int entry_kept NAMED("kept") = 0;             /* 1: the program keeps memory on the device */
int entry_finding NAMED("finding") = 0;       /* 1: a thread is looking for the runtime */
extern const char entry_path[] NAMED("path"); /* recorded by the plugin; may be empty */

/* One line, written by one call: lines of several threads do not mix. */
typedef struct line {
    unsigned long used;
    char text[1024];
} line;

/* What the thread gets that loads the runtime, and what it finds. */
typedef struct search {
    line *l;
    entry_run *run;
} search;

const char *entry_setting(const char *name) NAMED("setting");
int entry_choose(void) NAMED("choose");
bool entry_ready(uint64_t x, uint64_t y, uint64_t z, uint64_t steps) NAMED("ready");
void entry_add(line *l, const char *text) NAMED("add");
void entry_say(line *l) NAMED("say");
const char *entry_number(const char *text, int spaces, unsigned long *number) NAMED("number");
int entry_threads(void) NAMED("threads");
const char *entry_lost_threads(int now) NAMED("lost");
uintptr_t entry_restorer(int signal) NAMED("restorer");
bool entry_read(uintptr_t from, void *to, size_t bytes) NAMED("read");
bool entry_is_above(uintptr_t restorer) NAMED("above");
bool entry_is_in_handler(void) NAMED("handler");
entry_run *entry_open(const char *path, line *l) NAMED("open");
entry_run *entry_search(line *l) NAMED("search");
bool entry_ends_soon(unsigned long thread) NAMED("soon");
bool entry_has_free_loader(void) NAMED("free");
void *entry_search_apart(void *context) NAMED("apart");
entry_run *entry_search_safely(line *l) NAMED("safely");
void entry_guard(guarded *g) NAMED("guard");
void entry_unguard(const guarded *g) NAMED("unguard");
entry_run *entry_load(void) NAMED("load");
entry_run *entry_find(void) NAMED("find");
bool entry_enter(const stencilrt_region *region, const stencilrt_call *call) NAMED("enter");
void entry_tell(int what, const void *memory, uint64_t bytes) NAMED("notify");
void entry_settle(bool ready) NAMED("settle");
void *entry_table(bool wanted, uint64_t bytes) NAMED("table");
void entry_drop(void *table, uint64_t bytes) NAMED("drop");
bool entry_pays(void) NAMED("pays");
bool entry_is_noted(void) NAMED("noted");
void entry_start(void) NAMED("start");

#define LOAD(variable) __atomic_load_n(&(variable), __ATOMIC_ACQUIRE)
#define STORE(variable, value) __atomic_store_n(&(variable), value, __ATOMIC_RELEASE)
#define GLANCE(variable) __atomic_load_n(&(variable), __ATOMIC_RELAXED)

/* Does the program have no more rights than its caller? */
static inline bool is_trusted(void) {
    return getauxval && !getauxval(AT_SECURE_);
}

static inline bool can_cancel(void) {
    return pthread_setcancelstate && pthread_setcanceltype && pthread_testcancel;
}

COLD const char *entry_setting(const char *name) {
    if (secure_getenv)
        return secure_getenv(name);
    return getenv && is_trusted() ? getenv(name) : NULL;
}

COLD int entry_choose(void) {
    int state = NEVER;
    if (getenv || secure_getenv) {
        const char *device = entry_setting("STENCILOPT_DEVICE");
        bool named = device && *device && *device != 'a';
        state = named || entry_setting("STENCILOPT_REPORT") ? ASKED : BY_COST;
    }
    STORE(entry_state, state);
    return state;
}

/* Is the region large enough to ask the runtime? */
bool entry_ready(uint64_t x, uint64_t y, uint64_t z, uint64_t steps) {
    uint64_t cells;
    int state = GLANCE(entry_state);
    if (state == UNKNOWN)
        state = entry_choose();
    bool much = __builtin_mul_overflow(x, y, &cells);
    much |= __builtin_mul_overflow(cells, z, &cells);
    much |= __builtin_mul_overflow(cells, steps, &cells);
    const int *holding = GLANCE(entry_holding);
    bool held = holding && GLANCE(*holding) > 0;
    return state == ASKED || (state == BY_COST && (much || held || cells >= WORTH_ASKING));
}

/* Adds text. Text that does not fit is left out; there is always room for the line's end. */
COLD void entry_add(line *l, const char *text) {
    for (; *text && l->used < sizeof l->text - 2; text++)
        l->text[l->used++] = *text == '\n' ? ' ' : *text;
}

COLD void entry_say(line *l) {
    const char *wanted = entry_setting("STENCILOPT_REPORT");
    if (!wanted || !*wanted || *wanted == '0' || !__write)
        return;
    l->text[l->used++] = '\n';
    __write(STANDARD_ERROR, l->text, l->used);
}

/* Reads the number that follows so many spaces. */
COLD const char *entry_number(const char *text, int spaces, unsigned long *number) {
    while (spaces > 0 && *text)
        spaces -= *text++ == ' ';
    for (*number = 0; *text >= '0' && *text <= '9'; text++)
        *number = *number * 10 + (unsigned long)(*text - '0');
    return text;
}

/* How many threads there are now. The kernel refuses to unshare the signal handlers of one of
 * several threads. A single thread does not share them, so nothing changes. */
COLD int entry_threads(void) {
    if (&__libc_single_threaded && GLANCE(__libc_single_threaded))
        return ALWAYS_ONE;
    if (unshare && unshare(CLONE_SIGHAND_) == 0)
        return ONE;
    return unshare && __errno_location && *__errno_location() == EINVAL_ ? SEVERAL : NOT_KNOWN;
}

/* If this process is a child of one that had several threads, or may be one: the sentence that says
 * so. Otherwise NULL. The kernel tells that the process is a child. A child with several threads of
 * its own has used malloc since the fork, so it counts as safe. The kernel tells by a file, so a
 * descriptor must be free; dlopen would fail without one as well, but with its lock taken. Where
 * another thread could replace the descriptor, the file is not read. */
COLD const char *entry_lost_threads(int now) {
    char text[512];
    unsigned long flags, threads;
    if (now == ALWAYS_ONE || now == SEVERAL || !__open || !__read || !__close)
        return NULL;
    int file = __open("/proc/self/stat", O_CLOEXEC_);
    long got = file >= 0 ? __read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        __close(file);
    if (got <= 0)
        return "/proc/self/stat cannot be read, which tells whether this process was forked from "
               "one that had several threads";
    text[got] = 0;
    /* The end of the program's name, which may contain any character. */
    const char *end = text + got;
    while (end > text && *end != ')')
        end--;
    end = entry_number(end, 7, &flags);
    entry_number(end, 11, &threads);
    return (flags & FORKED_NO_EXEC) && threads == 1
               ? "this process was forked from one that had several threads"
               : NULL;
}

COLD uintptr_t entry_restorer(int signal) {
    signal_action now;
    now.restorer = 0;
    return sigaction(signal, NULL, &now) == 0 && now.handler > 1 ? now.restorer : 0;
}

/* Reads memory by a system call, which fails where nothing is mapped. */
COLD bool entry_read(uintptr_t from, void *to, size_t bytes) {
    piece local = {to, bytes}, remote = {(void *)from, bytes};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (long)bytes;
}

COLD bool entry_is_above(uintptr_t restorer) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)7;
    return frame_is_above(here, restorer, entry_read);
}

/* Does the thread run a signal handler? Nothing that this calls takes a lock. On AArch64 there is
 * no restorer, so no handler is recognised. */
COLD bool entry_is_in_handler(void) {
    int *error = __errno_location ? __errno_location() : NULL, number = error ? *error : 0;
    uint64_t blocked[SIGNAL_WORDS];
    if (!sigprocmask || !sigaction || !getpid || !process_vm_readv ||
        sigprocmask(SIG_SETMASK_, NULL, blocked) != 0)
        return false;
    bool is = frame_is_of_any(blocked[0], entry_restorer, entry_is_above);
    if (error)
        *error = number;
    return is;
}

/* Loads the runtime from a path. On failure the line gets one reason more. */
COLD entry_run *entry_open(const char *path, line *l) {
    void *library = dlopen(path, RTLD_NOW_);
    entry_run *run = library ? (entry_run *)dlsym(library, "stencilrt_run") : NULL;
    if (run) {
        STORE(entry_told, (entry_notify *)dlsym(library, "stencilrt_notify"));
        STORE(entry_begins, (entry_begin *)dlsym(library, "stencilrt_start"));
        STORE(entry_holding, (const int *)dlsym(library, "stencilrt_holding"));
        STORE(entry_function, run);
        return run;
    }
    const char *why = dlerror ? dlerror() : NULL;
    if (l->text[l->used - 1] != '(')
        entry_add(l, "; ");
    entry_add(l, why ? why : path);
    return NULL;
}

/* Does the path start in the current folder? */
static inline bool is_relative(const char *path) {
    const char *c = path;
    while (*c && *c != '/')
        c++;
    return *c && c != path;
}

COLD entry_run *entry_search(line *l) {
    const char *given = entry_setting("STENCILOPT_RUNTIME");
    if (given && is_relative(given)) {
        entry_add(l, "STENCILOPT_RUNTIME is not an absolute path: ");
        entry_add(l, given);
        return NULL;
    }
    if (given && *given)
        return entry_open(given, l);
    entry_run *run = *entry_path == '/' && is_trusted() ? entry_open(entry_path, l) : NULL;
    if (!run)
        run = entry_open(LIBRARY "." TEXT(STENCILRT_ABI), l);
    return run ? run : entry_open(LIBRARY, l);
}

/* Waits for the thread's end for some 60 ms. */
COLD bool entry_ends_soon(unsigned long thread) {
    const pause pause = {0, 100000};
    for (int i = 0; i < 400; i++) {
        if (pthread_tryjoin_np(thread, NULL) == 0)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

/* Can another thread get the loader's lock? A thread tries, by a call that needs the lock and does
 * nothing else. If it does not get the lock soon, it is left alone: it runs no code of this file.
 */
COLD bool entry_has_free_loader(void) {
    unsigned long thread;
    void *program = dlopen(NULL, RTLD_NOW_);
    if (!program ||
        pthread_create(&thread, NULL, (void *(*)(void *))(void (*)(void))dlclose, program) != 0)
        return false;
    bool is = entry_ends_soon(thread);
    if (!is)
        pthread_detach(thread);
    return is;
}

COLD void *entry_search_apart(void *context) {
    search *s = context;
    int before;
    if (can_cancel())
        pthread_setcancelstate(CANCEL_DISABLE, &before);
    syscall(SYS_CLOSE_RANGE, 0u, ~0u, CLOSE_RANGE_UNSHARE_);
    s->run = entry_search(s->l);
    return NULL;
}

/* Searches in a thread with an empty descriptor table, if that is possible. */
COLD entry_run *entry_search_safely(line *l) {
    unsigned long thread;
    search s = {l, NULL};
    bool can = pthread_create && pthread_join && pthread_tryjoin_np && pthread_detach && dlclose &&
               nanosleep && syscall;
    if (!can || !entry_has_free_loader() ||
        pthread_create(&thread, NULL, entry_search_apart, &s) != 0)
        return entry_search(l);
    pthread_join(thread, NULL);
    return s.run;
}

/* From here to entry_unguard no handler runs, and the thread is not cancelled. */
COLD void entry_guard(guarded *g) {
    unsigned long blocked[SIGNAL_WORDS];
    g->error = __errno_location ? *__errno_location() : 0;
    for (int i = 0; i < SIGNAL_WORDS; i++)
        blocked[i] = i ? ~0ul : ~SYNCHRONOUS;
    if (sigprocmask)
        sigprocmask(SIG_SETMASK_, blocked, g->signals);
    if (can_cancel()) {
        pthread_setcancelstate(CANCEL_DISABLE, &g->cancel_state);
        pthread_setcanceltype(CANCEL_DEFERRED, &g->cancel_type);
    }
}

/* Handlers that run now may leave by siglongjmp, and the thread may end here. The type is set last,
 * as in runtime/environment.c. */
COLD void entry_unguard(const guarded *g) {
    int ignored;
    if (__errno_location)
        *__errno_location() = g->error;
    if (sigprocmask)
        sigprocmask(SIG_SETMASK_, g->signals, NULL);
    if (!can_cancel())
        return;
    pthread_setcancelstate(g->cancel_state, &ignored);
    if (g->cancel_type == CANCEL_DEFERRED)
        return;
    pthread_testcancel();
    pthread_setcanceltype(g->cancel_type, &ignored);
}

/* Call it only between entry_guard and entry_unguard. */
COLD entry_run *entry_load(void) {
    line l;
    entry_run *run = NULL;
    int threads = entry_threads();
    const char *lost = dlopen && dlsym ? entry_lost_threads(threads) : NULL;
    l.used = 0;
    entry_add(&l, "stencilopt: original loops ran: ");
    if (_dl_non_dynamic_init) {
        entry_add(&l, "a static program cannot load the runtime");
    } else if (!dlopen || !dlsym) {
        entry_add(&l, "a program linked without dlopen cannot load the runtime");
    } else if (lost) {
        entry_add(&l, lost);
    } else {
        entry_add(&l, "the runtime was not loaded (");
        bool alone = threads == ALWAYS_ONE || threads == ONE;
        run = alone ? entry_search(&l) : entry_search_safely(&l);
        l.text[l.used++] = ')';
    }
    if (!run) {
        STORE(entry_state, NEVER);
        entry_say(&l);
    }
    return run;
}

COLD entry_run *entry_find(void) {
    guarded g;
    if (LOAD(entry_finding) || entry_is_in_handler())
        return NULL;
    entry_guard(&g);
    STORE(entry_finding, 1);
    entry_run *run = entry_load();
    STORE(entry_finding, 0);
    entry_unguard(&g);
    return run;
}

/* Asks the runtime to run the region. True if it did. */
COLD bool entry_enter(const stencilrt_region *region, const stencilrt_call *call) {
    entry_run *run = LOAD(entry_function);
    if (!run)
        run = entry_find();
    if (!run)
        return false;
    int ran = run(region, call);
    if (ran == 1)
        STORE(entry_used, 1);
    if (ran == -1)
        STORE(entry_state, NEVER);
    return ran == 1;
}

/* Passes a call of stencilopt.h on to the runtime. If no runtime is loaded yet, only memory to be
 * kept is a reason to load one. */
__attribute__((noinline, nothrow)) void entry_tell(int what, const void *memory, uint64_t bytes) {
    bool keep = what == STENCILRT_KEEP;
    if (keep && !LOAD(entry_function) && GLANCE(entry_state) != NEVER)
        entry_find();
    entry_notify *told = LOAD(entry_told);
    if (!told)
        return;
    told(what, memory, bytes);
    if (keep)
        STORE(entry_kept, 1);
}

/* With `ready` false: brings back memory that the program keeps on the device, because the original
 * loops will run. */
void entry_settle(bool ready) {
    if (GLANCE(entry_kept) && !ready)
        entry_tell(STENCILRT_LOOPS, NULL, 0);
}

/* By cost, the runtime may leave each of the sweeps to the CPU. So tables are made for the first,
 * second, fourth.. of those in a row, until one runs on a device. */
COLD bool entry_pays(void) {
    unsigned before = GLANCE(entry_idle);
    if (GLANCE(entry_state) != BY_COST || !before)
        return true;
    STORE(entry_idle, before + 1);
    return !(before & (before - 1));
}

/* Memory for tables that a sweep reads (prepare/lookups.c). NULL: it is not wanted, or there is
 * none. Not from malloc, which a handler of a signal may have interrupted. */
COLD void *entry_table(bool wanted, uint64_t bytes) {
    enum { READ_AND_WRITE = 3, OWN_AND_EMPTY = 0x22 };
    if (!wanted || !mmap || !munmap || !__errno_location || !entry_pays())
        return NULL;
    STORE(entry_used, 0);
    int *number = __errno_location(), before = *number;
    void *table = mmap(NULL, bytes, READ_AND_WRITE, OWN_AND_EMPTY, -1, 0);
    *number = before;
    return table == (void *)-1 ? NULL : table;
}

COLD void entry_drop(void *table, uint64_t bytes) {
    munmap(table, bytes);
    if (GLANCE(entry_used))
        STORE(entry_idle, 0);
    else if (!GLANCE(entry_idle))
        STORE(entry_idle, 1);
}

/* Is this code the program's own, not a library's? Both files' headers are in their first page. */
static inline bool is_programs(void) {
    unsigned long headers = getauxval ? getauxval(AT_PHDR_) : 0;
    return headers > (uintptr_t)&__ehdr_start && headers - (uintptr_t)&__ehdr_start < 4096;
}

/* Did an earlier run of the program note that a device pays? */
COLD bool entry_is_noted(void) {
    noted_text t;
    char path[NOTED_ROOM];
    const char *start = entry_setting("STENCILOPT_START");
    const char *device = entry_setting("STENCILOPT_DEVICE");
    if (!start || *start != 'a' || (device && *device && *device != 'a'))
        return false;
    if (!__readlink_chk || !__open || !__close || !is_trusted() || !is_programs())
        return false;
    long length = __readlink_chk("/proc/self/exe", path, sizeof path, sizeof path);
    if (length <= 0 || length >= (long)sizeof path ||
        !noted_place(&t, entry_setting("XDG_CACHE_HOME"), entry_setting("HOME"), path,
                     (unsigned long)length))
        return false;
    int file = __open(t.text, O_CLOEXEC_ | O_NONBLOCK_ | O_NOCTTY_);
    if (file >= 0)
        __close(file);
    return file >= 0;
}

/* Before main; the build makes it a constructor (embed.c). The runtime is loaded, and opens a
 * device beside the program, if an earlier run noted that this pays. The runtime reads all its
 * variables then. Each file that the plugin compiled may call this. */
COLD void entry_start(void) {
    int *error = __errno_location ? __errno_location() : NULL, number = error ? *error : 0;
    if (GLANCE(entry_state) == UNKNOWN && !LOAD(entry_function) && entry_is_noted() &&
        entry_find() && LOAD(entry_begins))
        LOAD(entry_begins)();
    if (error)
        *error = number;
}
