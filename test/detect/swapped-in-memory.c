// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that a time loop swaps in memory, and shows to functions that are not known.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not='whole time loop' %s
// Where types tell nothing of memory, what a sweep writes may be the pointers.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fno-strict-aliasing -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=UNTYPED --implicit-check-not='whole time loop' %s
// UNTYPED: one sweep a call
typedef struct field {
    int n;
    float *data;
} field;
void show(field *a, field *b, int t);
void begin(field *a, field *b);

#define SWEEP(to, from)                                                                            \
    for (int i = 1; i < n - 1; i++)                                                                \
        to[i] = 0.5f * (from[i - 1] + from[i + 1]);

void members(int n, int steps) {
    field a, b;
    begin(&a, &b);
    for (int t = 0; t < steps; t++) {
        // CHECK: swapped-in-memory.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        SWEEP(b.data, a.data)
        if (t % 100 == 0)
            show(&a, &b, t);
        float *was = a.data;
        a.data = b.data;
        b.data = was;
    }
    show(&a, &b, steps);
}

void structs(int n, int steps) {
    field a, b;
    begin(&a, &b);
    for (int t = 0; t < steps; t++) {
        // CHECK: swapped-in-memory.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        SWEEP(b.data, a.data)
        field was = a;
        a = b;
        b = was;
        if (t % 100 == 0)
            show(&a, &b, t);
    }
    show(&a, &b, steps);
}

static float *now, *next;
void show_now(void);
void of_the_file(int n, int steps) {
    for (int t = 0; t < steps; t++) {
        // CHECK: swapped-in-memory.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        SWEEP(next, now)
        float *was = now;
        now = next;
        next = was;
        if (t % 100 == 0)
            show_now();
    }
}
void set(float *a, float *b) {
    now = a, next = b;
}

// Two structs that may be one.
void perhaps_one(int n, int steps, field *a, field *b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: swapped-in-memory.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP(b->data, a->data)
        float *was = a->data;
        a->data = b->data;
        b->data = was;
        if (t % 100 == 0)
            show(a, b, t);
    }
}

// The number of the step is in memory, and a check may end the program before it is stored, or leave the loop.
typedef struct clocked {
    int n, time, last, ready;
    float *a, *b;
} clocked;
void show_time(clocked *g);
__attribute__((noreturn)) void stop(void);
void checked(clocked *g) {
    int n = g->n;
    // CHECK: swapped-in-memory.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 2 sweeps, which ends by what each step computes, runs on a GPU
    for (g->time = 0; g->time < g->last; g->time++) {
        SWEEP(g->b, g->a)
        if (!g->ready)
            stop();
        SWEEP(g->a, g->b)
        if (g->time % 100 == 0)
            show_time(g);
    }
}
void left(clocked *g) {
    int n = g->n;
    // CHECK: swapped-in-memory.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps, which ends by what each step computes, runs on a GPU
    for (g->time = 0; g->time < g->last; g->time++) {
        SWEEP(g->b, g->a)
        if (!g->ready)
            return;
        SWEEP(g->a, g->b)
        if (g->time % 100 == 0)
            show_time(g);
    }
}
