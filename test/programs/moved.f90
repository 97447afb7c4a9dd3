! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Allocatable arrays that a time loop swaps by move_alloc: of variables, of components, of arguments, in both element types.
! Arguments: rows, columns, steps. Prints all cells.
module fields
  implicit none
  type field
    integer :: rows, columns
    real(8), allocatable :: cell(:,:)
  end type
contains
  subroutine make(f, rows, columns)
    type(field), intent(inout) :: f
    integer, intent(in) :: rows, columns
    integer :: i, j
    f%rows = rows
    f%columns = columns
    allocate(f%cell(0:rows+1,0:columns+1))
    do j = 0, columns+1
      do i = 0, rows+1
        f%cell(i,j) = mod(i*7 + j*3, 13) / 3d0
      end do
    end do
  end subroutine
  subroutine evolve(next, now)
    type(field), intent(inout) :: next, now
    integer :: n, m
    n = next%rows
    m = next%columns
    next%cell(1:n,1:m) = now%cell(1:n,1:m) + 0.1d0*(now%cell(0:n-1,1:m) + now%cell(2:n+1,1:m) &
      + now%cell(1:n,0:m-1) + now%cell(1:n,2:m+1) - 4*now%cell(1:n,1:m))
  end subroutine
  subroutine swap(x, y)
    type(field), intent(inout) :: x, y
    real(8), allocatable :: spare(:,:)
    call move_alloc(x%cell, spare)
    call move_alloc(y%cell, x%cell)
    call move_alloc(spare, y%cell)
  end subroutine
  ! Components, swapped in a subroutine; an output every ten steps.
  subroutine components(rows, columns, steps)
    integer, intent(in) :: rows, columns, steps
    type(field) :: now, next
    integer :: t
    call make(now, rows, columns)
    call make(next, rows, columns)
    do t = 1, steps
      call evolve(next, now)
      call swap(next, now)
      if (mod(t, 10) == 0) print '(a,i0,1x,z16.16)', 'step ', t, now%cell(1,1)
    end do
    print '(z16.16)', now%cell, next%cell
  end subroutine
  ! Arguments, swapped by a third one that stays without memory.
  subroutine arguments(now, next, spare, n, steps)
    real(4), allocatable, intent(inout) :: now(:,:,:), next(:,:,:), spare(:,:,:)
    integer, intent(in) :: n, steps
    integer :: i, j, k, t
    do t = 1, steps
      do k = 2, n-1
        do j = 2, n-1
          do i = 2, n-1
            next(i,j,k) = (now(i-1,j,k) + now(i+1,j,k) + now(i,j-1,k) + now(i,j+1,k) + now(i,j,k-1) + now(i,j,k+1)) / 6
          end do
        end do
      end do
      call move_alloc(now, spare)
      call move_alloc(next, now)
      call move_alloc(spare, next)
    end do
  end subroutine
  ! `has`: the third one has memory, which the first step frees.
  subroutine in_three_dimensions(n, steps, has)
    integer, intent(in) :: n, steps
    logical, intent(in) :: has
    real(4), allocatable :: now(:,:,:), next(:,:,:), spare(:,:,:)
    integer :: i, j, k
    allocate(now(n,n,n), next(n,n,n))
    do k = 1, n
      do j = 1, n
        do i = 1, n
          now(i,j,k) = mod(i*5 + j*3 + k, 11) / 7.0
        end do
      end do
    end do
    next = now
    if (has) allocate(spare(n,2,3))
    call arguments(now, next, spare, n, steps)
    print '(z8.8)', now, next
    print *, allocated(spare)
  end subroutine
  ! A variable of its own, until the change is small.
  subroutine until_small(n, least, steps)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: least
    real(8), allocatable :: now(:), next(:), spare(:)
    real(8) :: change
    integer :: i, t
    allocate(now(n), next(n))
    do i = 1, n
      now(i) = mod(i*7, 13) / 3d0
    end do
    next = now
    change = 1
    t = 0
    do while (change > least .and. t < steps)
      change = 0
      do i = 2, n-1
        next(i) = (now(i-1) + now(i+1)) / 2
        change = max(change, abs(next(i) - now(i)))
      end do
      call move_alloc(now, spare)
      call move_alloc(next, now)
      call move_alloc(spare, next)
      t = t + 1
    end do
    print *, t
    print '(z16.16)', now, next
  end subroutine
  ! What is assigned has no memory: each step frees and allocates.
  subroutine allocates_each_time(n, steps)
    integer, intent(in) :: n, steps
    real(8), allocatable :: now(:), next(:)
    integer :: i, t
    allocate(now(n))
    now = [(mod(i*7, 13) / 3d0, i = 1, n)]
    do t = 1, steps
      allocate(next(n))
      next(1) = now(1)
      next(n) = now(n)
      do i = 2, n-1
        next(i) = (now(i-1) + now(i+1)) / 2
      end do
      call move_alloc(next, now)
    end do
    print '(z16.16)', now
  end subroutine
  ! Between the calls the program looks at what is moved: the original loop runs.
  subroutine looks(now, next, spare, n, steps, last)
    real(8), allocatable, intent(inout) :: now(:,:), next(:,:), spare(:,:)
    integer, intent(in) :: n, steps
    real(8), intent(out) :: last
    real(8) :: corner
    integer :: i, j, t
    corner = 0
    do t = 1, steps
      do j = 2, n-1
        do i = 2, n-1
          next(i,j) = (now(i-1,j) + now(i+1,j) + now(i,j-1) + now(i,j+1)) / 4
        end do
      end do
      call move_alloc(now, spare)
      call move_alloc(next, now)
      corner = spare(2,2)
      call move_alloc(spare, next)
    end do
    last = corner
  end subroutine
  subroutine looks_between(n, steps)
    integer, intent(in) :: n, steps
    real(8), allocatable :: now(:,:), next(:,:), spare(:,:)
    real(8) :: last
    integer :: i
    allocate(now(n,n), next(n,n))
    now = reshape([(mod(i*7, 13) / 3d0, i = 1, n*n)], [n, n])
    next = now
    call looks(now, next, spare, n, steps, last)
    print '(z16.16)', last, now, next
  end subroutine
end module

program moved
  use fields
  implicit none
  character(12) :: word
  integer :: n(3), i
  do i = 1, 3
    call get_command_argument(i, word)
    read (word, *) n(i)
  end do
  call components(n(1), n(2), n(3))
  call in_three_dimensions(n(1) / 2 + 2, n(3), .false.)
  call in_three_dimensions(n(1) / 2 + 2, n(3), .true.)
  call until_small(n(1) * n(2), 1d-2, n(3))
  call allocates_each_time(n(1) * n(2), n(3))
  call looks_between(n(1), n(3))
end program
