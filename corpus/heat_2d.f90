! Heat conduction in a plate, explicit in time.
!
! Equation: dT/dt = kappa (d2T/dx2 + d2T/dy2)
! Scheme:   forward in time, centred in space (FTCS); insulated sides by copying the nearest row.
program heat_2d
  implicit none
  integer, parameter :: nx = 60, ny = 40, steps = 500
  real, parameter :: kappa = 1.0e-4, dx = 0.01, dy = 0.02, dt = 0.2
  real, dimension(nx, ny) :: temp, temp_new
  real :: d2x, d2y, total
  integer :: i, j, step

  temp = 20.0
  do j = 15, 25
    do i = 10, 20
      temp(i, j) = 300.0
    end do
  end do
  temp_new = 20.0

  do step = 1, steps
    do j = 2, ny - 1
      do i = 2, nx - 1
        d2x = (temp(i+1, j) - 2.0*temp(i, j) + temp(i-1, j))/dx**2
        d2y = (temp(i, j+1) - 2.0*temp(i, j) + temp(i, j-1))/dy**2
        != stencil pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: temp
        temp_new(i, j) = temp(i, j) + dt*kappa*(d2x + d2y)
      end do
    end do

    ! No flow through the sides.
    do i = 1, nx
      != stencil readOnce, pointed(dim=1) :: temp_new
      temp_new(i, 1) = temp_new(i, 2)
      != stencil readOnce, pointed(dim=1) :: temp_new
      temp_new(i, ny) = temp_new(i, ny-1)
    end do
    do j = 1, ny
      != stencil readOnce, pointed(dim=2) :: temp_new
      temp_new(1, j) = temp_new(2, j)
      != stencil readOnce, pointed(dim=2) :: temp_new
      temp_new(nx, j) = temp_new(nx-1, j)
    end do

    do j = 1, ny
      do i = 1, nx
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: temp_new
        temp(i, j) = temp_new(i, j)
      end do
    end do
  end do

  total = 0.0
  do j = 2, ny - 1
    do i = 2, nx - 1
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: temp
      total = total + temp(i, j)
    end do
  end do
  print '(a, f10.4)', 'mean temperature: ', total/((nx - 2)*(ny - 2))
  print '(a, f10.4)', 'at the source:    ', temp(15, 20)
end program heat_2d
