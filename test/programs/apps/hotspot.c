/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The temperature of a chip: power in each cell, heat to its neighbours, to the package at the
 * sides (whose temperature is the edge's own) and to the air. */
#include <stdio.h>
#include <stdlib.h>

typedef struct chip {
    int rows, cols;
    float *temp, *result, *power;
    float cap, rx, ry, rz, ambient;
} chip;

static float *field(const chip *c) {
    float *f = malloc((size_t)c->rows * c->cols * sizeof *f);
    if (!f)
        exit(1);
    return f;
}

static void build(chip *c, int rows, int cols) {
    c->rows = rows;
    c->cols = cols;
    c->temp = field(c);
    c->result = field(c);
    c->power = field(c);
    c->cap = 0.5f;
    c->rx = 8.0f;
    c->ry = 10.0f;
    c->rz = 40.0f;
    c->ambient = 45.0f;
    for (int r = 0; r < rows; r++)
        for (int q = 0; q < cols; q++) {
            c->temp[r * cols + q] = 50.0f + (float)((r * 11 + q * 5) % 13);
            c->result[r * cols + q] = 0.0f;
            c->power[r * cols + q] = (r / 4 + q / 4) % 2 ? 1.5f : 0.25f;
        }
}

static inline int clamp(int i, int n) {
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static void heat(const chip *c, const float *temp, float *result) {
    for (int r = 0; r < c->rows; r++) // stencil
        for (int q = 0; q < c->cols; q++) {
            int at = r * c->cols + q;
            float north = temp[clamp(r - 1, c->rows) * c->cols + q];
            float south = temp[clamp(r + 1, c->rows) * c->cols + q];
            float west = temp[r * c->cols + clamp(q - 1, c->cols)];
            float east = temp[r * c->cols + clamp(q + 1, c->cols)];
            float t = temp[at];
            result[at] = t + c->cap * (c->power[at] * 0.1f + (south + north - 2.0f * t) / c->ry +
                                       (east + west - 2.0f * t) / c->rx +
                                       (c->ambient - t) / c->rz);
        }
}

/* The fan: the lower edge is cooled. */
static void cool(const chip *c, float *temp) {
    float *row = temp + (c->rows - 1) * c->cols;
    for (int q = 0; q < c->cols; q++) // stencil
        row[q] = 0.75f * row[q] + 0.25f * c->ambient;
}

static void simulate(chip *c, int steps) {
    float *from = c->temp, *to = c->result;
    for (int t = 0; t < steps; t++) {
        heat(c, from, to);
        cool(c, to);
        float *swap = from;
        from = to;
        to = swap;
    }
    c->temp = from;
    c->result = to;
}

/* The slow model, without a fan, to where it began. */
static void relax(chip *c, int steps) {
    float *from = c->temp, *to = c->result;
    for (int t = 0; t < steps; t++) {
        heat(c, from, to);
        float *swap = from;
        from = to;
        to = swap;
    }
    c->temp = from;
    c->result = to;
}

static int write_all(const chip *c, const char *name) {
    FILE *f = fopen(name, "wb");
    size_t cells = (size_t)c->rows * c->cols;
    if (!f)
        return 1;
    fwrite(c->temp, sizeof(float), cells, f);
    fwrite(c->result, sizeof(float), cells, f);
    return fclose(f);
}

int main(int argc, char **argv) {
    chip c;
    int rows, cols, steps;
    if (argc < 5 || sscanf(argv[1], "%d", &rows) != 1 || sscanf(argv[2], "%d", &cols) != 1 ||
        sscanf(argv[3], "%d", &steps) != 1)
        return 1;
    build(&c, rows, cols);
    simulate(&c, steps);
    relax(&c, steps / 2);
    double sum = 0;
    for (int i = 0; i < c.rows * c.cols; i++)
        sum += c.temp[i];
    printf("mean %.17g\n", sum / (c.rows * c.cols));
    int failed = write_all(&c, argv[4]);
    free(c.temp);
    free(c.result);
    free(c.power);
    return failed;
}
