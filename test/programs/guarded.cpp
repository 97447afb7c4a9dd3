// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of each access: at(), assertions of a class of matrices, and limits that are tested by hand. Some are not met in the
// middle of a sweep. Prints all cells that were computed until then, in hexadecimal, and what was thrown.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct failed {
    int line;
};
[[noreturn]] __attribute__((noinline, cold)) static void fail(int line) { throw failed{line}; }
#define CHECK(c) ((c) ? (void)0 : fail(__LINE__))

// Rows of the first index lie beside one another, as in libraries for linear algebra.
template <typename T> class matrix {
    T *data;
    long rows_, columns_;

  public:
    matrix(long r, long c) : data((T *)std::malloc((r * c + 1) * sizeof(T))), rows_(r), columns_(c) {}
    matrix(const matrix &) = delete;
    ~matrix() { std::free(data); }
    void swap(matrix &o) {
        std::swap(data, o.data);
        std::swap(rows_, o.rows_);
        std::swap(columns_, o.columns_);
    }
    T &operator()(long r, long c) {
        CHECK(r >= 0 && r < rows_ && c >= 0 && c < columns_);
        return data[c * rows_ + r];
    }
    T operator()(long r, long c) const {
        CHECK(r >= 0 && r < rows_ && c >= 0 && c < columns_);
        return data[c * rows_ + r];
    }
    long rows() const { return rows_; }
    long columns() const { return columns_; }
    const T *raw() const { return data; }
};

template <typename T> static void print(const char *name, const T *p, long count) {
    std::printf("%s\n", name);
    for (long i = 0; i < count; i++)
        std::printf("%a\n", double(p[i]));
}

template <typename T> static T number(long i) { return T(i * 7 % 13) / 3; }

// A time loop that exchanges vectors.
template <typename T> static void vectors(int n, int m, int steps, int less) {
    std::vector<T> a(n * m), b(n * m - less);
    for (int i = 0; i < n * m; i++)
        a[i] = number<T>(i);
    for (int i = 0; i < n * m - less; i++)
        b[i] = number<T>(i + 5);
    try {
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    b.at(i * m + j) = T(0.25) * (a.at((i - 1) * m + j) + a.at((i + 1) * m + j) +
                                                 a.at(i * m + j - 1) + a.at(i * m + j + 1));
            std::swap(a, b);
        }
    } catch (const std::out_of_range &e) {
        std::printf("%s\n", e.what());
    }
    print("vectors a", a.data(), a.size());
    print("vectors b", b.data(), b.size());
}

// One sweep a call; the vectors are the caller's.
template <typename T>
__attribute__((noinline)) void sweep(const std::vector<T> &a, std::vector<T> &b, int n, int m) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b.at(i * m + j) = a.at(i * m + j - 1) - T(0.5) * a.at((i + 1) * m + j);
}
template <typename T> static void sweeps(int n, int m, int steps, int less) {
    std::vector<T> a(n * m), b(n * m - less);
    for (int i = 0; i < n * m; i++)
        a[i] = number<T>(i);
    try {
        for (int t = 0; t < steps; t++)
            sweep(a, b, n, m);
    } catch (const std::out_of_range &e) {
        std::printf("%s\n", e.what());
    }
    print("sweeps", b.data(), b.size());
}

template <typename T>
__attribute__((noinline)) void step(const matrix<T> &a, matrix<T> &b, int more) {
    for (int c = 1; c < a.columns() - 1 + more; c++)
        for (int r = 1; r < a.rows() - 1; r++)
            b(r, c) = T(0.25) * (a(r - 1, c) + a(r + 1, c) + a(r, c - 1) + a(r, c + 1));
}
template <typename T> static void matrices(int n, int m, int steps, int less) {
    matrix<T> a(n, m), b(n, m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a(i, j) = number<T>(i * m + j), b(i, j) = number<T>(i + j);
    try {
        for (int t = 0; t < steps; t++) {
            step(a, b, less > 0 && t == steps - 1);
            a.swap(b);
        }
    } catch (const failed &e) {
        std::printf("line %d\n", e.line);
    }
    print("matrices a", a.raw(), long(n) * m);
    print("matrices b", b.raw(), long(n) * m);
}

// Unsigned numbers, planes, and a test of each coordinate.
template <typename T>
__attribute__((noinline)) void planes(unsigned n, unsigned limit, const T *a, T *b) {
    for (unsigned k = 1; k < n - 1; k++)
        for (unsigned j = 1; j < n - 1; j++)
            for (unsigned i = 1; i < n - 1; i++) {
                CHECK(k < limit && j + 1 < limit + 1);
                CHECK((int)(i + j + k) <= (int)(3 * limit));
                b[(k * n + j) * n + i] =
                    a[((k - 1) * n + j) * n + i] + a[(k * n + j + 1) * n + i] - a[(k * n + j) * n + i - 1];
            }
}
template <typename T> static void cube(unsigned n, int less) {
    std::vector<T> a(n * n * n), b(n * n * n);
    for (unsigned i = 0; i < n * n * n; i++)
        a[i] = number<T>(i);
    try {
        if (n > 2)
            planes<T>(n, n - 1 - (less > 0), a.data(), b.data());
    } catch (const failed &e) {
        std::printf("line %d\n", e.line);
    }
    print("cube", b.data(), b.size());
}

// Accessors that make what they throw.
template <typename T> struct plate {
    int n, m;
    std::vector<T> cells;
    __attribute__((always_inline)) T &operator()(int i, int j) {
        if (i < 0 || i >= n || j < 0 || j >= m)
            throw std::out_of_range(std::string(i < 0 || j < 0 ? "below" : "behind") + " the plate");
        return cells[i * m + j];
    }
    T operator()(int i, int j) const {
        if (i < 0 || i >= n || j < 0 || j >= m)
            throw std::out_of_range("beside the plate");
        return cells[i * m + j];
    }
};
template <typename T> __attribute__((noinline)) void mean(const plate<T> &a, plate<T> &b) {
    for (int i = 1; i < a.n - 1; i++)
        for (int j = 1; j < a.m - 1; j++)
            b(i, j) = T(0.5) * (a(i - 1, j) + a(i, j + 1));
}
template <typename T> static void plates(int n, int m, int less) {
    plate<T> a{n, m, std::vector<T>(n * m)}, b{n - (less > 0), m, std::vector<T>(n * m)};
    for (int i = 0; i < n * m; i++)
        a.cells[i] = number<T>(i);
    try {
        mean(a, b);
        b.n--;
        mean(a, b);
    } catch (const std::out_of_range &e) {
        std::printf("%s\n", e.what());
    }
    print("plates", b.cells.data(), b.cells.size());
}

template <typename T> static void all(int n, int m, int steps, int less) {
    vectors<T>(n, m, steps, less);
    sweeps<T>(n, m, steps, less);
    matrices<T>(n, m, steps, less);
    cube<T>(n < 12 ? n : 12, less);
    plates<T>(n, m, less);
}

int main(int argc, char **argv) {
    for (int i = 1; i + 3 < argc; i += 4) {
        all<float>(std::atoi(argv[i]), std::atoi(argv[i + 1]), std::atoi(argv[i + 2]), std::atoi(argv[i + 3]));
        all<double>(std::atoi(argv[i]), std::atoi(argv[i + 1]), std::atoi(argv[i + 2]), std::atoi(argv[i + 3]));
    }
}
