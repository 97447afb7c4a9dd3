// Affine loops; arrays that swap through iter_args.
func.func @timeloop(%a: memref<?x64xf32>, %b: memref<?x64xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %w = arith.constant 0.25 : f32
  %n = memref.dim %a, %c0 : memref<?x64xf32>
  %r:2 = affine.for %t = 0 to %steps iter_args(%p = %a, %q = %b) -> (memref<?x64xf32>, memref<?x64xf32>) {
    affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
      affine.for %j = 1 to 63 {
        %0 = affine.load %p[%i - 1, %j] : memref<?x64xf32>
        %1 = affine.load %p[%i + 1, %j] : memref<?x64xf32>
        %2 = affine.load %p[%i, %j - 1] : memref<?x64xf32>
        %3 = affine.load %p[%i, %j + 1] : memref<?x64xf32>
        %4 = arith.addf %0, %1 : f32
        %5 = arith.addf %4, %2 : f32
        %6 = arith.addf %5, %3 : f32
        %7 = arith.mulf %6, %w : f32
        affine.store %7, %q[%i, %j] : memref<?x64xf32>
      }
    }
    affine.yield %q, %p : memref<?x64xf32>, memref<?x64xf32>
  }
  return
}
