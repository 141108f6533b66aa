! Electromagnetic pulse in a metal box, transverse electric polarisation in two dimensions.
!
! Equation: Maxwell's curl equations for (ex, ey, hz)
! Scheme:   Yee's staggered grid and leapfrog in time; ex and ey sit on the sides of a cell, hz in its centre.
program yee_2d
  implicit none
  integer, parameter :: nx = 60, ny = 60, steps = 120
  real, parameter :: courant = 0.5
  real :: ex(0:nx, 0:ny+1), ey(0:nx+1, 0:ny), hz(0:nx+1, 0:ny+1)
  real :: ca(0:nx, 0:ny), curl, energy
  integer :: i, j, step

  ex = 0.0
  ey = 0.0
  hz = 0.0
  ! A block of glass slows the wave.
  do j = 0, ny
    do i = 0, nx
      ca(i, j) = courant
      if (i > 40 .and. j > 20) ca(i, j) = courant/2.25
    end do
  end do

  do step = 1, steps
    hz(20, 30) = hz(20, 30) + exp(-((step - 30)/8.0)**2)

    do j = 1, ny - 1
      do i = 0, nx - 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: ca, ex
        != stencil readOnce, pointed(dim=1)*forward(depth=1, dim=2) :: hz
        ex(i, j) = ex(i, j) + ca(i, j)*(hz(i, j+1) - hz(i, j))
      end do
    end do
    do j = 0, ny - 1
      do i = 1, nx - 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: ca, ey
        != stencil readOnce, forward(depth=1, dim=1)*pointed(dim=2) :: hz
        ey(i, j) = ey(i, j) - ca(i, j)*(hz(i+1, j) - hz(i, j))
      end do
    end do
    do j = 1, ny - 1
      do i = 1, nx - 1
        curl = ex(i, j) - ex(i, j-1) - ey(i, j) + ey(i-1, j)
        != stencil readOnce, pointed(dim=1)*backward(depth=1, dim=2) :: ex
        != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: ey
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: hz
        hz(i, j) = hz(i, j) + courant*curl
      end do
    end do
  end do

  energy = 0.0
  do j = 1, ny - 1
    do i = 1, nx - 1
      ! Fields are averaged to the cell's centre before they are squared.
      != access readOnce, pointed(dim=1)*backward(depth=1, dim=2) :: ex
      != access readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: ey
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: hz
      energy = energy + hz(i, j)**2 + (0.5*(ex(i, j) + ex(i, j-1)))**2 + (0.5*(ey(i, j) + ey(i-1, j)))**2
    end do
  end do
  print '(a, f10.4)', 'energy:          ', energy
  print '(a, f10.6)', 'in the glass:    ', hz(45, 35)
  print '(a, f10.6)', 'before the glass:', hz(35, 15)
end program yee_2d
