!mod$ v1 sum:83d95c708c15f4af
!need$ b2104257fbed82eb n kinds
module plane_mod
use kinds,only:dp
private::dp
type::plane
integer(4)::nx=0_4
integer(4)::ny=0_4
real(8)::dx=1._8
real(8)::dt=2.00000000000000011102230246251565404236316680908203125e-1_8
real(8),allocatable::temperature(:,:)
real(8),allocatable::conductivity(:,:)
end type
private::step
contains
function new_plane(nx,ny) result(p)
integer(4),intent(in)::nx
integer(4),intent(in)::ny
type(plane)::p
end
function step(old,new,conductivity,c) result(change)
real(8),intent(in)::old(0_8:,0_8:)
real(8),intent(inout)::new(0_8:,0_8:)
real(8),intent(in)::conductivity(:,:)
real(8),intent(in)::c
real(8)::change
end
subroutine solve(p,most_steps,tolerance,steps,last_change)
type(plane),intent(inout)::p
integer(4),intent(in)::most_steps
real(8),intent(in)::tolerance
integer(4),intent(out)::steps
real(8),intent(out)::last_change
end
subroutine smooth(p,passes)
type(plane),intent(inout)::p
integer(4),intent(in)::passes
end
subroutine save_plane(p,file)
type(plane),intent(in)::p
character(*,1),intent(in)::file
end
end
