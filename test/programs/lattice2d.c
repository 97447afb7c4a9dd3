/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A lattice Boltzmann method with nine directions: two lattices whose cells have their components
 * one after the other, walls in a mask, and an end that comes round. A component comes from a
 * neighbour, or from the same cell where that is a wall. Prints all components.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef T
#define T double
#endif
#ifndef CONSTANT /* sizes */
#define PARAMETERS , int n, int m
#define ARGUMENTS , n, m
#else
enum { n = 37, m = 29 };
#define PARAMETERS
#define ARGUMENTS
#endif
enum { Q = 9 };
static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int back[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const T weight[Q] = {(T)4 / 9,  (T)1 / 9,  (T)1 / 9,  (T)1 / 9, (T)1 / 9,
                            (T)1 / 36, (T)1 / 36, (T)1 / 36, (T)1 / 36};
#define F(f, x, y, k) f[((y) * n + (x)) * Q + (k)]

static void collide(T *f, const char *wall PARAMETERS) {
    for (int y = 0; y < m; y++)
        for (int x = 0; x < n; x++) {
            T rho = 0, u = 0, v = 0;
            if (wall[y * n + x])
                continue;
            for (int k = 0; k < Q; k++) {
                rho += F(f, x, y, k);
                u += cx[k] * F(f, x, y, k);
                v += cy[k] * F(f, x, y, k);
            }
            u /= rho;
            v /= rho;
            for (int k = 0; k < Q; k++) {
                T along = 3 * (cx[k] * u + cy[k] * v);
                T to = weight[k] * rho * (1 + along + along * along / 2 - (T)1.5 * (u * u + v * v));
                F(f, x, y, k) += (T)1.2 * (to - F(f, x, y, k));
            }
        }
}

static void stream(const T *f, T *g, const char *wall PARAMETERS) {
    for (int y = 0; y < m; y++)
        for (int x = 0; x < n; x++)
            for (int k = 0; k < Q; k++) {
                int from_x = (x - cx[k] + n) % n, from_y = (y - cy[k] + m) % m;
                F(g, x, y, k) =
                    wall[from_y * n + from_x] ? F(f, x, y, back[k]) : F(f, from_x, from_y, k);
            }
}

static void run(T **f, T **g, const char *wall, int steps PARAMETERS) {
    T *a = *f, *b = *g;
    for (int t = 0; t < steps; t++) {
        collide(a, wall ARGUMENTS);
        stream(a, b, wall ARGUMENTS);
        T *c = a;
        a = b;
        b = c;
    }
    *f = a;
    *g = b;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 5;
#ifndef CONSTANT
    int n = argc > 2 ? atoi(argv[2]) : 37, m = argc > 3 ? atoi(argv[3]) : 29;
#endif
    T *f = malloc(sizeof(T) * n * m * Q), *g = malloc(sizeof(T) * n * m * Q);
    char *wall = calloc(n * m, 1);
    for (int y = 0; y < m; y++)
        for (int x = 0; x < n; x++) {
            wall[y * n + x] = (x - n / 3) * (x - n / 3) + (y - m / 2) * (y - m / 2) < n * m / 60;
            for (int k = 0; k < Q; k++)
                F(f, x, y, k) = F(g, x, y, k) = weight[k] * (1 + (T)0.3 * cx[k] + (T)(x % 3) / 50);
        }
    run(&f, &g, wall, steps ARGUMENTS);
    for (int i = 0; i < n * m * Q; i++)
        printf("%a %a\n", (double)f[i], (double)g[i]);
    free(f);
    free(g);
    free(wall);
    return 0;
}
