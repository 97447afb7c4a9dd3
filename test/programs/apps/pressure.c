/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pressure in three dimensions by Jacobi's method: 19 cells, 13 arrays of coefficients and sources,
 * a mask of obstacles, and the residual of all steps. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int d, h, w; /* planes, rows, cells a row */
    float *v;
} tensor;

typedef struct {
    tensor p, work;
    tensor a[4], b[3], c[3];
    tensor mask, wall, rhs;
    float omega;
} problem;

#define AT(t, k, i, j) ((t).v[((size_t)(k) * (t).h + (i)) * (t).w + (j)])

static tensor new_tensor(int d, int h, int w) {
    tensor t = {d, h, w, calloc((size_t)d * h * w, sizeof(float))};
    if (!t.v)
        exit(1);
    return t;
}

static void fill(tensor *t, float value, float spread) {
    for (int k = 0; k < t->d; k++)
        for (int i = 0; i < t->h; i++)
            for (int j = 0; j < t->w; j++)
                AT(*t, k, i, j) = value + spread * (float)((k * 5 + i * 3 + j) % 7);
}

static void create(problem *q, int d, int h, int w) {
    tensor *all[] = {&q->p,    &q->work, &q->a[0], &q->a[1], &q->a[2], &q->a[3], &q->b[0], &q->b[1],
                     &q->b[2], &q->c[0], &q->c[1], &q->c[2], &q->mask, &q->wall, &q->rhs};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = new_tensor(d, h, w);
    q->omega = 0.8f;
    for (int i = 0; i < 3; i++) {
        fill(&q->a[i], 1.0f, 0.01f);
        fill(&q->b[i], 0.0f, 0.003f);
        fill(&q->c[i], 1.0f, -0.01f);
    }
    fill(&q->a[3], 1.0f / 6.0f, 0.0f);
    fill(&q->mask, 1.0f, 0.0f);
    fill(&q->rhs, 0.0f, 0.001f);
    for (int k = 0; k < d; k++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++)
                AT(q->p, k, i, j) = (float)(k * k) / (float)((d - 1) * (d - 1));
    AT(q->mask, d / 2, h / 2, w / 2) = 0.0f;
}

static void relax(problem *q) {
    for (int k = 1; k < q->p.d - 1; k++) // stencil
        for (int i = 1; i < q->p.h - 1; i++)
            for (int j = 1; j < q->p.w - 1; j++) {
                float s0 = AT(q->a[0], k, i, j) * AT(q->p, k + 1, i, j) +
                           AT(q->a[1], k, i, j) * AT(q->p, k, i + 1, j) +
                           AT(q->a[2], k, i, j) * AT(q->p, k, i, j + 1) +
                           AT(q->b[0], k, i, j) *
                               (AT(q->p, k + 1, i + 1, j) - AT(q->p, k + 1, i - 1, j) -
                                AT(q->p, k - 1, i + 1, j) + AT(q->p, k - 1, i - 1, j)) +
                           AT(q->b[1], k, i, j) *
                               (AT(q->p, k, i + 1, j + 1) - AT(q->p, k, i - 1, j + 1) -
                                AT(q->p, k, i + 1, j - 1) + AT(q->p, k, i - 1, j - 1)) +
                           AT(q->b[2], k, i, j) *
                               (AT(q->p, k + 1, i, j + 1) - AT(q->p, k - 1, i, j + 1) -
                                AT(q->p, k + 1, i, j - 1) + AT(q->p, k - 1, i, j - 1)) +
                           AT(q->c[0], k, i, j) * AT(q->p, k - 1, i, j) +
                           AT(q->c[1], k, i, j) * AT(q->p, k, i - 1, j) +
                           AT(q->c[2], k, i, j) * AT(q->p, k, i, j - 1) + AT(q->rhs, k, i, j);
                float correction =
                    (s0 * AT(q->a[3], k, i, j) - AT(q->p, k, i, j)) * AT(q->mask, k, i, j);
                AT(q->work, k, i, j) = AT(q->p, k, i, j) + q->omega * correction;
            }
}

static void take_over(problem *q) {
    for (int k = 1; k < q->p.d - 1; k++) // stencil
        for (int i = 1; i < q->p.h - 1; i++)
            for (int j = 1; j < q->p.w - 1; j++)
                AT(q->p, k, i, j) = AT(q->work, k, i, j) + AT(q->wall, k, i, j);
}

static void solve(problem *q, int steps) {
    for (int n = 0; n < steps; n++) {
        relax(q);
        take_over(q);
    }
}

int main(int argc, char **argv) {
    static problem q;
    if (argc < 5)
        return 1;
    int h = atoi(argv[1]), w = atoi(argv[2]), d = h / 2 + 3;
    create(&q, d, h, w);
    solve(&q, atoi(argv[3]));
    size_t cells = (size_t)d * h * w;
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += q.p.v[i];
    printf("pressure %.17g\n", sum);
    FILE *f = fopen(argv[4], "wb");
    if (!f)
        return 1;
    fwrite(q.p.v, sizeof(float), cells, f);
    fwrite(q.work.v, sizeof(float), cells, f);
    fclose(f);
    return 0;
}
