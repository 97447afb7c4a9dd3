// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A time loop whose first block writes, and leads to threads of OpenMP, has outputs behind: it is compiled in the time that
// others take.
// RUN: sh -c 'ulimit -t 12; exec "$@"' sh %clang++ -O2 -fopenmp -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
#include <cstdio>
#include <utility>
#include <vector>

struct field {
    int w, h;
    std::vector<float> v;
    field(int w, int h) : w(w), h(h), v(size_t(w) * h) {}
    float &at(int x, int y) { return v[size_t(y) * w + x]; }
    float at(int x, int y) const { return v[size_t(y) * w + x]; }
    float around(int x, int y) const { return v[size_t((y + h) % h) * w + (x + w) % w]; }
};
static float sum(const field &f, int x, int y) {
    return f.around(x - 1, y) + f.around(x + 1, y) + f.around(x, y - 1) + f.around(x, y + 1) - 4 * f.at(x, y);
}
struct reaction {
    field u, v, u2, v2;
    reaction(int w, int h) : u(w, h), v(w, h), u2(w, h), v2(w, h) {}
    void step() {
#pragma omp parallel for
        for (int y = 0; y < u.h; y++)
            for (int x = 0; x < u.w; x++) {
                float a = u.at(x, y), b = v.at(x, y), r = a * b * b;
                u2.at(x, y) = a + 0.16f * sum(u, x, y) - r;
                v2.at(x, y) = b + 0.08f * sum(v, x, y) + r;
            }
        std::swap(u, u2);
        std::swap(v, v2);
    }
};
int main(int argc, char **) {
    reaction s(argc + 28, argc + 31);
    for (int t = 0; t < argc + 29; t++) {
        s.step();
        if (t % 10 == 9)
            std::printf("%d %.9g\n", t, double(s.v.at(argc, argc)));
    }
}
