// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of heat.c in Rust: pointers that swap. `slices` and `vectors` are slices with checked indices.
#![crate_type = "staticlib"]
use std::mem::swap;

#[no_mangle]
pub unsafe extern "C" fn heat2(mut a: *mut REAL, mut b: *mut REAL, h: usize, w: usize, steps: usize) {
    for _ in 0..steps {
        for i in 1..h - 1 {
            for j in 1..w - 1 {
                *b.add(i * w + j) = *a.add(i * w + j) * 0.5
                    + (*a.add((i - 1) * w + j) + *a.add((i + 1) * w + j) + *a.add(i * w + j - 1) + *a.add(i * w + j + 1)) * 0.125;
            }
        }
        swap(&mut a, &mut b);
    }
}

#[no_mangle]
pub unsafe extern "C" fn heat3(mut a: *mut REAL, mut b: *mut REAL, d: usize, h: usize, w: usize, steps: usize) {
    for _ in 0..steps {
        for k in 1..d - 1 {
            for i in 1..h - 1 {
                for j in 1..w - 1 {
                    let at = |k: usize, i: usize, j: usize| *a.add((k * h + i) * w + j);
                    *b.add((k * h + i) * w + j) = at(k, i, j) * 0.5
                        + (at(k - 1, i, j) + at(k + 1, i, j) + at(k, i - 1, j) + at(k, i + 1, j) + at(k, i, j - 1) + at(k, i, j + 1)) * 0.125;
                }
            }
        }
        swap(&mut a, &mut b);
    }
}

#[no_mangle]
pub unsafe extern "C" fn smooth(a: *mut REAL, b: *mut REAL, h: usize, w: usize) {
    for i in 1..h - 1 {
        for j in 1..w - 1 {
            *b.add(i * w + j) = *a.add(i * w + j) * 0.5 + (*a.add((i - 1) * w + j) + *a.add((i + 1) * w + j)) * 0.25;
        }
    }
}
