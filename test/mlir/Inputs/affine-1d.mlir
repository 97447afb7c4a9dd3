// Affine loops over one dimension, radius 2.
func.func @timeloop(%a: memref<?xf32>, %b: memref<?xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %w = arith.constant 0.2 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r:2 = affine.for %t = 0 to %steps iter_args(%p = %a, %q = %b) -> (memref<?xf32>, memref<?xf32>) {
    affine.for %i = 2 to affine_map<(d0) -> (d0 - 2)>(%n) {
      %0 = affine.load %p[%i - 2] : memref<?xf32>
      %1 = affine.load %p[%i - 1] : memref<?xf32>
      %2 = affine.load %p[%i] : memref<?xf32>
      %3 = affine.load %p[%i + 1] : memref<?xf32>
      %4 = affine.load %p[%i + 2] : memref<?xf32>
      %5 = arith.addf %0, %1 : f32
      %6 = arith.addf %5, %2 : f32
      %7 = arith.addf %6, %3 : f32
      %8 = arith.addf %7, %4 : f32
      %9 = arith.mulf %8, %w : f32
      affine.store %9, %q[%i] : memref<?xf32>
    }
    affine.yield %q, %p : memref<?xf32>, memref<?xf32>
  }
  return
}
