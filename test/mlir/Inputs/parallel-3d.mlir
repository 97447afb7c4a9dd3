// scf.parallel over three dimensions of run-time lengths.
!grid = memref<?x?x?xf32>
func.func @timeloop(%a: !grid, %b: !grid, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = arith.constant 0.25 : f32
  %n = memref.dim %a, %c0 : !grid
  %m = memref.dim %a, %c1 : !grid
  %l = memref.dim %a, %c2 : !grid
  %n1 = arith.subi %n, %c1 : index
  %m1 = arith.subi %m, %c1 : index
  %l1 = arith.subi %l, %c1 : index
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%p = %a, %q = %b) -> (!grid, !grid) {
    scf.parallel (%i, %j, %k) = (%c1, %c1, %c1) to (%n1, %m1, %l1) step (%c1, %c1, %c1) {
      %im = arith.subi %i, %c1 : index
      %jp = arith.addi %j, %c1 : index
      %km = arith.subi %k, %c1 : index
      %kp = arith.addi %k, %c1 : index
      %0 = memref.load %p[%im, %j, %k] : !grid
      %1 = memref.load %p[%i, %jp, %k] : !grid
      %2 = memref.load %p[%i, %j, %km] : !grid
      %3 = memref.load %p[%i, %j, %kp] : !grid
      %4 = arith.addf %0, %1 : f32
      %5 = arith.addf %4, %2 : f32
      %6 = arith.addf %5, %3 : f32
      %7 = arith.mulf %6, %w : f32
      memref.store %7, %q[%i, %j, %k] : !grid
      scf.reduce
    }
    scf.yield %q, %p : !grid, !grid
  }
  return
}
