! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! The loops of heat.c in Fortran: two levels of one array, chosen by mod(t, 2).
subroutine heat2(a, b, h, w, steps) bind(c)
  use iso_c_binding
  integer(c_int64_t), value :: h, w, steps
  real(KIND), intent(inout) :: a(w, h), b(w, h)
  real(KIND), allocatable :: u(:, :, :)
  integer(c_int64_t) :: i, j, t
  allocate(u(w, h, 0:1))
  u(:, :, 0) = a
  u(:, :, 1) = b
  do t = 0, steps - 1
    !$omp parallel do
    do j = 2, h - 1
      do i = 2, w - 1
        u(i, j, mod(t + 1, 2)) = u(i, j, mod(t, 2)) * 0.5_KIND + (u(i, j - 1, mod(t, 2)) + u(i, j + 1, mod(t, 2)) &
          + u(i - 1, j, mod(t, 2)) + u(i + 1, j, mod(t, 2))) * 0.125_KIND
      end do
    end do
  end do
  a = u(:, :, 0)
  b = u(:, :, 1)
end subroutine

subroutine heat3(a, b, d, h, w, steps) bind(c)
  use iso_c_binding
  integer(c_int64_t), value :: d, h, w, steps
  real(KIND), intent(inout) :: a(w, h, d), b(w, h, d)
  real(KIND), allocatable :: u(:, :, :, :)
  integer(c_int64_t) :: i, j, k, t
  allocate(u(w, h, d, 0:1))
  u(:, :, :, 0) = a
  u(:, :, :, 1) = b
  do t = 0, steps - 1
    !$omp parallel do schedule(static)
    do k = 2, d - 1
      do j = 2, h - 1
        do i = 2, w - 1
          u(i, j, k, mod(t + 1, 2)) = u(i, j, k, mod(t, 2)) * 0.5_KIND + (u(i, j, k - 1, mod(t, 2)) + u(i, j, k + 1, mod(t, 2)) &
            + u(i, j - 1, k, mod(t, 2)) + u(i, j + 1, k, mod(t, 2)) + u(i - 1, j, k, mod(t, 2)) + u(i + 1, j, k, mod(t, 2))) * 0.125_KIND
        end do
      end do
    end do
  end do
  a = u(:, :, :, 0)
  b = u(:, :, :, 1)
end subroutine

subroutine smooth(a, b, h, w) bind(c)
  use iso_c_binding
  integer(c_int64_t), value :: h, w
  real(KIND), intent(inout) :: a(w, h), b(w, h)
  integer(c_int64_t) :: i, j
  !$omp parallel do
  do j = 2, h - 1
    do i = 2, w - 1
      b(i, j) = a(i, j) * 0.5_KIND + (a(i, j - 1) + a(i, j + 1)) * 0.25_KIND
    end do
  end do
end subroutine
