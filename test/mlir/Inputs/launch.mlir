// A kernel, and host code that launches it.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @step(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel {
      %x = gpu.block_id x
      %y = gpu.thread_id x
      %v = memref.load %a[%x, %y] : memref<64x64xf32>
      memref.store %v, %b[%x, %y] : memref<64x64xf32>
      gpu.return
    }
  }
  func.func @main(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@step blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<64x64xf32>, %b : memref<64x64xf32>)
    return
  }
}
