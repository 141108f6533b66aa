! Vibrating string with all time levels kept in one array.
!
! Equation: d2u/dt2 = c2 d2u/dx2, u = 0 at both ends
! Scheme:   central differences in space and time (leapfrog); the first step uses the starting velocity zero.
program wave_1d
  implicit none
  integer, parameter :: nx = 80, nt = 160
  real, parameter :: pi = 3.14159265, courant2 = 1.0
  real :: u(0:nx, 0:nt), shape(0:nx)
  real :: energy, slope, speed
  integer :: i, k

  do i = 0, nx
    shape(i) = sin(2.0*pi*i/nx)
  end do
  do i = 0, nx
    != stencil readOnce, pointed(dim=1) :: shape
    u(i, 0) = shape(i)
  end do
  do k = 1, nt
    u(0, k) = 0.0
    u(nx, k) = 0.0
  end do

  ! The level before the first is eliminated by symmetry.
  do i = 1, nx - 1
    != stencil centered(depth=1, dim=1) :: u
    u(i, 1) = u(i, 0) + 0.5*courant2*(u(i+1, 0) - 2.0*u(i, 0) + u(i-1, 0))
  end do

  do k = 1, nt - 1
    do i = 1, nx - 1
      != stencil readOnce, pointed(dim=1)*backward(depth=2, dim=2, nonpointed) + centered(depth=1, dim=1)*backward(depth=1, dim=2, nonpointed) :: u
      u(i, k+1) = 2.0*(1.0 - courant2)*u(i, k) + courant2*(u(i+1, k) + u(i-1, k)) - u(i, k-1)
    end do
  end do

  ! Energy of the last level.
  energy = 0.0
  do i = 1, nx
    slope = u(i, nt) - u(i-1, nt)
    speed = u(i, nt) - u(i, nt-1)
    != access backward(depth=1, dim=1) :: u
    energy = energy + 0.5*(slope**2 + speed**2)
  end do

  print '(a, f9.5)', 'quarter point at the start: ', u(nx/4, 0)
  print '(a, f9.5)', 'and after two periods:      ', u(nx/4, nt)
  print '(a, f9.5)', 'energy:                     ', energy
end program wave_1d
