// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops that exchange two std::vectors: of the function, of an object. Prints all
// cells of both, in hexadecimal.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

template <typename T>
static void average(const std::vector<T> &from, std::vector<T> &to, int rows, int columns) {
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++)
            to[i * columns + j] = T(0.25) * (from[(i - 1) * columns + j] + from[(i + 1) * columns + j] +
                                             from[i * columns + j - 1] + from[i * columns + j + 1]);
}

template <typename T> static void start(std::vector<T> &a, std::vector<T> &b) {
    for (std::size_t i = 0; i < a.size(); i++) {
        a[i] = T(i * 7 % 13) / 3;
        b[i] = T(i * 5 % 11) / 7;
    }
}

template <typename T> static void print(const std::vector<T> &a, const std::vector<T> &b) {
    for (T x : a)
        std::printf("%a\n", double(x));
    for (T x : b)
        std::printf("%a\n", double(x));
}

template <typename T> static void locals(int rows, int columns, int steps) {
    std::vector<T> a(rows * columns), b(rows * columns);
    start(a, b);
    for (int t = 0; t < steps; t++) {
        average(a, b, rows, columns);
        std::swap(a, b);
    }
    print(a, b);
}

template <typename T> class Plate {
  public:
    Plate(int rows, int columns)
        : rows_(rows), columns_(columns), now(rows * columns), next(rows * columns) {}
    __attribute__((noinline)) void run(int steps);
    int rows_, columns_;
    std::vector<T> now, next;
};

template <typename T> void Plate<T>::run(int steps) {
    for (int t = 0; t < steps; t++) {
        average(now, next, rows_, columns_);
        now.swap(next);
    }
}

template <typename T> static void members(int rows, int columns, int steps) {
    Plate<T> plate(rows, columns);
    start(plate.now, plate.next);
    plate.run(steps);
    print(plate.now, plate.next);
}

int main(int argc, char **argv) {
    for (int k = 1; k + 2 < argc; k += 3) {
        int rows = std::atoi(argv[k]), columns = std::atoi(argv[k + 1]), steps = std::atoi(argv[k + 2]);
        locals<float>(rows, columns, steps);
        locals<double>(rows, columns, steps);
        members<float>(rows, columns, steps);
        members<double>(rows, columns, steps);
    }
    return 0;
}
