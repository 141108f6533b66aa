! Linear advection of a pulse in three ways of second order.
!
! Equation: dq/dt + a dq/dx = 0
! Scheme:   Lax-Wendroff in one step; Lax-Wendroff in two half steps (Richtmyer); Beam-Warming.
program lax_wendroff
  implicit none
  integer, parameter :: n = 200, steps = 100
  real, parameter :: nu = 0.5
  real :: q(-1:n+1), qn(-1:n+1), half(0:n)
  real :: first, second, mass
  integer :: i, step

  do i = -1, n + 1
    q(i) = exp(-0.01*(i - 50)**2)
  end do
  qn = 0.0

  ! One step: the flux and the curvature by central differences.
  do step = 1, steps
    do i = 1, n - 1
      first = 0.5*nu*(q(i+1) - q(i-1))
      second = 0.5*nu**2*(q(i+1) - 2.0*q(i) + q(i-1))
      != stencil centered(depth=1, dim=1) :: q
      qn(i) = q(i) - first + second
    end do
    do i = 1, n - 1
      != stencil readOnce, pointed(dim=1) :: qn
      q(i) = qn(i)
    end do
  end do
  print '(a, f8.5)', 'one step:     ', q(100)

  ! Two half steps: half(i) lives between the points i and i+1.
  do step = 1, steps
    do i = 0, n - 1
      != stencil forward(depth=1, dim=1) :: q
      half(i) = 0.5*(q(i) + q(i+1)) - 0.5*nu*(q(i+1) - q(i))
    end do
    do i = 1, n - 1
      != stencil readOnce, backward(depth=1, dim=1) :: half
      != stencil readOnce, pointed(dim=1) :: q
      q(i) = q(i) - nu*(half(i) - half(i-1))
    end do
  end do
  print '(a, f8.5)', 'half steps:   ', q(150)

  ! Beam-Warming looks upwind only.
  do step = 1, 40
    do i = 1, n
      != stencil backward(depth=2, dim=1) :: q
      qn(i) = q(i) - 0.5*nu*(3.0*q(i) - 4.0*q(i-1) + q(i-2)) + 0.5*nu**2*(q(i) - 2.0*q(i-1) + q(i-2))
    end do
    do i = 1, n
      != stencil readOnce, pointed(dim=1) :: qn
      q(i) = qn(i)
    end do
  end do
  print '(a, f8.5)', 'Beam-Warming: ', q(170)

  mass = 0.0
  do i = 1, n - 1
    ! The trapezoid rule reads each point and the next.
    != access readOnce, forward(depth=1, dim=1) :: q
    mass = mass + 0.5*(q(i) + q(i+1))
  end do
  print '(a, f8.4)', 'mass:         ', mass
end program lax_wendroff
