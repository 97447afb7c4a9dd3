// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advection and diffusion of a tracer by a given flow, upwind, with fields as a class template; then
// the flow's potential by Jacobi's method.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

template <typename T> class Field {
  public:
    Field(int rows, int columns, T value = T())
        : rows_(rows), columns_(columns), cells_(std::size_t(rows) * columns, value) {}
    T &operator()(int i, int j) { return cells_[std::size_t(i) * columns_ + j]; }
    const T &operator()(int i, int j) const { return cells_[std::size_t(i) * columns_ + j]; }
    int rows() const { return rows_; }
    int columns() const { return columns_; }
    const std::vector<T> &cells() const { return cells_; }

  private:
    int rows_, columns_;
    std::vector<T> cells_;
};

struct Flow {
    Field<double> u, v;
    double dt, diffusion;
};

class Tracer {
  public:
    Tracer(int rows, int columns) : now(rows, columns), next(rows, columns) {}
    void start();
    void advect(const Flow &flow);
    void walls();
    void take_over();
    Field<double> now, next;
};

void Tracer::start() {
    for (int i = 0; i < now.rows(); ++i)
        for (int j = 0; j < now.columns(); ++j)
            now(i, j) = next(i, j) = (i / 3 + j / 4) % 3 == 0 ? 1.0 : 0.125 * ((i + j) % 5);
}

void Tracer::advect(const Flow &flow) {
    for (int i = 1; i < now.rows() - 1; ++i) // stencil
        for (int j = 1; j < now.columns() - 1; ++j) {
            const double u = flow.u(i, j), v = flow.v(i, j);
            const double west = now(i, j) - now(i, j - 1), east = now(i, j + 1) - now(i, j);
            const double north = now(i, j) - now(i - 1, j), south = now(i + 1, j) - now(i, j);
            const double moved = u * (u > 0 ? west : east) + v * (v > 0 ? north : south);
            const double spread = east - west + south - north;
            next(i, j) = now(i, j) - flow.dt * moved + flow.diffusion * spread;
        }
}

void Tracer::walls() {
    const int last = now.rows() - 1, right = now.columns() - 1;
    for (int j = 0; j <= right; ++j) { // stencil
        next(0, j) = next(1, j);
        next(last, j) = next(last - 1, j);
    }
    for (int i = 0; i <= last; ++i) { // stencil
        next(i, 0) = next(i, 1);
        next(i, right) = next(i, right - 1);
    }
}

void Tracer::take_over() {
    for (int i = 0; i < now.rows(); ++i) // stencil
        for (int j = 0; j < now.columns(); ++j)
            now(i, j) = next(i, j);
}

static void run(Tracer &tracer, const Flow &flow, int steps) {
    for (int t = 0; t < steps; ++t) {
        tracer.advect(flow);
        tracer.walls();
        tracer.take_over();
    }
}

static void smooth(const Field<double> &from, Field<double> &to, const Field<double> &source) {
    for (int i = 1; i < from.rows() - 1; ++i) // stencil
        for (int j = 1; j < from.columns() - 1; ++j)
            to(i, j) = 0.25 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1) -
                               source(i, j));
}

static void jacobi(Field<double> &a, Field<double> &b, const Field<double> &source, int steps) {
    for (int t = 0; t < steps; t += 2) {
        smooth(a, b, source);
        smooth(b, a, source);
    }
}

static void append(std::FILE *out, const Field<double> &f) {
    std::fwrite(f.cells().data(), sizeof(double), f.cells().size(), out);
}

int main(int argc, char **argv) {
    if (argc < 5)
        return 1;
    const int rows = std::atoi(argv[1]), columns = std::atoi(argv[2]), steps = std::atoi(argv[3]);
    Flow flow{Field<double>(rows, columns), Field<double>(rows, columns), 0.2, 0.05};
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            flow.u(i, j) = 0.1 * ((i * 3 + j) % 9) - 0.4;
            flow.v(i, j) = 0.1 * ((i + j * 5) % 7) - 0.3;
        }
    Tracer tracer(rows, columns);
    tracer.start();
    run(tracer, flow, steps);
    Field<double> potential(rows, columns), other(rows, columns);
    jacobi(potential, other, tracer.now, steps);
    double sum = 0;
    for (double c : tracer.now.cells())
        sum += c;
    for (double c : potential.cells())
        sum += c;
    std::printf("sum %.17g\n", sum);
    std::FILE *out = std::fopen(argv[4], "wb");
    if (!out)
        return 1;
    for (const Field<double> *f : {&tracer.now, &tracer.next, &potential, &other})
        append(out, *f);
    std::fclose(out);
    return 0;
}
