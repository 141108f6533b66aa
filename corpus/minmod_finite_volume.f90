! Advection of a step and a hump without wiggles: second-order finite volumes with a slope limiter.
!
! Equation: dq/dt + a dq/dx = 0, a > 0
! Scheme:   piecewise linear reconstruction with minmod slopes, upwind flux at the faces, one Euler step; the monotonised
!           central limiter and Roe's superbee are done in place by branches.
module limiters
  implicit none
contains
  pure elemental real function minmod(a, b)
    real, intent(in) :: a, b
    if (a*b <= 0.0) then
      minmod = 0.0
    else if (abs(a) < abs(b)) then
      minmod = a
    else
      minmod = b
    end if
  end function minmod
end module limiters

program minmod_finite_volume
  use limiters, only: minmod
  implicit none
  integer, parameter :: n = 150, steps = 120
  real, parameter :: nu = 0.6
  real :: q(0:n+1), slope(0:n+1), flux(0:n)
  real :: left, right, central, limited, variation, mass
  integer :: i, step

  do i = 0, n + 1
    q(i) = 0.0
    if (i > 10 .and. i <= 30) q(i) = 1.0
    if (i > 40 .and. i <= 60) q(i) = sin(0.15708*(i - 40))**2
  end do
  slope = 0.0

  do step = 1, steps
    ! The limiter is a function of two differences; the cell's own value is in both.
    do i = 1, n
      != stencil centered(depth=1, dim=1) :: q
      slope(i) = minmod(q(i) - q(i-1), q(i+1) - q(i))
    end do
    do i = 0, n
      != stencil readOnce, pointed(dim=1) :: q, slope
      flux(i) = nu*(q(i) + 0.5*(1.0 - nu)*slope(i))
    end do
    do i = 1, n
      != stencil readOnce, backward(depth=1, dim=1) :: flux
      != stencil readOnce, pointed(dim=1) :: q
      q(i) = q(i) - (flux(i) - flux(i-1))
    end do
  end do
  print '(a, f8.5)', 'top of the step:        ', q(92)

  ! The monotonised central limiter: which differences count depends on the branch taken.
  do i = 1, n
    left = q(i) - q(i-1)
    right = q(i+1) - q(i)
    if (left*right <= 0.0) then
      limited = 0.0
    else
      central = 0.5*(q(i+1) - q(i-1))
      limited = sign(min(abs(central), 2.0*abs(left), 2.0*abs(right)), central)
    end if
    != stencil centered(depth=1, dim=1) :: q
    slope(i) = limited
  end do
  print '(a, f8.5)', 'steepest central slope: ', maxval(slope)

  ! Superbee, written as the larger of two minmods.
  do i = 1, n
    left = minmod(2.0*(q(i) - q(i-1)), q(i+1) - q(i))
    right = minmod(q(i) - q(i-1), 2.0*(q(i+1) - q(i)))
    if (abs(left) > abs(right)) then
      limited = left
    else
      limited = right
    end if
    != stencil centered(depth=1, dim=1) :: q
    slope(i) = limited
  end do
  print '(a, f8.5)', 'steepest superbee slope:', maxval(slope)

  variation = 0.0
  mass = 0.0
  do i = 1, n
    != access readOnce, backward(depth=1, dim=1) :: q
    variation = variation + abs(q(i) - q(i-1))
    != access readOnce, pointed(dim=1) :: q
    mass = mass + q(i)
  end do
  print '(a, f8.5)', 'total variation:        ', variation
  print '(a, f8.4)', 'mass:                   ', mass
end program minmod_finite_volume
