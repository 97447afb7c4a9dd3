// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops that assign std::vectors by calls: members of an object, vectors of vectors, two of them, vectors of numbers of
// two sorts; where rows have different lengths, where there are more rows or fewer than are assigned, or none. Prints all
// cells, in hexadecimal.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename T> using Rows = std::vector<std::vector<T>>;

template <typename T> static void start(std::vector<T> &a, int seed) {
    for (std::size_t i = 0; i < a.size(); i++)
        a[i] = T((i + seed) * 7 % 13) / 3;
}

template <typename T> static void start(Rows<T> &a, int seed) {
    for (std::size_t i = 0; i < a.size(); i++)
        start(a[i], int(i) * 5 + seed);
}

template <typename T> static void print(const char *name, const std::vector<T> &a) {
    std::printf("%s %zu\n", name, a.size());
    for (T x : a)
        std::printf("%a\n", double(x));
}

template <typename T> static void print(const char *name, const Rows<T> &a) {
    std::printf("%s %zu\n", name, a.size());
    for (const auto &row : a)
        print("row", row);
}

template <typename T> struct plate {
    int n, m;
    std::vector<T> u, next, before;
    plate(int rows, int columns) : n(rows), m(columns), u(n * m), next(n * m), before(n * m) {
        start(u, 1);
        next = u;
    }
    __attribute__((noinline)) void heat(int steps) {
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    next[i * m + j] = T(0.25) * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
            this->u = this->next;
        }
    }
    __attribute__((noinline)) void rod(int steps) {
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n * m - 1; i++)
                next[i] = 2 * u[i] - before[i] + T(0.1) * (u[i - 1] - 2 * u[i] + u[i + 1]);
            before = u;
            u = next;
        }
    }
};

// An object with sizes, which is assigned whole.
template <typename T> struct field {
    int n, m;
    double dx;
    std::vector<T> cells;
    T &operator()(int i, int j) { return cells[i * m + j]; }
};

template <typename T> __attribute__((noinline)) static void evolve(field<T> &u, field<T> &next, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < u.n - 1; i++)
            for (int j = 1; j < u.m - 1; j++)
                next(i, j) = T(0.25) * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
        u = next;
    }
}

template <typename T> __attribute__((noinline)) static void rows(Rows<T> &u, Rows<T> &next, int n, int m, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i][j] = u[i][j] + T(0.1) * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
        u = next;
    }
}

template <typename T>
__attribute__((noinline)) static void two(Rows<T> &u, Rows<T> &v, Rows<T> un, Rows<T> vn, int n, int m, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                un[i][j] = u[i][j] + T(0.1) * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]) - v[i][j];
                vn[i][j] = v[i][j] + T(0.2) * (v[i - 1][j] + v[i][j + 1] - u[i][j]);
            }
        u = un;
        v = vn;
    }
}

__attribute__((noinline)) static void life(Rows<int> &u, int steps) {
    int n = int(u.size()), m = n > 0 ? int(u[0].size()) : 0;
    Rows<int> next(n, std::vector<int>(m));
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int k = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] + u[i - 1][j - 1] + u[i + 1][j + 1];
                next[i][j] = k == 3 || (u[i][j] && k == 2);
            }
        u = next;
    }
}

// Row number `at` has `more` cells more than the others in `next`; `rest` rows more are there in u.
template <typename T> static void other(const char *name, int n, int m, int at, int more, int rest, int steps) {
    Rows<T> u(n + rest, std::vector<T>(m)), next(n, std::vector<T>(m));
    if (at < n)
        next[at].resize(m + more);
    start(u, 5);
    start(next, 6);
    rows(u, next, n < n + rest ? n : n + rest, m, steps);
    print(name, u);
}

template <typename T> static void all(int n, int m, int steps) {
    plate<T> p(n, m), q(n, m);
    p.heat(steps);
    print("plate", p.u);
    q.rod(steps);
    print("rod", q.u);
    for (int more = 0; more < 2; more++) { // a row more in the one that is assigned
        field<T> a{n, m, 0.5, std::vector<T>(n * m)}, b{n + more, m, 0.5, std::vector<T>((n + more) * m)};
        start(a.cells, 7);
        start(b.cells, 7);
        evolve(a, b, steps);
        std::printf("%d %d\n", a.n, a.m);
        print("field", a.cells);
    }
    other<T>("rows", n, m, n, 0, 0, steps);
    Rows<T> u(n, std::vector<T>(m)), v(n, std::vector<T>(m));
    start(u, 3);
    start(v, 4);
    two(u, v, u, v, n, m, steps);
    print("two u", u);
    print("two v", v);
    other<T>("longer row", n, m, n / 2, 3, 0, steps);
    other<T>("longer first row", n, m, 0, 1, 0, steps);
    other<T>("more rows", n, m, n, 0, 2, steps);
    other<T>("fewer rows", n, m, n, 0, -1, steps);
}

int main(int argc, char **argv) {
    for (int i = 1; i + 2 < argc; i += 3) {
        int n = std::atoi(argv[i]), m = std::atoi(argv[i + 1]), steps = std::atoi(argv[i + 2]);
        all<float>(n, m, steps);
        all<double>(n, m, steps);
        Rows<int> cells(n, std::vector<int>(m));
        for (int k = 0; k < n * m; k++)
            cells[k / m][k % m] = k * 7 % 5 == 1 || k % 3 == 0;
        life(cells, steps);
        print("life", cells);
    }
}
