// Run-time row lengths; arrays that swap through iter_args.
func.func @timeloop(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %steps: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  %w = arith.constant 0.2 : f32
  %n1 = arith.subi %n, %c1 : index
  %m1 = arith.subi %m, %c1 : index
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%p = %a, %q = %b) -> (memref<?x?xf32>, memref<?x?xf32>) {
  scf.for %i = %c1 to %n1 step %c1 {
    scf.for %j = %c1 to %m1 step %c1 {
      %im = arith.subi %i, %c1 : index
      %ip = arith.addi %i, %c1 : index
      %jm = arith.subi %j, %c1 : index
      %jp = arith.addi %j, %c1 : index
      %0 = memref.load %p[%i,%j] : memref<?x?xf32>
      %1 = memref.load %p[%im,%j] : memref<?x?xf32>
      %2 = memref.load %p[%ip,%j] : memref<?x?xf32>
      %3 = memref.load %p[%i,%jm] : memref<?x?xf32>
      %4 = memref.load %p[%i,%jp] : memref<?x?xf32>
      %5 = arith.addf %0, %1 : f32
      %6 = arith.addf %5, %2 : f32
      %7 = arith.addf %6, %3 : f32
      %8 = arith.addf %7, %4 : f32
      %9 = arith.mulf %8, %w : f32
      memref.store %9, %q[%i,%j] : memref<?x?xf32>
    }
  }
  scf.yield %q, %p : memref<?x?xf32>, memref<?x?xf32>
  }
  return
}
