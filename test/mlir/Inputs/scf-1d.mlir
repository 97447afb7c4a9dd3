// scf loops over one dimension; scf.while as the time loop.
func.func @timeloop(%a: memref<?xf32>, %b: memref<?xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = arith.constant 0.5 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %n1 = arith.subi %n, %c1 : index
  %r:3 = scf.while (%t = %c0, %p = %a, %q = %b) : (index, memref<?xf32>, memref<?xf32>) -> (index, memref<?xf32>, memref<?xf32>) {
    %more = arith.cmpi slt, %t, %steps : index
    scf.condition(%more) %t, %p, %q : index, memref<?xf32>, memref<?xf32>
  } do {
  ^bb0(%t: index, %p: memref<?xf32>, %q: memref<?xf32>):
    scf.for %i = %c1 to %n1 step %c1 {
      %im = arith.subi %i, %c1 : index
      %ip = arith.addi %i, %c1 : index
      %0 = memref.load %p[%im] : memref<?xf32>
      %1 = memref.load %p[%ip] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      %3 = arith.mulf %2, %w : f32
      memref.store %3, %q[%i] : memref<?xf32>
    }
    %u = arith.addi %t, %c1 : index
    scf.yield %u, %q, %p : index, memref<?xf32>, memref<?xf32>
  }
  return
}
