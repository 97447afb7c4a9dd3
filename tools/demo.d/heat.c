/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Heat in a square plate: heat SIZE STEPS FIELD PICTURE
 *
 * The rim is held at the start's temperatures: a hot half of the left edge, a hot piece of the
 * lower one, the rest cold; inside lie hot discs. Writes the final temperatures as they are in
 * memory to FIELD, and drawn to PICTURE, a PNG.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What the plugin is for: everything below is ordinary support. */
__attribute__((noinline)) static void heat(int n, int steps, float A[2][n][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[(t + 1) % 2][i][j] =
                    0.2f * (A[t % 2][i][j] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j] +
                            A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
}

static float start_value(double x, double y) {
    static const double discs[][3] = {
        {0.30, 0.30, 0.13}, {0.68, 0.24, 0.09}, {0.62, 0.66, 0.17}, {0.22, 0.76, 0.07}};
    for (size_t k = 0; k < sizeof discs / sizeof *discs; k++)
        if (hypot(x - discs[k][0], y - discs[k][1]) < discs[k][2])
            return 1;
    return (x < 0.02 && y > 0.25 && y < 0.75) || (y > 0.98 && x > 0.4) ? 1 : 0;
}

/* Writes PNG chunks (PNG specification, 3rd edition; zlib: RFC 1950, RFC 1951). */
struct png {
    FILE *file;
    uint32_t crc, adler_a, adler_b;
};

static void png_bytes(struct png *png, const void *bytes, size_t size) {
    const uint8_t *p = bytes;
    fwrite(bytes, 1, size, png->file);
    for (size_t k = 0; k < size; k++) {
        png->crc ^= p[k];
        for (int bit = 0; bit < 8; bit++)
            png->crc = (png->crc >> 1) ^ (0xEDB88320u & (0u - (png->crc & 1)));
    }
}

static void png_number(struct png *png, uint32_t value) {
    uint8_t b[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                    (uint8_t)value};
    png_bytes(png, b, 4);
}

static void png_begin(struct png *png, const char *type, uint32_t size) {
    png_number(png, size);
    png->crc = 0xFFFFFFFFu;
    png_bytes(png, type, 4);
}

static void png_end(struct png *png) {
    png_number(png, ~png->crc);
}

/* A row of pixels as one stored (uncompressed) block, after the row's filter byte 0. */
static void png_row(struct png *png, const uint8_t *row, uint16_t width, int last) {
    uint16_t size = (uint16_t)(width + 1), other = (uint16_t)~size;
    uint8_t head[6] = {last ? 1 : 0,   (uint8_t)size,         (uint8_t)(size >> 8),
                       (uint8_t)other, (uint8_t)(other >> 8), 0};
    png_bytes(png, head, 6);
    png_bytes(png, row, width);
    png->adler_b = (png->adler_b + png->adler_a) % 65521;
    for (int k = 0; k < width; k++) {
        png->adler_a = (png->adler_a + row[k]) % 65521;
        png->adler_b = (png->adler_b + png->adler_a) % 65521;
    }
}

/* Cold to hot: dark blue, violet, red, orange, pale yellow. */
static void png_palette(struct png *png) {
    static const uint8_t stops[5][3] = {
        {6, 8, 38}, {84, 18, 110}, {196, 52, 66}, {249, 148, 32}, {252, 250, 200}};
    png_begin(png, "PLTE", 768);
    for (int k = 0; k < 256; k++) {
        int part = k * 4 / 256, within = k * 4 % 256;
        uint8_t colour[3];
        for (int c = 0; c < 3; c++)
            colour[c] =
                (uint8_t)((stops[part][c] * (256 - within) + stops[part + 1][c] * within) / 256);
        png_bytes(png, colour, 3);
    }
    png_end(png);
}

/* Draws the n x n values of [0,1], at most 1024 pixels wide; 0 where writing fails. */
static int draw(const char *path, int n, const float *values) {
    enum { LARGEST = 1024 };
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    static const uint8_t zlib[2] = {0x78, 0x01}, format[5] = {8, 3, 0, 0, 0};
    uint16_t side = (uint16_t)(n < LARGEST ? n : LARGEST);
    struct png png = {.file = fopen(path, "wb"), .adler_a = 1};
    if (!png.file)
        return 0;
    fwrite(signature, 1, sizeof signature, png.file);
    png_begin(&png, "IHDR", 13);
    png_number(&png, side);
    png_number(&png, side);
    png_bytes(&png, format, sizeof format);
    png_end(&png);
    png_palette(&png);
    png_begin(&png, "IDAT", 2 + side * (side + 6u) + 4);
    png_bytes(&png, zlib, 2);
    for (int y = 0; y < side; y++) {
        uint8_t row[LARGEST];
        const float *line = values + (long)n * ((long)y * n / side);
        for (int x = 0; x < side; x++) {
            float v = line[(long)x * n / side];
            row[x] = (uint8_t)(255 * sqrtf(v < 0 ? 0 : v > 1 ? 1 : v));
        }
        png_row(&png, row, side, y == side - 1);
    }
    png_number(&png, png.adler_b << 16 | png.adler_a);
    png_end(&png);
    png_begin(&png, "IEND", 0);
    png_end(&png);
    return fclose(png.file) == 0;
}

static int save(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    return file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0;
}

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0, steps = argc > 2 ? atoi(argv[2]) : 0;
    if (argc != 5 || n < 3 || n > 32768 || steps < 0) {
        fprintf(stderr, "usage: %s SIZE STEPS FIELD PICTURE\n", argv[0]);
        return 2;
    }
    size_t cells = (size_t)n * (size_t)n;
    float *both = malloc(2 * cells * sizeof *both), *last = both + cells * (size_t)(steps % 2);
    if (!both) {
        perror("heat");
        return 1;
    }
    for (size_t k = 0; k < cells; k++)
        both[k] = start_value((double)(k % (size_t)n) / n, (double)(k / (size_t)n) / n);
    memcpy(both + cells, both, cells * sizeof *both);

    double start = now();
    heat(n, steps, (float (*)[n][n])both);
    double seconds = now() - start;

    printf("%d x %d cells, %d steps: %.3f s\n", n, n, steps, seconds);
    if (!save(argv[3], last, cells * sizeof *last) || !draw(argv[4], n, last)) {
        perror("heat");
        return 1;
    }
    free(both);
    return 0;
}
