/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Life on a board of rows, char **, with a dead rim; and the same with a memory of how long each
 * cell has lived. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char cell;

struct board {
    int height, width;
    cell **cells, **next, **age;
};

static cell **rows_of(int height, int width) {
    cell **rows = malloc((size_t)height * sizeof *rows);
    cell *block = calloc((size_t)height, (size_t)width);
    if (!rows || !block) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    for (int y = 0; y < height; y++)
        rows[y] = block + (size_t)y * width;
    return rows;
}

static void free_rows(cell **rows) {
    free(rows[0]);
    free(rows);
}

static struct board new_board(int height, int width) {
    struct board b = {height, width, rows_of(height, width), rows_of(height, width),
                      rows_of(height, width)};
    unsigned seed = 12345;
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            seed = seed * 1103515245u + 12345u;
            b.cells[y][x] = (seed >> 16) % 3 == 0;
        }
    return b;
}

static int neighbours(cell **c, int y, int x) {
    int count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            count += c[y + dy][x + dx];
    return count - c[y][x];
}

static void generation(int height, int width, cell **from, cell **to) {
    for (int y = 1; y < height - 1; y++) // stencil
        for (int x = 1; x < width - 1; x++) {
            int n = neighbours(from, y, x);
            to[y][x] = n == 3 || (n == 2 && from[y][x]);
        }
}

static void grow_old(const struct board *b, cell **cells) {
    for (int y = 1; y < b->height - 1; y++) // stencil
        for (int x = 1; x < b->width - 1; x++)
            b->age[y][x] = cells[y][x] ? b->age[y][x] + (b->age[y][x] < 200) : 0;
}

static void play(struct board *b, int generations) {
    for (int g = 0; g < generations; g++) {
        generation(b->height, b->width, b->cells, b->next);
        cell **t = b->cells;
        b->cells = b->next;
        b->next = t;
    }
}

static void play_with_age(struct board *b, int generations) {
    cell **now = b->cells, **next = b->next;
    for (int g = 0; g < generations; g++) {
        generation(b->height, b->width, now, next);
        grow_old(b, next);
        cell **t = now;
        now = next;
        next = t;
    }
    b->cells = now;
    b->next = next;
}

static int alive(const struct board *b) {
    int count = 0;
    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++)
            count += b->cells[y][x];
    return count;
}

int main(int argc, char **argv) {
    if (argc < 5)
        return 1;
    struct board b = new_board(atoi(argv[1]), atoi(argv[2]));
    int generations = atoi(argv[3]);
    play(&b, generations);
    play_with_age(&b, generations / 2);
    printf("alive %d\n", alive(&b));
    FILE *f = fopen(argv[4], "wb");
    if (!f)
        return 1;
    cell **all[] = {b.cells, b.next, b.age};
    for (int i = 0; i < 3; i++)
        fwrite(all[i][0], 1, (size_t)b.height * b.width, f);
    fclose(f);
    for (int i = 0; i < 3; i++)
        free_rows(all[i]);
    return 0;
}
