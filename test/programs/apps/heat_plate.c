/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A plate with a hot edge and a conductivity of its own in each cell. Every so many steps it is
 * checked whether it still changes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows, columns;
    double *now, *next;
    double *conductivity;
} plate;

typedef struct {
    int steps, check_every;
    double tolerance;
} control;

static double *new_field(int rows, int columns) {
    double *f = calloc((size_t)rows * columns, sizeof *f);
    if (!f) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return f;
}

static plate new_plate(int rows, int columns) {
    plate p = {rows, columns, new_field(rows, columns), new_field(rows, columns),
               new_field(rows, columns)};
    return p;
}

static void free_plate(plate *p) {
    free(p->now);
    free(p->next);
    free(p->conductivity);
}

/* Hot at the top, cold elsewhere; two kinds of metal. */
static void initialise(plate *p) {
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->columns; j++) {
            int at = i * p->columns + j;
            p->now[at] = i == 0 ? 100.0 : 20.0 + 0.01 * ((i * 7 + j * 3) % 11);
            p->next[at] = p->now[at];
            p->conductivity[at] = (i + j) % 5 < 2 ? 0.1 : 0.2;
        }
}

static void diffuse(plate *p) {
    const int w = p->columns;
    for (int i = 1; i < p->rows - 1; i++) // stencil
        for (int j = 1; j < w - 1; j++) {
            double here = p->now[i * w + j];
            double change = p->now[(i - 1) * w + j] + p->now[(i + 1) * w + j] +
                            p->now[i * w + j - 1] + p->now[i * w + j + 1] - 4.0 * here;
            p->next[i * w + j] = here + p->conductivity[i * w + j] * change;
        }
}

/* No heat gets out at the sides: both have what is next to them. */
static void insulate(plate *p) {
    const int w = p->columns;
    for (int i = 1; i < p->rows - 1; i++) { // stencil
        p->next[i * w] = p->next[i * w + 1];
        p->next[i * w + w - 1] = p->next[i * w + w - 2];
    }
}

static void exchange(plate *p) {
    double *old = p->now;
    p->now = p->next;
    p->next = old;
}

static double greatest_change(const plate *p) {
    double greatest = 0;
    for (int i = 0; i < p->rows * p->columns; i++) {
        double change = fabs(p->next[i] - p->now[i]);
        if (change > greatest)
            greatest = change;
    }
    return greatest;
}

static int solve(plate *p, const control *c) {
    int done = 0;
    while (done < c->steps) {
        int left = c->steps - done, batch = left < c->check_every ? left : c->check_every;
        for (int k = 0; k < batch; k++) {
            diffuse(p);
            insulate(p);
            exchange(p);
        }
        done += batch;
        if (greatest_change(p) < c->tolerance)
            break;
    }
    return done;
}

static void report(const plate *p, const char *file, int steps) {
    double sum = 0;
    for (int i = 0; i < p->rows * p->columns; i++)
        sum += p->now[i];
    printf("after %d steps: mean %.17g\n", steps, sum / (p->rows * p->columns));
    FILE *out = fopen(file, "wb");
    if (!out)
        exit(1);
    fwrite(p->now, sizeof *p->now, (size_t)p->rows * p->columns, out);
    fwrite(p->next, sizeof *p->next, (size_t)p->rows * p->columns, out);
    fclose(out);
}

int main(int argc, char **argv) {
    if (argc < 5)
        return 1;
    plate p = new_plate(atoi(argv[1]), atoi(argv[2]));
    control c = {atoi(argv[3]), 5, 1e-9};
    initialise(&p);
    report(&p, argv[4], solve(&p, &c));
    free_plate(&p);
    return 0;
}
