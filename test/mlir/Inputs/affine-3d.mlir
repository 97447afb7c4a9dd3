// Affine loops over three dimensions; arrays that swap through iter_args.
func.func @timeloop(%a: memref<?x20x24xf32>, %b: memref<?x20x24xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %w = arith.constant 0.125 : f32
  %n = memref.dim %a, %c0 : memref<?x20x24xf32>
  %r:2 = affine.for %t = 0 to %steps iter_args(%p = %a, %q = %b) -> (memref<?x20x24xf32>, memref<?x20x24xf32>) {
    affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
      affine.for %j = 1 to 19 {
        affine.for %k = 1 to 23 {
          %0 = affine.load %p[%i - 1, %j, %k] : memref<?x20x24xf32>
          %1 = affine.load %p[%i + 1, %j, %k] : memref<?x20x24xf32>
          %2 = affine.load %p[%i, %j - 1, %k] : memref<?x20x24xf32>
          %3 = affine.load %p[%i, %j + 1, %k] : memref<?x20x24xf32>
          %4 = affine.load %p[%i, %j, %k - 1] : memref<?x20x24xf32>
          %5 = affine.load %p[%i, %j, %k + 1] : memref<?x20x24xf32>
          %6 = arith.addf %0, %1 : f32
          %7 = arith.addf %6, %2 : f32
          %8 = arith.addf %7, %3 : f32
          %9 = arith.addf %8, %4 : f32
          %10 = arith.addf %9, %5 : f32
          %11 = arith.mulf %10, %w : f32
          affine.store %11, %q[%i, %j, %k] : memref<?x20x24xf32>
        }
      }
    }
    affine.yield %q, %p : memref<?x20x24xf32>, memref<?x20x24xf32>
  }
  return
}
