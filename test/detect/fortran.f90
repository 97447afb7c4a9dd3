! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! What flang makes of Fortran: the models, and that remarks come with its -Rpass options.
! REQUIRES: flang
! RUN: rm -rf %t && mkdir %t && env STENCILOPT_SAVE_TEMPS=%t %flang -O2 -ffp-contract=off -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -module-dir %t -o %t.o 2>%t.remarks
! RUN: cat %t/*.stencil | FileCheck %s
! RUN: FileCheck %s --check-prefix=SAID <%t.remarks

! Steps between elements are known when the program runs.
! CHECK-LABEL: stencil in {{.*}}(fields::a_assumed): rank 2, one sweep
! CHECK:       (-1,0) (0,1)
module fields
   real(8), allocatable :: u(:, :, :), v(:, :, :)
contains
   subroutine a_assumed(a, b)
      real, intent(in) :: a(:, :)
      real, intent(inout) :: b(:, :)
      integer :: i, j
      do j = 1, size(a, 2) - 1
         do i = 2, size(a, 1)
            b(i, j) = a(i - 1, j) + a(i, j + 1)
         end do
      end do
   end subroutine

   ! Shapes, too, and the assignment is a call of flang's runtime.
   ! CHECK-LABEL: stencil in {{.*}}(fields::b_module): rank 3, time loop
   ! CHECK-NEXT:  grid {{.*}}: f64, 2 buffers
   ! CHECK:       (-1,0,0) (0,1,0) (0,0,1)
   subroutine b_module(steps)
      integer, intent(in) :: steps
      integer :: i, j, k, t
      do t = 1, steps
         do k = 2, ubound(u, 3) - 1
            do j = 2, ubound(u, 2) - 1
               do i = 2, ubound(u, 1) - 1
                  v(i, j, k) = u(i - 1, j, k) + u(i, j + 1, k) + u(i, j, k + 1)
               end do
            end do
         end do
         u = v
      end do
   end subroutine
end module

! The first index is contiguous.
! CHECK-LABEL: stencil in {{.*}}(c_explicit_): rank 2, time loop
! CHECK-NEXT:  grid {{.*}}: f32, 2 buffers
! CHECK:       (-2,0) (0,3)
! SAID: fortran.f90:[[@LINE+7]]:{{[0-9]+}}: remark: 2-D stencil of radius 3, 2 cells read, f32, runs on a GPU where there is one: the whole time loop, the copy after each sweep included [-Rpass=stencil]
subroutine c_explicit(n, m, steps, a, b)
   integer, intent(in) :: n, m, steps
   real, intent(inout) :: a(n, m), b(n, m)
   integer :: i, j, t
   do t = 1, steps
      do j = 1, m - 3
         do i = 3, n
            b(i, j) = a(i - 2, j) + a(i, j + 3)
         end do
      end do
      a = b
   end do
end subroutine

! An array expression that reads what it assigns: by way of an array that lives for one step.
! CHECK-LABEL: time loop of 2 sweeps in {{.*}}(d_expression_): rank 2
! CHECK-NEXT:   sweep 1: along x y
! CHECK:        sweep 2: along x y
! CHECK:        = A[0](0,0)
subroutine d_expression(n, m, steps, a)
   integer, intent(in) :: n, m, steps
   real, intent(inout) :: a(n, m)
   integer :: t
   do t = 1, steps
      a(2:n - 1, 2:m - 1) = a(1:n - 2, 2:m - 1) + a(2:n - 1, 3:m)
   end do
end subroutine

! Arrays that move_alloc swaps.
! SAID: fortran.f90:[[@LINE+8]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f32, runs on a GPU where there is one: the whole time loop
subroutine e_moved(n, m, a, b, steps)
   integer, value :: n, m, steps
   real, intent(inout), allocatable :: a(:, :), b(:, :)
   real, allocatable :: c(:, :)
   integer :: i, j, t
   do t = 1, steps
      do j = 1, m - 1
         do i = 2, n
            b(i, j) = a(i - 1, j) + a(i, j + 1)
         end do
      end do
      call move_alloc(a, c)
      call move_alloc(b, a)
      call move_alloc(c, b)
   end do
end subroutine

! Sections that may overlap: loops in the place of flang's call.
! CHECK-LABEL: time loop of 4 sweeps in {{.*}}(f_edges_): rank 2
! CHECK:        sweep 3: along x
! CHECK:        reads {{[^ ]+}}[0]: (0,1)
! CHECK:        sweep 4: along y
! CHECK:        reads {{[^ ]+}}[0]: (-1,0)
! SAID: fortran.f90:[[@LINE+7]]:{{[0-9]+}}: remark: 2-D time loop of 4 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays [-Rpass=stencil]
subroutine f_edges(n, m, steps, a, b)
   integer, intent(in) :: n, m, steps
   real, intent(inout) :: a(n, m), b(n, m)
   integer :: i, j, t
   do t = 1, steps
      do j = 2, m - 1
         do i = 2, n - 1
            b(i, j) = a(i - 1, j) + a(i, j + 1)
         end do
      end do
      do j = 2, m - 1
         do i = 2, n - 1
            a(i, j) = b(i, j)
         end do
      end do
      a(:, 1) = a(:, 2)
      a(n, :) = a(n - 1, :)
   end do
end subroutine

! Elements move to their neighbours' places, in order: no sweep.
! SAID: fortran.f90:[[@LINE+4]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other; write to a second array, or update red and black cells in two nests [-Rpass-missed=stencil]
subroutine g_shifted(n, a)
   integer, intent(in) :: n
   real, intent(inout) :: a(n)
   a(2:n) = a(1:n - 1)
end subroutine

! The automatic array of a subroutine that is called in each step.
! CHECK-LABEL: time loop of 2 sweeps in {{.*}}(h_automatic_): rank 2
! SAID: fortran.f90:[[@LINE+5]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays [-Rpass=stencil]
subroutine h_automatic(n, m, steps, a)
   integer, intent(in) :: n, m, steps
   real, intent(inout) :: a(n, m)
   integer :: t
   do t = 1, steps
      call step(a)
   end do
contains
   subroutine step(a)
      real, intent(inout) :: a(n, m)
      real :: flux(n - 1, m)
      integer :: i, j
      do j = 1, m
         do i = 1, n - 1
            flux(i, j) = 0.1*(a(i + 1, j) - a(i, j))
         end do
      end do
      do j = 1, m
         do i = 2, n - 1
            a(i, j) = a(i, j) + (flux(i, j) - flux(i - 1, j))
         end do
      end do
   end subroutine
end subroutine

! A sweep that is called from several places, with bounds and coefficients in a module.
! SAID: fortran.f90:[[@LINE+9]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 6 cells read, f64, runs on a GPU where there is one: the whole time loop, the copy after each sweep included [-Rpass=stencil]
module called
   integer :: nx, ny
   real(8) :: dx, dy
   real(8), allocatable :: u(:, :), next(:, :)
contains
   subroutine sweep()
      integer :: i, j
      do j = 2, ny - 1
         do i = 2, nx - 1
            next(i, j) = (dy**2*(u(i + 1, j) + u(i - 1, j)) + dx**2*(u(i, j + 1) + u(i, j - 1)))/(2*(dx**2 + dy**2))
         end do
      end do
   end subroutine
   subroutine run(steps)
      integer, intent(in) :: steps
      integer :: t
      do t = 1, steps
         call sweep
         u = next
      end do
   end subroutine
end module

! LLVM takes flang's call to change anything, and reads descriptors again in each step.
! SAID: fortran.f90:[[@LINE+8]]:{{[0-9]+}}: remark: 2-D time loop of 3 sweeps runs on a GPU where there is one
subroutine j_saved(steps)
   integer, intent(in) :: steps
   real(8), allocatable, save :: h(:, :), change(:, :)
   integer :: i, j, t
   allocate (h(0:51, 0:41), change(50, 40))
   h = 1
   do t = 1, steps
      h(0, :) = h(50, :)
      do j = 1, 40
         do i = 1, 50
            change(i, j) = h(i + 1, j) - h(i - 1, j)
         end do
      end do
      h(1:50, 1:40) = h(1:50, 1:40) + change
   end do
   print *, h
end subroutine

! An output between the sweeps, which prints what the step keeps.
! SAID: fortran.f90:[[@LINE+5]]:{{[0-9]+}}: remark: 2-D time loop of 5 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 4 arrays
subroutine k_displayed(past, present, future, trace)
   real(8), intent(inout) :: past(60, 50), present(60, 50), future(60, 50), trace(40)
   integer :: i, j, it
   do it = 1, 40
      do j = 2, 49
         do i = 2, 59
            future(i, j) = 0.5d0*(present(i - 1, j) + present(i + 1, j)) + present(i, j - 1) - past(i, j)
         end do
      end do
      future(1, :) = 0
      trace(it) = future(30, 20)
      if (mod(it, 20) == 0 .or. it == 5) then
         print *, it, trace(it), maxval(abs(future))
         if (maxval(abs(future)) > 1d25) stop 'unstable'
      end if
      past = present
      present = future
   end do
end subroutine
