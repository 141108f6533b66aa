! Steady temperature of a rectangular plate by Jacobi's method.
!
! Equation: laplacian(phi) = 0, with phi given on the four sides.
! Scheme:   second-order central differences on a uniform grid; every sweep replaces each interior
!           value by the mean of its four neighbours of the sweep before.
program laplace_jacobi
  implicit none
  integer, parameter :: nx = 41, ny = 31, max_sweeps = 4000
  real, parameter :: tolerance = 1.0e-4
  real :: phi(nx, ny), next(nx, ny)
  real :: change, heat_in
  integer :: i, j, sweep

  ! A hot lid; the other three sides are kept at zero.
  phi = 0.0
  do i = 2, nx - 1
    phi(i, ny) = 100.0
  end do

  do sweep = 1, max_sweeps
    do j = 2, ny - 1
      do i = 2, nx - 1
        != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: phi
        next(i, j) = 0.25*(phi(i-1, j) + phi(i+1, j) + phi(i, j-1) + phi(i, j+1))
      end do
    end do

    change = 0.0
    do j = 2, ny - 1
      do i = 2, nx - 1
        != access readOnce, pointed(dim=1)*pointed(dim=2) :: next, phi
        change = max(change, abs(next(i, j) - phi(i, j)))
      end do
    end do

    do j = 2, ny - 1
      do i = 2, nx - 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: next
        phi(i, j) = next(i, j)
      end do
    end do
    if (change < tolerance) exit
  end do

  ! Heat that enters through the lid: one-sided difference between two absolute rows.
  heat_in = 0.0
  do i = 2, nx - 1
    != access readOnce, pointed(dim=1) :: phi
    heat_in = heat_in + phi(i, ny) - phi(i, ny-1)
  end do

  print '(a, i0, a, es10.3)', 'sweeps: ', sweep, ', last change: ', change
  print '(a, f10.4)', 'centre:  ', phi((nx + 1)/2, (ny + 1)/2)
  print '(a, f10.4)', 'heat in: ', heat_in
end program laplace_jacobi
