/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads a script, starts its threads and signals, prints what the threads had to say, and ends as
 * the script says.
 *
 *   thread FAMILY NX NY NZ PITCH SEED HOW HOW HOW HOW     what follows are its acts
 *   act NAME NUMBER NUMBER NUMBER NUMBER
 *   signal real|prof|virtual|pester MICROSECONDS WHAT     WHAT: 1 counts, 2 reads, 4 sweeps
 *   atfork                                                a mutex, taken around fork and each act
 *   end NAME
 */
#include "stress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

_Thread_local struct thread *me;
struct thread threads[THREADS];
int thread_count;
atomic_int threads_done;
const char *script_path;
pthread_rwlock_t process_lock = PTHREAD_RWLOCK_INITIALIZER;

static pthread_mutex_t fork_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool fork_locks;
static char ending[16] = "return";
static struct {
    char which[12];
    long pause;
    int what;
} signals[4];
static int signal_count;

static const struct {
    const char *name;
    void (*run)(struct thread *t, const long *number);
} acts[] = {
#define ACT(name) {#name, act_##name},
    ACT_LIST(ACT)
#undef ACT
};

// ---- the script ----

static void read_thread(const char *line) {
    struct thread *t = &threads[thread_count];
    struct shape *s = &t->shape;
    int family;
    if (thread_count == THREADS ||
        sscanf(line, "thread %d %ld %ld %ld %ld %u %11s %11s %11s %11s", &family, &s->nx, &s->ny,
               &s->nz, &s->pitch, &t->random, t->how[0], t->how[1], t->how[2], t->how[3]) != 10)
        give_up("script: thread");
    t->number = thread_count++;
    t->family = &families[family % family_count];
    if (t->family->rank < 3)
        s->nz = 1;
    if (t->family->rank < 2)
        s->ny = 1;
    t->bytes = (size_t)(s->pitch * s->ny * s->nz) * t->family->size;
    if (t->bytes > POOL || s->pitch < s->nx + SPARE)
        give_up("script: sizes");
}

static void read_act(const char *line) {
    struct thread *t = &threads[thread_count - 1];
    char name[16];
    if (thread_count == 0 || t->acts == ACTS)
        give_up("script: too many");
    struct act *act = &t->act[t->acts++];
    if (sscanf(line, "act %15s %ld %ld %ld %ld", name, &act->number[0], &act->number[1],
               &act->number[2], &act->number[3]) != 5)
        give_up("script: act");
    for (act->kind = 0; strcmp(acts[act->kind].name, name) != 0;)
        if (++act->kind == (int)(sizeof(acts) / sizeof(acts[0])))
            give_up("script: unknown act");
}

static void read_line(const char *line) {
    if (strncmp(line, "thread ", 7) == 0)
        read_thread(line);
    else if (strncmp(line, "act ", 4) == 0)
        read_act(line);
    else if (strncmp(line, "atfork", 6) == 0)
        fork_locks = true;
    else if (sscanf(line, "end %15s", ending) == 1)
        ;
    else if (signal_count == 4 ||
             sscanf(line, "signal %11s %ld %d", signals[signal_count].which,
                    &signals[signal_count].pause, &signals[signal_count].what) != 3)
        give_up("script");
    else
        signal_count++;
}

static void read_script(void) {
    char line[256];
    FILE *file = fopen(script_path, "r");
    if (!file)
        give_up("no script");
    while (fgets(line, sizeof(line), file))
        read_line(line);
    fclose(file);
}

// ---- threads and signals ----

static void lock(void) {
    pthread_mutex_lock(&fork_mutex);
}

static void unlock(void) {
    pthread_mutex_unlock(&fork_mutex);
}

/* Sweeps under the mutex that the program takes around fork. */
static bool is_locked(const struct act *act) {
    return fork_locks && acts[act->kind].run == act_sweep;
}

static void *do_acts(void *of) {
    struct thread *t = of;
    t->id = pthread_self();
    me = t;
    for (int i = 0; i < t->acts; i++) {
        const struct act *act = &t->act[i];
        if (is_locked(act))
            lock();
        acts[act->kind].run(t, act->number);
        if (is_locked(act))
            unlock();
    }
    for (int i = 0; i < ARRAYS; i++)
        say(t, "array %d %016llx\n", i, (unsigned long long)hash_cells(t, t->array[i].base));
    finish_handlers(t);
    me = NULL;
    threads_done++;
    return NULL;
}

static void start_signals(void) {
    static const struct {
        const char *name;
        int timer, signal;
    } kinds[] = {{"real", ITIMER_REAL, SIGALRM},
                 {"prof", ITIMER_PROF, SIGPROF},
                 {"virtual", ITIMER_VIRTUAL, SIGVTALRM},
                 {"pester", -1, SIGUSR1}};
    for (int i = 0; i < signal_count; i++)
        for (int k = 0; k < 4; k++)
            if (strcmp(signals[i].which, kinds[k].name) == 0) {
                set_handler(kinds[k].signal, signals[i].what);
                if (kinds[k].timer >= 0)
                    start_timer(kinds[k].timer, signals[i].pause);
                else
                    start_pester(signals[i].pause, kinds[k].signal);
            }
}

static void stop_signals(void) {
    for (int timer = ITIMER_REAL; timer <= ITIMER_PROF; timer++)
        start_timer(timer, 0);
    join_pester();
}

static void *end_at_once(void *unused) {
    (void)unused;
    pthread_exit(NULL);
}

/* With the first thread that ends so, the C library loads libgcc_s. Later, descriptors may be
 * limited. */
static void prepare_ends(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_at_once, NULL))
        give_up("no thread");
    pthread_join(thread, NULL);
}

static void run_threads(void) {
    for (int i = 0; i < thread_count; i++) {
        struct thread *t = &threads[i];
        for (int k = 0; k < ARRAYS; k++)
            t->array[k] = allocate(t, k, t->how[k]);
        fill_all(t);
        t->id = pthread_self();
    }
    prepare_signals();
    if (thread_count > 1)
        prepare_ends();
    if (fork_locks)
        pthread_atfork(lock, unlock, unlock);
    /* Before any signal is sent to it a thread is there. */
    for (int i = 1; i < thread_count; i++)
        if (pthread_create(&threads[i].id, NULL, do_acts, &threads[i]))
            give_up("no thread");
    start_signals();
    do_acts(&threads[0]);
    for (int i = 1; i < thread_count; i++)
        while (threads_done < thread_count)
            usleep(500);
    stop_signals();
    for (int i = 1; i < thread_count; i++)
        pthread_join(threads[i].id, NULL);
}

// ---- the end ----

static void print_logs(void) {
    for (int i = 0; i < thread_count; i++) {
        printf("thread %d\n", i);
        fwrite(threads[i].log, 1, threads[i].logged, stdout);
    }
    fflush(stdout);
}

/* The arrays once more, by sweeps that begin when the program is about to end. */
static void sweep_at_exit(void) {
    for (int i = 0; i < thread_count; i++) {
        run_form(&threads[i], 0, 2);
        for (int k = 0; k < ARRAYS; k++)
            printf("at exit %016llx\n",
                   (unsigned long long)hash_cells(&threads[i], threads[i].array[k].base));
    }
    fflush(stdout);
}

static void *sweep_for_ever(void *of) {
    for (;;)
        run_form(of, 1, 20);
    return NULL;
}

static void *leave(void *unused) {
    (void)unused;
    exit(11);
}

static int end(void) {
    pthread_t thread;
    if (strcmp(ending, "exit") == 0)
        exit(10);
    if (strcmp(ending, "_exit") == 0)
        _exit(12);
    if (strcmp(ending, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(ending, "busy") == 0) {
        pthread_create(&thread, NULL, sweep_for_ever, &threads[0]);
        usleep(3000);
        exit(13);
    }
    if (strcmp(ending, "thread") == 0 || strcmp(ending, "main-first") == 0) {
        pthread_create(&thread, NULL, leave, NULL);
        if (strcmp(ending, "thread") == 0)
            pause();
        pthread_exit(NULL);
    }
    return 0;
}

int main(int words, char **word) {
    if (words != 2)
        give_up("one argument: a script");
    if (strcmp(word[1], "child") == 0)
        return child_main();
    script_path = word[1];
    read_script();
    if (strcmp(ending, "at-exit") == 0)
        atexit(sweep_at_exit);
    run_threads();
    print_logs();
    return end();
}
