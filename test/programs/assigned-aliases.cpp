// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops that assign std::vectors by calls, and read or write their elements otherwise, too: through a pointer that was
// held before, as a number of another type, as a number that was equal before the loop; that change a row's length; that
// assign an object whose sizes come behind its vectors. Prints all cells, in hexadecimal.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define LOOP __attribute__((noinline)) static

template <typename T> using Rows = std::vector<std::vector<T>>;

template <typename T> struct field {
    std::vector<T> cells;
    int n, m;
};

template <typename T> LOOP void sample(std::vector<T> &u, std::vector<T> &next, int n, int m, int steps, T *out) {
    const T *held = u.data();
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = T(0.25) * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        u = next;
        *out = held[m + 1];
    }
}

template <typename T> LOOP void bits(std::vector<T> &u, std::vector<T> &next, int n, int m, int steps) {
    const T *held = u.data() + m + 1;
    for (int t = 0; t < steps; t++) {
        unsigned read;
        std::memcpy(&read, held, sizeof read);
        T by = read >> 9 & 1 ? T(0.25) : T(0.2);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = by * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        u = next;
    }
}

template <typename T> LOOP void shorter(Rows<T> &u, Rows<T> &next, int n, int m, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i][j] = T(0.25) * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        next[0].pop_back();
        u = next;
    }
}

template <typename T> LOOP void evolve(field<T> &u, field<T> &next, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < u.n - 1; i++)
            for (int j = 1; j < u.m - 1; j++)
                next.cells[i * u.m + j] = T(0.25) * (u.cells[(i - 1) * u.m + j] + u.cells[(i + 1) * u.m + j] + u.cells[i * u.m + j - 1] + u.cells[i * u.m + j + 1]);
        u = next;
    }
}

template <typename T> static void print(const char *name, const std::vector<T> &a) {
    std::printf("%s %zu\n", name, a.size());
    for (T x : a)
        std::printf("%a\n", double(x));
}

template <typename T> static void all(int n, int m, int steps) {
    std::vector<T> first(n * m), u, next;
    for (int i = 0; i < n * m; i++)
        first[i] = T((i + 1) * 7 % 13) / 3;
    T out = first[m + 1];
    u = next = first;
    sample(u, next, n, m, steps, &out);
    print("sample", u);
    std::printf("%a\n", double(out));
    u = next = first;
    bits(u, next, n, m, steps);
    print("bits", u);
    Rows<T> rows(n, std::vector<T>(first.begin(), first.begin() + m)), after = rows;
    shorter(rows, after, n, m, steps);
    for (const auto &row : rows)
        print("row", row);
    field<T> a{first, n, m}, b = a;
    evolve(a, b, steps);
    print("field", a.cells);
}

int main(int argc, char **argv) {
    for (int i = 1; i + 2 < argc; i += 3) {
        int n = std::atoi(argv[i]), m = std::atoi(argv[i + 1]), steps = std::atoi(argv[i + 2]);
        all<float>(n, m, steps);
        all<double>(n, m, steps);
    }
}
