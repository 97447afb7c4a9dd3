/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Linearised shallow water: height in the cells, flow on their faces, walls that reflect. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nx, ny;
    double dx, dt, gravity, drag;
    double **height, **flow_x, **flow_y, **depth;
} basin;

/* Rows of one block. */
static double **allocate(int ny, int nx) {
    double **rows = malloc((size_t)ny * sizeof *rows);
    double *block = calloc((size_t)ny * nx, sizeof *block);
    if (!rows || !block)
        exit(1);
    for (int j = 0; j < ny; j++)
        rows[j] = block + (size_t)j * nx;
    return rows;
}

static void release(double **rows) {
    free(rows[0]);
    free(rows);
}

static basin *new_basin(int ny, int nx) {
    basin *b = malloc(sizeof *b);
    if (!b)
        exit(1);
    b->nx = nx;
    b->ny = ny;
    b->dx = 1.0;
    b->gravity = 9.81;
    b->dt = 0.02;
    b->drag = 0.001;
    b->height = allocate(ny, nx);
    b->flow_x = allocate(ny, nx);
    b->flow_y = allocate(ny, nx);
    b->depth = allocate(ny, nx);
    return b;
}

static void drop(basin *b) {
    for (int j = 0; j < b->ny; j++)
        for (int i = 0; i < b->nx; i++) {
            double x = i - 0.4 * b->nx, y = j - 0.6 * b->ny;
            b->height[j][i] = 1.0 / (1.0 + 0.1 * (x * x + y * y));
            b->depth[j][i] = 10.0 + (double)((i * 3 + j) % 4);
        }
}

/* Water flows where it is lower. */
static void accelerate(basin *b) {
    double factor = b->gravity * b->dt / b->dx;
    for (int j = 0; j < b->ny; j++) // stencil
        for (int i = 1; i < b->nx; i++)
            b->flow_x[j][i] = (1.0 - b->drag) * b->flow_x[j][i] -
                              factor * (b->height[j][i] - b->height[j][i - 1]);
    for (int j = 1; j < b->ny; j++) // stencil
        for (int i = 0; i < b->nx; i++)
            b->flow_y[j][i] = (1.0 - b->drag) * b->flow_y[j][i] -
                              factor * (b->height[j][i] - b->height[j - 1][i]);
}

/* Nothing flows through the walls. */
static void reflect(basin *b) {
    for (int j = 0; j < b->ny; j++) { // stencil
        b->flow_x[j][0] = 0.0;
        b->flow_x[j][b->nx - 1] = -b->flow_x[j][b->nx - 2];
    }
    for (int i = 0; i < b->nx; i++) { // stencil
        b->flow_y[0][i] = 0.0;
        b->flow_y[b->ny - 1][i] = -b->flow_y[b->ny - 2][i];
    }
}

static void move(basin *b) {
    for (int j = 0; j < b->ny - 1; j++) // stencil
        for (int i = 0; i < b->nx - 1; i++) {
            double out = b->flow_x[j][i + 1] - b->flow_x[j][i] + b->flow_y[j + 1][i] -
                         b->flow_y[j][i];
            b->height[j][i] -= b->dt / b->dx * b->depth[j][i] * out;
        }
}

static void simulate(basin *b, int steps) {
    for (int t = 0; t < steps; t++) {
        accelerate(b);
        reflect(b);
        move(b);
    }
}

static void save(basin *b, const char *file) {
    double **all[3] = {b->height, b->flow_x, b->flow_y};
    FILE *out = fopen(file, "wb");
    if (!out)
        exit(1);
    for (int f = 0; f < 3; f++)
        for (int j = 0; j < b->ny; j++)
            fwrite(all[f][j], sizeof(double), (size_t)b->nx, out);
    fclose(out);
}

int main(int argc, char **argv) {
    if (argc < 5)
        return 1;
    basin *b = new_basin(atoi(argv[1]), atoi(argv[2]));
    drop(b);
    simulate(b, atoi(argv[3]));
    double volume = 0;
    for (int j = 0; j < b->ny; j++)
        for (int i = 0; i < b->nx; i++)
            volume += b->height[j][i];
    printf("volume %.17g\n", volume);
    save(b, argv[4]);
    release(b->height);
    release(b->flow_x);
    release(b->flow_y);
    release(b->depth);
    free(b);
    return 0;
}
