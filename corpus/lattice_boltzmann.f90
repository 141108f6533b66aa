! Decaying shear wave by the lattice Boltzmann method with nine velocities (D2Q9).
!
! Equation: f_k(x + e_k, t + 1) = f_k(x, t) - (f_k - feq_k)/tau
! Scheme:   collision (BGK) in place, then streaming: every direction has an offset of its own and is pulled from the
!           opposite side. Ghost rows and columns around the box make it periodic.
program lattice_boltzmann
  implicit none
  integer, parameter :: nx = 32, ny = 24, steps = 100
  real, parameter :: tau = 0.8, pi = 3.14159265
  real :: f(0:nx+1, 0:ny+1, 0:8), g(0:nx+1, 0:ny+1, 0:8)
  real :: rho(nx, ny), ux(nx, ny), uy(nx, ny)
  real :: cx(0:8), cy(0:8), w(0:8)
  real :: mass, mx, my, cu, feq
  integer :: i, j, k, step

  cx = [0.0, 1.0, 0.0, -1.0, 0.0, 1.0, -1.0, -1.0, 1.0]
  cy = [0.0, 0.0, 1.0, 0.0, -1.0, 1.0, 1.0, -1.0, -1.0]
  w = [16.0, 4.0, 4.0, 4.0, 4.0, 1.0, 1.0, 1.0, 1.0]/36.0
  f = 0.0
  do k = 0, 8
    do j = 1, ny
      do i = 1, nx
        != stencil readOnce, pointed(along=3, dim=1) :: cx, w
        f(i, j, k) = w(k)*(1.0 + 3.0*cx(k)*0.05*sin(2.0*pi*j/ny))
      end do
    end do
  end do

  do step = 1, steps
    ! Density and velocity: sums over the directions.
    do j = 1, ny
      do i = 1, nx
        mass = 0.0
        do k = 0, 8
          != access readOnce, pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: f
          mass = mass + f(i, j, k)
        end do
        mx = f(i, j, 1) - f(i, j, 3) + f(i, j, 5) - f(i, j, 6) - f(i, j, 7) + f(i, j, 8)
        my = f(i, j, 2) - f(i, j, 4) + f(i, j, 5) + f(i, j, 6) - f(i, j, 7) - f(i, j, 8)
        rho(i, j) = mass
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: f
        ux(i, j) = mx/mass
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: f
        uy(i, j) = my/mass
      end do
    end do

    do k = 0, 8
      do j = 1, ny
        do i = 1, nx
          cu = cx(k)*ux(i, j) + cy(k)*uy(i, j)
          feq = w(k)*rho(i, j)*(1.0 + 3.0*cu + 4.5*cu**2 - 1.5*(ux(i, j)**2 + uy(i, j)**2))
          != stencil readOnce, pointed(along=3, dim=1) :: cx, cy, w
          != stencil pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: f
          != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: rho
          != stencil pointed(dim=1)*pointed(dim=2) :: ux, uy
          f(i, j, k) = f(i, j, k) - (f(i, j, k) - feq)/tau
        end do
      end do
      do j = 1, ny
        != stencil readOnce, pointed(dim=2)*pointed(dim=3) :: f
        f(0, j, k) = f(nx, j, k)
        != stencil readOnce, pointed(dim=2)*pointed(dim=3) :: f
        f(nx+1, j, k) = f(1, j, k)
      end do
      do i = 0, nx + 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=3) :: f
        f(i, 0, k) = f(i, ny, k)
        != stencil readOnce, pointed(dim=1)*pointed(dim=3) :: f
        f(i, ny+1, k) = f(i, 1, k)
      end do
    end do

    do j = 1, ny
      do i = 1, nx
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: f
        g(i, j, 0) = f(i, j, 0)
        != stencil readOnce, backward(depth=1, dim=1, nonpointed)*pointed(dim=2) :: f
        g(i, j, 1) = f(i-1, j, 1)
        != stencil readOnce, pointed(dim=1)*backward(depth=1, dim=2, nonpointed) :: f
        g(i, j, 2) = f(i, j-1, 2)
        != stencil readOnce, forward(depth=1, dim=1, nonpointed)*pointed(dim=2) :: f
        g(i, j, 3) = f(i+1, j, 3)
        != stencil readOnce, pointed(dim=1)*forward(depth=1, dim=2, nonpointed) :: f
        g(i, j, 4) = f(i, j+1, 4)
        != stencil readOnce, backward(depth=1, dim=1, nonpointed)*backward(depth=1, dim=2, nonpointed) :: f
        g(i, j, 5) = f(i-1, j-1, 5)
        != stencil readOnce, forward(depth=1, dim=1, nonpointed)*backward(depth=1, dim=2, nonpointed) :: f
        g(i, j, 6) = f(i+1, j-1, 6)
        != stencil readOnce, forward(depth=1, dim=1, nonpointed)*forward(depth=1, dim=2, nonpointed) :: f
        g(i, j, 7) = f(i+1, j+1, 7)
        != stencil readOnce, backward(depth=1, dim=1, nonpointed)*forward(depth=1, dim=2, nonpointed) :: f
        g(i, j, 8) = f(i-1, j+1, 8)
      end do
    end do
    do k = 0, 8
      do j = 1, ny
        do i = 1, nx
          != stencil readOnce, pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: g
          f(i, j, k) = g(i, j, k)
        end do
      end do
    end do
  end do
  print '(a, f10.6)', 'velocity at the crest: ', ux(1, ny/4)
  print '(a, f10.6)', 'density:               ', rho(nx/2, ny/2)
end program lattice_boltzmann
