!mod$ v1 sum:b2104257fbed82eb
module kinds
integer(4),parameter::dp=8_4
intrinsic::selected_real_kind
end
