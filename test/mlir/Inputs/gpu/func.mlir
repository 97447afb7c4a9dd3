// A kernel on two memrefs of run-time row lengths, and the host code that launches it.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @jacobi(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index, %m: index) kernel {
      %c1 = arith.constant 1 : index
      %w = arith.constant 0.2 : f32
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %dx = gpu.block_dim x
      %dy = gpu.block_dim y
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %0 = arith.muli %bx, %dx : index
      %j = arith.addi %0, %tx : index
      %1 = arith.muli %by, %dy : index
      %i = arith.addi %1, %ty : index
      %n1 = arith.subi %n, %c1 : index
      %m1 = arith.subi %m, %c1 : index
      %c = arith.cmpi sge, %i, %c1 : index
      %d = arith.cmpi slt, %i, %n1 : index
      %e = arith.cmpi sge, %j, %c1 : index
      %f = arith.cmpi slt, %j, %m1 : index
      %g = arith.andi %c, %d : i1
      %h = arith.andi %e, %f : i1
      %in = arith.andi %g, %h : i1
      scf.if %in {
        %im = arith.subi %i, %c1 : index
        %ip = arith.addi %i, %c1 : index
        %jm = arith.subi %j, %c1 : index
        %jp = arith.addi %j, %c1 : index
        %x0 = memref.load %a[%i, %j] : memref<?x?xf32>
        %x1 = memref.load %a[%im, %j] : memref<?x?xf32>
        %x2 = memref.load %a[%ip, %j] : memref<?x?xf32>
        %x3 = memref.load %a[%i, %jm] : memref<?x?xf32>
        %x4 = memref.load %a[%i, %jp] : memref<?x?xf32>
        %s1 = arith.addf %x0, %x1 : f32
        %s2 = arith.addf %s1, %x2 : f32
        %s3 = arith.addf %s2, %x3 : f32
        %s4 = arith.addf %s3, %x4 : f32
        %r = arith.mulf %s4, %w : f32
        memref.store %r, %b[%i, %j] : memref<?x?xf32>
      }
      gpu.return
    }
  }
  func.func @step(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index, %m: index, %gx: index, %gy: index) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@jacobi blocks in (%gx, %gy, %c1) threads in (%c32, %c8, %c1) args(%a : memref<?x?xf32>, %b : memref<?x?xf32>, %n : index, %m : index)
    return
  }
}
