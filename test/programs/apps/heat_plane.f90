! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Heat in a plane of two materials: a source in the middle, edges that let no heat through. Explicit
! steps until the temperature hardly changes, then a few passes of smoothing over what is written.
module kinds
   implicit none
   integer, parameter :: dp = selected_real_kind(15)
end module

module plane_mod
   use kinds
   implicit none
   private
   public :: plane, new_plane, solve, smooth, save_plane

   type :: plane
      integer :: nx = 0, ny = 0
      real(dp) :: dx = 1, dt = 0.2_dp
      real(dp), allocatable :: temperature(:, :), conductivity(:, :)
   end type
contains

   function new_plane(nx, ny) result(p)
      integer, intent(in) :: nx, ny
      type(plane) :: p
      integer :: i, j
      p%nx = nx
      p%ny = ny
      allocate (p%temperature(0:nx + 1, 0:ny + 1))
      allocate (p%conductivity(nx, ny))
      p%temperature = 20
      do j = 1, ny
         do i = 1, nx
            p%conductivity(i, j) = merge(0.7_dp, 1.0_dp, mod(i + j, 5) < 2)
            p%temperature(i, j) = 20 + 0.1_dp*mod(7*i + 3*j, 11)
         end do
      end do
      p%temperature(nx/2 + 1, ny/2 + 1) = 500
      p%temperature(:, 0) = 100
   end function

   ! One explicit step; how much a cell changes at most.
   function step(old, new, conductivity, c) result(change)
      real(dp), intent(in) :: old(0:, 0:), conductivity(:, :), c
      real(dp), intent(inout) :: new(0:, 0:)
      real(dp) :: change, flow
      integer :: i, j
      change = 0
      do j = 1, ubound(old, 2) - 1 ! stencil
         do i = 1, ubound(old, 1) - 1
            flow = conductivity(i, j)*(old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + old(i, j + 1) - 4*old(i, j))
            new(i, j) = old(i, j) + c*flow
            change = max(change, abs(new(i, j) - old(i, j)))
         end do
      end do
   end function

   subroutine solve(p, most_steps, tolerance, steps, last_change)
      type(plane), intent(inout) :: p
      integer, intent(in) :: most_steps
      real(dp), intent(in) :: tolerance
      integer, intent(out) :: steps
      real(dp), intent(out) :: last_change
      real(dp), allocatable :: next(:, :)
      real(dp) :: c, change
      integer :: t
      allocate (next, source=p%temperature)
      c = p%dt/p%dx**2
      change = 0
      steps = most_steps
      do t = 1, most_steps
         change = step(p%temperature, next, p%conductivity, c)
         p%temperature = next ! stencil
         if (change < tolerance) then
            steps = t
            exit
         end if
      end do
      last_change = change
   end subroutine

   ! Averages with the four neighbours.
   subroutine smooth(p, passes)
      type(plane), intent(inout) :: p
      integer, intent(in) :: passes
      integer :: pass, nx, ny
      nx = p%nx
      ny = p%ny
      associate (t => p%temperature)
         do pass = 1, passes
            t(1:nx, 1:ny) = 0.5_dp*t(1:nx, 1:ny) + 0.125_dp*(t(0:nx - 1, 1:ny) + t(2:nx + 1, 1:ny) & ! stencil
                                                             + t(1:nx, 0:ny - 1) + t(1:nx, 2:ny + 1))
         end do
      end associate
   end subroutine

   subroutine save_plane(p, file)
      type(plane), intent(in) :: p
      character(*), intent(in) :: file
      integer :: unit
      open (newunit=unit, file=file, access='stream', form='unformatted', status='replace')
      write (unit) p%temperature
      close (unit)
   end subroutine
end module

program heat_plane
   use kinds
   use plane_mod
   implicit none
   type(plane) :: p
   integer :: nx, ny, most_steps, steps
   real(dp) :: change
   character(256) :: file
   nx = argument(1)
   ny = argument(2)
   most_steps = argument(3)
   call get_command_argument(4, file)
   p = new_plane(nx, ny)
   call solve(p, most_steps, 1e-3_dp, steps, change)
   call smooth(p, 3)
   print '(a, i0, a, es24.16)', 'steps: ', steps, ', last change: ', change
   print '(a, es24.16)', 'mean: ', sum(p%temperature)/size(p%temperature)
   call save_plane(p, trim(file))
contains
   integer function argument(number)
      integer, intent(in) :: number
      character(32) :: text
      call get_command_argument(number, text)
      read (text, *) argument
   end function
end program
