// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// Kernels that call the toolkit's mathematics, compiled with its headers and its library.
// RUN: %clang -x cuda --cuda-device-only --cuda-path=%toolkit --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version -O3 \
// RUN:   -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | grep remark | FileCheck %s
// The old body has powf once, the new one once a cell.
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.s
#define K(name, value)                                                                             \
    extern "C" __global__ void of_##name(const float *a, float *b, int n, int m, float w) {             \
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;  \
        if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1)                                            \
            return;                                                                                \
        const float *c = a + y * n + x;                                                            \
        float sum = c[-1] + c[1] + c[-n] + c[n], own = c[0];                                       \
        b[y * n + x] = value;                                                                      \
    }

// CHECK-COUNT-20: remark: kernel blocked: 2-D stencil
K(absolute, fabsf(sum) - own)
K(root, sqrtf(sum) + rsqrtf(own))
K(exponential, expf(sum) + __expf(own))
K(logarithm, logf(sum) + __logf(own))
K(power, powf(sum, own))
K(quick_power, __powf(sum, own))
K(tangent, tanhf(sum) * own)
K(extremes, fminf(sum, own) + fmaxf(sum, w))
K(quotient, __fdividef(sum, own))
K(integers, min((int)sum, 3) + max((int)own, 7) + __float2int_rn(sum))
K(saturated, __saturatef(sum - own))
K(rounded, __fmul_rn(sum, own) + __fadd_rz(sum, own) + __frcp_rn(own))
K(sign, copysignf(sum, own))
K(error, erff(sum) + own)
K(bits, __clz((int)sum) + __popc((int)own))
K(high, __umulhi((unsigned)sum, (unsigned)own))
K(doubles, exp((double)sum) + sqrt((double)own))
K(square, pow((double)sum, 2.5) + own)
K(powers, pow((double)sum, 2.5) * pow((double)own, 1.5)) // its parts are functions that are called
K(known, isnan(sum) ? own : cbrtf(sum))
// PTX-LABEL: .entry of_power(
// PTX-COUNT-8: rcp.approx.ftz.f32
// PTX-LABEL: .entry of_quick_power(

// CHECK: remark: kernel left as it is: nothing is gained by blocking it ({{.*}}sines and the like
K(remainder, fmodf(sum, own))
