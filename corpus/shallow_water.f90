! Shallow water on a rotating plane, around a bank on the sea floor.
!
! Equation: du/dt - f v = -g dh/dx, dv/dt + f u = -g dh/dy, dh/dt + d(Hu)/dx + d(Hv)/dy = 0
! Scheme:   Arakawa's C grid, forward-backward in time; a Coriolis term is the mean of four velocities.
module shallow_water_grid
  implicit none
  integer, parameter :: nx = 60, ny = 50
  real, parameter :: grav = 9.81, dx = 1.0e4, dt = 60.0, cor = 1.0e-4
  real :: u(0:nx+1, 0:ny+1), v(0:nx+1, 0:ny+1), eta(0:nx+1, 0:ny+1), depth(0:nx+1, 0:ny+1)
end module shallow_water_grid

program shallow_water
  use shallow_water_grid
  implicit none
  real :: volume
  integer :: i, j, step

  u = 0.0
  v = 0.0
  do j = 0, ny + 1
    do i = 0, nx + 1
      depth(i, j) = 100.0 - 60.0*exp(-0.01*((i - 40)**2 + (j - 25)**2))
      eta(i, j) = exp(-0.02*((i - 15)**2 + (j - 25)**2))
    end do
  end do
  do step = 1, 150
    call velocities()
    call surface()
  end do
  volume = 0.0
  do j = 1, ny
    do i = 1, nx
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: eta
      volume = volume + eta(i, j)
    end do
  end do
  print '(a, f10.4)', 'volume above rest: ', volume
  print '(a, f10.6)', 'height at the bank:', eta(40, 25)

contains

  subroutine velocities()
    real :: v_here, u_here
    do j = 1, ny
      do i = 1, nx - 1
        v_here = 0.25*(v(i, j) + v(i+1, j) + v(i, j-1) + v(i+1, j-1))
        != stencil readOnce, forward(depth=1, dim=1)*pointed(dim=2) :: eta
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: u
        != stencil readOnce, forward(depth=1, dim=1)*backward(depth=1, dim=2) :: v
        u(i, j) = u(i, j) + dt*(cor*v_here - grav*(eta(i+1, j) - eta(i, j))/dx)
      end do
    end do
    do j = 1, ny - 1
      do i = 1, nx
        u_here = 0.25*(u(i, j) + u(i-1, j) + u(i, j+1) + u(i-1, j+1))
        != stencil readOnce, pointed(dim=1)*forward(depth=1, dim=2) :: eta
        != stencil readOnce, backward(depth=1, dim=1)*forward(depth=1, dim=2) :: u
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: v
        v(i, j) = v(i, j) - dt*(cor*u_here + grav*(eta(i, j+1) - eta(i, j))/dx)
      end do
    end do
  end subroutine velocities

  subroutine surface()
    real :: east, west, north, south
    do j = 1, ny
      do i = 1, nx
        east = 0.5*(depth(i, j) + depth(i+1, j))*u(i, j)
        west = 0.5*(depth(i-1, j) + depth(i, j))*u(i-1, j)
        north = 0.5*(depth(i, j) + depth(i, j+1))*v(i, j)
        south = 0.5*(depth(i, j-1) + depth(i, j))*v(i, j-1)
        != stencil pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: depth
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: eta
        != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: u
        != stencil readOnce, pointed(dim=1)*backward(depth=1, dim=2) :: v
        eta(i, j) = eta(i, j) - dt*(east - west + north - south)/dx
      end do
    end do
  end subroutine surface
end program shallow_water
