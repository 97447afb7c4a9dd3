// A linalg stencil on views of the arrays, and a loop that swaps the arrays.
#at = affine_map<(i, j) -> (i, j)>
!view = memref<?x62xf32, strided<[64, 1], offset: ?>>
func.func @timeloop(%a: memref<?x64xf32>, %b: memref<?x64xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = arith.constant 0.5 : f32
  %n = memref.dim %a, %c0 : memref<?x64xf32>
  %inner = arith.subi %n, %c2 : index
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%p = %a, %q = %b) -> (memref<?x64xf32>, memref<?x64xf32>) {
    %up = memref.subview %p[%c0, 1] [%inner, 62] [1, 1] : memref<?x64xf32> to !view
    %down = memref.subview %p[%c2, 1] [%inner, 62] [1, 1] : memref<?x64xf32> to !view
    %to = memref.subview %q[%c1, 1] [%inner, 62] [1, 1] : memref<?x64xf32> to !view
    linalg.generic {indexing_maps = [#at, #at, #at], iterator_types = ["parallel", "parallel"]}
        ins(%up, %down : !view, !view) outs(%to : !view) {
      ^bb0(%u: f32, %d: f32, %old: f32):
        %s = arith.addf %u, %d : f32
        %h = arith.mulf %s, %w : f32
        linalg.yield %h : f32
    }
    scf.yield %q, %p : memref<?x64xf32>, memref<?x64xf32>
  }
  return
}
