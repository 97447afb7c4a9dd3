// A linalg stencil over three dimensions, on views of the arrays; arrays that swap through iter_args.
#at = affine_map<(i, j, k) -> (i, j, k)>
!view = memref<?x18x22xf32, strided<[480, 24, 1], offset: ?>>
func.func @timeloop(%a: memref<?x20x24xf32>, %b: memref<?x20x24xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = arith.constant 0.25 : f32
  %n = memref.dim %a, %c0 : memref<?x20x24xf32>
  %inner = arith.subi %n, %c2 : index
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%p = %a, %q = %b) -> (memref<?x20x24xf32>, memref<?x20x24xf32>) {
    %up = memref.subview %p[%c0, 1, 1] [%inner, 18, 22] [1, 1, 1] : memref<?x20x24xf32> to !view
    %down = memref.subview %p[%c2, 1, 1] [%inner, 18, 22] [1, 1, 1] : memref<?x20x24xf32> to !view
    %left = memref.subview %p[%c1, 1, 0] [%inner, 18, 22] [1, 1, 1] : memref<?x20x24xf32> to !view
    %near = memref.subview %p[%c1, 2, 1] [%inner, 18, 22] [1, 1, 1] : memref<?x20x24xf32> to !view
    %new = memref.subview %q[%c1, 1, 1] [%inner, 18, 22] [1, 1, 1] : memref<?x20x24xf32> to !view
    linalg.generic {indexing_maps = [#at, #at, #at, #at, #at], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%up, %down, %left, %near : !view, !view, !view, !view) outs(%new : !view) {
      ^bb0(%u: f32, %d: f32, %l: f32, %f: f32, %o: f32):
        %s = arith.addf %u, %d : f32
        %s2 = arith.addf %s, %l : f32
        %s3 = arith.addf %s2, %f : f32
        %h = arith.mulf %s3, %w : f32
        linalg.yield %h : f32
    }
    scf.yield %q, %p : memref<?x20x24xf32>, memref<?x20x24xf32>
  }
  return
}
