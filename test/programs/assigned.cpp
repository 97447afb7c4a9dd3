// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops that assign std::vectors (u = next): by itself, with edges, of two fields, of a wave's three times; of an
// object; where the vector that is assigned is shorter, though it has room, has no room, or is longer. Prints all cells, in
// hexadecimal.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename T> static void start(std::vector<T> &a, int seed) {
    for (std::size_t i = 0; i < a.size(); i++)
        a[i] = T((i + seed) * 7 % 13) / 3;
}

template <typename T> static void print(const char *name, const std::vector<T> &a) {
    std::printf("%s %zu\n", name, a.size());
    for (T x : a)
        std::printf("%a\n", double(x));
}

template <typename T> static void heat(int n, int m, int steps) {
    std::vector<T> u(n * m), next;
    start(u, 1);
    next = u;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = T(0.25) * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        u = next;
    }
    print("heat", u);
}

template <typename T> static void edges(int n, int m, int steps) {
    std::vector<T> u(n * m), next(n * m);
    start(u, 2);
    start(next, 3);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = u[i * m + j - 1] - T(0.5) * u[(i + 1) * m + j];
        for (int i = 0; i < n; i++) {
            next[i * m] = next[i * m + 1];
            next[i * m + m - 1] = next[i * m + m - 2];
        }
        u = next;
    }
    print("edges", u);
}

template <typename T> static void rod(int n, int steps) {
    std::vector<T> u(n), next(n), v(n), after(n);
    start(u, 4);
    start(v, 5);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            next[i] = u[i] + T(0.1) * (u[i - 1] - 2 * u[i] + u[i + 1]) - v[i];
            after[i] = v[i] + T(0.2) * (v[i - 1] - v[i + 1]) + u[i];
        }
        next[0] = next[1];
        next[n - 1] = T(1);
        u = next;
        v = after;
        if (t % 4 == 3)
            std::printf("%a\n", double(u[n / 2]));
    }
    print("rod u", u);
    print("rod v", v);
}

template <typename T> struct membrane {
    int n, m;
    std::vector<T> before, u, next;
    membrane(int rows, int columns) : n(rows), m(columns), before(n * m), u(n * m), next(n * m) { start(u, 6); }
    __attribute__((noinline)) void run(int steps) {
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    next[i * m + j] = 2 * u[i * m + j] - before[i * m + j] +
                                      T(0.1) * (u[(i - 1) * m + j] + u[(i + 1) * m + j] - 2 * u[i * m + j]);
            before = u;
            u = next;
        }
    }
};

// `less` cells fewer than are assigned, with room for `room`.
template <typename T> static void other(const char *name, int n, int less, int room, int steps) {
    std::vector<T> u, next(n);
    u.reserve(room > 0 ? room : 0);
    u.resize(n > less ? n - less : 0);
    start(u, 7);
    start(next, 8);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < (less > 0 ? n - less : n) - 1; i++)
            next[i] = T(0.5) * (u[i - 1] + u[i + 1]);
        u = next;
    }
    print(name, u);
}

template <typename T> static void all(int n, int m, int steps) {
    heat<T>(n, m, steps);
    edges<T>(n, m, steps);
    rod<T>(n + m, steps);
    membrane<T> drum(n, m);
    drum.run(steps);
    print("membrane", drum.u);
    print("membrane before", drum.before);
    other<T>("equal", n, 0, 0, steps);
    other<T>("room", n, 3, n, steps);
    other<T>("more room", n, 0, 2 * n, steps);
    other<T>("no room", n, 3, 0, steps);
    other<T>("longer", n, -3, 0, steps);
}

int main(int argc, char **argv) {
    for (int i = 1; i + 2 < argc; i += 3) {
        all<float>(std::atoi(argv[i]), std::atoi(argv[i + 1]), std::atoi(argv[i + 2]));
        all<double>(std::atoi(argv[i]), std::atoi(argv[i + 1]), std::atoi(argv[i + 2]));
    }
}
