/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fetches and changes pieces of arrays that it keeps on the device: random ranges of bytes, in
 * arrays whose rows and planes have gaps. Prints a number for all that it saw. Usage: pieces X Y Z
 * GAP STEPS SEED
 */
#include "stencilopt/stencilopt.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long nx, ny, nz, row, plane;
static uint64_t seed, seen;

static long draw(long below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (long)((seed >> 33) % (uint64_t)below);
}

__attribute__((noinline)) static void sweep(float *restrict to, const float *restrict from) {
    for (long z = 1; z < nz - 1; z++)
        for (long y = 1; y < ny - 1; y++)
            for (long x = 1; x < nx - 1; x++)
                to[z * plane + y * row + x] =
                    (from[z * plane + y * row + x - 1] + from[z * plane + y * row + x + 1] +
                     from[z * plane + (y - 1) * row + x] + from[z * plane + (y + 1) * row + x] +
                     from[(z - 1) * plane + y * row + x] + from[(z + 1) * plane + y * row + x]) /
                    8;
}

static void look(const float *cells, size_t lo, size_t hi) {
    const unsigned char *bytes = (const unsigned char *)cells;
    stencilopt_fetch(bytes + lo, hi - lo);
    for (size_t i = lo; i < hi; i++)
        seen = (seen ^ bytes[i]) * 0x100000001b3u;
}

static void change(float *cells, size_t lo, size_t hi) {
    for (size_t i = (lo + 3) / 4; i < hi / 4; i++)
        cells[i] = (float)draw(64);
    stencilopt_changed((unsigned char *)cells + lo, hi - lo);
}

/* Writes a cell, fetches cells around it, and only then tells of it. */
static void look_around(float *cells, size_t count) {
    size_t i = 8 + (size_t)draw((long)count - 16);
    stencilopt_fetch(&cells[i], sizeof *cells);
    cells[i] += 3;
    look(cells, (i - 5) * sizeof *cells, i * sizeof *cells);
    look(cells, (i + 1) * sizeof *cells, (i + 6) * sizeof *cells);
    stencilopt_changed(&cells[i], sizeof *cells);
}

/* Writes cells on the device, as a library may, where they are there. */
static void change_there(float *cells, size_t i, size_t count) {
    float *there = stencilopt_device(&cells[i], count * sizeof *cells);
    volatile float *to = there ? there : &cells[i]; /* volatile: the plugin leaves the loop alone */
    for (size_t j = 0; j < count; j++)
        to[j] = (float)(i + j) / 4;
    if (there)
        stencilopt_device_changed(&cells[i], count * sizeof *cells);
    else
        stencilopt_changed(&cells[i], count * sizeof *cells);
}

/* A column of cells of one plane, or of one row in all planes; sometimes longer than the array is.
 */
static void change_column(float *cells) {
    long distance = draw(2) ? row : plane, most = distance == row ? ny : nz, width = 1 + draw(3);
    long from = draw(most), count = 1 + draw(most - from), x = 1 + draw(nx - 4);
    size_t at =
        (size_t)(distance == row ? draw(nz) * plane + from * row : draw(ny) * row + from * plane);
    float *first = cells + at + x;
    size_t bytes = (size_t)width * sizeof *cells, apart = (size_t)distance * sizeof *cells;
    stencilopt_fetch_rows(first, bytes, (size_t)count, apart);
    for (long i = 0; i < count; i++)
        for (volatile long j = 0; j < width; j++) {
            float *cell = first + i * distance + j;
            seen = (seen ^ (uint64_t)(*cell * 64)) * 0x100000001b3u;
            *cell += 1;
        }
    stencilopt_changed_rows(first, bytes, (size_t)count, apart);
}

int main(int argc, char **argv) {
    if (argc != 7)
        return 2;
    nx = atol(argv[1]), ny = atol(argv[2]), nz = atol(argv[3]);
    long gap = atol(argv[4]), steps = atol(argv[5]);
    seed = (uint64_t)atol(argv[6]);
    row = nx + gap, plane = ny * row + 3 * gap;
    size_t count = (size_t)(nz * plane), bytes = count * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes);
    for (size_t i = 0; i < count; i++)
        a[i] = b[i] = (float)(i % 37);
    stencilopt_keep(a, bytes);
    stencilopt_keep(b, bytes);
    for (long t = 0; t < steps; t++) {
        sweep(b, a);
        float *swap = a;
        a = b, b = swap;
        for (long k = draw(4); k > 0; k--) {
            size_t length = draw(3) ? (size_t)draw(4 * row) : (size_t)draw((long)bytes / 3);
            size_t lo = (size_t)draw((long)(bytes - length)) / 4 * 4;
            look(draw(4) ? a : b, lo, lo + length);
            if (draw(2) == 0) {
                look(a, lo, lo + length);
                change(a, lo, lo + length);
            }
        }
        look_around(a, count);
        for (int k = 0; k < 3; k++)
            change_column(draw(4) ? a : b);
        change_there(a, (size_t)((1 + draw(nz - 2)) * plane + (1 + draw(ny - 2)) * row),
                     (size_t)nx);
    }
    look(a, 0, bytes);
    look(b, 0, bytes);
    stencilopt_release(a, bytes);
    stencilopt_release(b, bytes);
    printf("%016llx\n", (unsigned long long)seen);
    free(a);
    free(b);
    return 0;
}
