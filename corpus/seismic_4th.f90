! Acoustic wave in layered ground, a shot near the surface.
!
! Equation: d2p/dt2 = c(z)**2 laplacian(p)
! Scheme:   fourth order in space (five points along each axis), second order in time; a velocity-stress step of
!           fourth order on a staggered grid for comparison.
program seismic_4th
  implicit none
  integer, parameter :: nx = 100, nz = 80, steps = 120
  real, parameter :: w0 = -5.0/2.0, w1 = 4.0/3.0, w2 = -1.0/12.0
  real, dimension(nx, nz) :: p_old, p, p_new, c2
  real :: pressure(nx), velocity(nx), dxx, dzz, strongest
  integer :: i, k, step

  p_old = 0.0
  p = 0.0
  p_new = 0.0
  do k = 1, nz
    do i = 1, nx
      c2(i, k) = 0.1
      if (k > nz/2) c2(i, k) = 0.2
    end do
  end do

  do step = 1, steps
    do k = 3, nz - 2
      do i = 3, nx - 2
        dxx = w2*(p(i-2, k) + p(i+2, k)) + w1*(p(i-1, k) + p(i+1, k)) + w0*p(i, k)
        dzz = w2*(p(i, k-2) + p(i, k+2)) + w1*(p(i, k-1) + p(i, k+1)) + w0*p(i, k)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: c2, p_old
        != stencil pointed(dim=1)*centered(depth=2, dim=2) + centered(depth=2, dim=1)*pointed(dim=2) :: p
        p_new(i, k) = 2.0*p(i, k) - p_old(i, k) + c2(i, k)*(dxx + dzz)
      end do
    end do
    p_new(50, 10) = p_new(50, 10) + exp(-0.05*(step - 15)**2)
    do k = 1, nz
      do i = 1, nx
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: p
        p_old(i, k) = p(i, k)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: p_new
        p(i, k) = p_new(i, k)
      end do
    end do
  end do

  strongest = 0.0
  do i = 1, nx
    ! The geophones lie along one row: an absolute second index.
    != access readOnce, pointed(dim=1) :: p
    strongest = max(strongest, abs(p(i, 4)))
  end do
  print '(a, f9.5)', 'strongest arrival: ', strongest
  print '(a, f9.5)', 'below the layer:   ', p(50, 60)

  ! One dimension, staggered: four points, two on each side of a half place.
  do i = 1, nx
    pressure(i) = exp(-0.02*(i - 50)**2)
    velocity(i) = 0.0
  end do
  do step = 1, 60
    do i = 2, nx - 2
      != stencil readOnce, backward(depth=1, dim=1) + forward(depth=2, dim=1) :: pressure
      != stencil readOnce, pointed(dim=1) :: velocity
      velocity(i) = velocity(i) - 0.4*(9.0/8.0*(pressure(i+1) - pressure(i)) - (pressure(i+2) - pressure(i-1))/24.0)
    end do
    do i = 3, nx - 2
      != stencil readOnce, pointed(dim=1) :: pressure
      != stencil readOnce, backward(depth=2, dim=1) + forward(depth=1, dim=1) :: velocity
      pressure(i) = pressure(i) - 0.4*(9.0/8.0*(velocity(i) - velocity(i-1)) - (velocity(i+1) - velocity(i-2))/24.0)
    end do
  end do
  print '(a, f9.5)', 'travelled pulse:   ', pressure(74)
end program seismic_4th
