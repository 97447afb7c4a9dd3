// A launch with its body in place; the row length is a constant.
func.func @step(%a: memref<?x133xf32>, %b: memref<?x133xf32>, %n: index, %gx: index, %gy: index) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %gx, %ny = %gy, %nz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c8, %sz = %c1) {
    %c132 = arith.constant 132 : index
    %w = arith.constant 0.25 : f32
    %0 = arith.muli %bx, %sx : index
    %j = arith.addi %0, %tx : index
    %1 = arith.muli %by, %sy : index
    %i = arith.addi %1, %ty : index
    %n1 = arith.subi %n, %c1 : index
    %c = arith.cmpi sge, %i, %c1 : index
    %d = arith.cmpi slt, %i, %n1 : index
    %e = arith.cmpi sge, %j, %c1 : index
    %f = arith.cmpi slt, %j, %c132 : index
    %g = arith.andi %c, %d : i1
    %h = arith.andi %e, %f : i1
    %in = arith.andi %g, %h : i1
    scf.if %in {
      %im = arith.subi %i, %c1 : index
      %ip = arith.addi %i, %c1 : index
      %jm = arith.subi %j, %c1 : index
      %jp = arith.addi %j, %c1 : index
      %x1 = memref.load %a[%im, %j] : memref<?x133xf32>
      %x2 = memref.load %a[%ip, %j] : memref<?x133xf32>
      %x3 = memref.load %a[%i, %jm] : memref<?x133xf32>
      %x4 = memref.load %a[%i, %jp] : memref<?x133xf32>
      %s2 = arith.addf %x1, %x2 : f32
      %s3 = arith.addf %s2, %x3 : f32
      %s4 = arith.addf %s3, %x4 : f32
      %r = arith.mulf %s4, %w : f32
      memref.store %r, %b[%i, %j] : memref<?x133xf32>
    }
    gpu.terminator
  }
  return
}
