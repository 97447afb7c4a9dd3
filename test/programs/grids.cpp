// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes with two grids that are swapped whole, with their sizes, and outputs by std::cout, which
// may throw. A grid may be larger than the other one, or have no cells. Prints all cells in
// hexadecimal.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

template <typename T> class Grid {
    std::size_t rows_, columns_;
    std::vector<T> data_;

  public:
    Grid(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), data_(rows * columns) {
        for (std::size_t i = 0; i < data_.size(); i++)
            data_[i] = T(i * 7 % 13) / 3;
    }
    T &operator()(std::size_t i, std::size_t j) {
        return data_[i * columns_ + j];
    }
    const T &operator()(std::size_t i, std::size_t j) const {
        return data_[i * columns_ + j];
    }
    std::size_t rows() const {
        return rows_;
    }
    std::size_t columns() const {
        return columns_;
    }
    void swap(Grid &other) {
        std::swap(rows_, other.rows_);
        std::swap(columns_, other.columns_);
        data_.swap(other.data_);
    }
    void print() const {
        for (T x : data_)
            std::printf("%a\n", double(x));
    }
};

template <typename T> class Solver {
    Grid<T> now_, next_;
    T factor_;
    int steps_ = 0;

  public:
    Solver(int rows, int columns, int more)
        : now_(rows, columns), next_(rows + more, columns + more), factor_(T(0.2)) {}
    T step() {
        T change = 0;
        for (std::size_t i = 1; i + 1 < now_.rows(); i++)
            for (std::size_t j = 1; j + 1 < now_.columns(); j++) {
                next_(i, j) =
                    now_(i, j) + factor_ * (now_(i - 1, j) + now_(i + 1, j) + now_(i, j - 1) +
                                            now_(i, j + 1) - 4 * now_(i, j));
                change = std::max(change, std::abs(next_(i, j) - now_(i, j)));
            }
        now_.swap(next_);
        steps_++;
        return change;
    }
    __attribute__((noinline)) int solve(T least, int steps) {
        T change = 1;
        while (change > least && steps_ < steps)
            change = step();
        return steps_;
    }
    __attribute__((noinline)) void run(int steps) {
        for (int t = 0; t < steps; t++) {
            step();
            if (t % 10 == 0)
                std::cout << "step " << t << " of " << steps << std::endl;
        }
    }
    __attribute__((noinline)) void print() const {
        now_.print();
        next_.print();
    }
};

// Of a function's own. The loops are as large as the smaller one.
template <typename T>
__attribute__((noinline)) static void locals(int rows, int columns, int steps, int more) {
    Grid<T> a(rows, columns), b(rows + more, columns + more);
    for (int t = 0; t < steps; t++) {
        for (std::size_t i = 1; i + 1 < std::min(a.rows(), b.rows()); i++)
            for (std::size_t j = 1; j + 1 < std::min(a.columns(), b.columns()); j++)
                b(i, j) = T(0.25) * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
        std::swap(a, b);
    }
    a.print();
    b.print();
}

template <typename T> static void all(int rows, int columns, int steps, int more) {
    Solver<T> solver(rows, columns, more);
    std::printf("%d\n", solver.solve(T(1e-3), more ? 1 : steps));
    if (!more)
        solver.run(steps);
    solver.print();
    locals<T>(rows, columns, steps, more);
}

int main(int argc, char **argv) {
    std::ios::sync_with_stdio(true);
    for (int k = 1; k + 3 < argc; k += 4) {
        all<float>(std::atoi(argv[k]), std::atoi(argv[k + 1]), std::atoi(argv[k + 2]),
                   std::atoi(argv[k + 3]));
        all<double>(std::atoi(argv[k]), std::atoi(argv[k + 1]), std::atoi(argv[k + 2]),
                    std::atoi(argv[k + 3]));
    }
    return 0;
}
