! Poisson's equation by Gauss-Seidel sweeps in both directions (symmetric Gauss-Seidel).
!
! Equation: laplacian(u) = f on the unit square, u = 0 on its sides.
! Scheme:   five-point differences; new values are used as soon as they are known, so the array
!           that is read is the one that is written.
program gauss_seidel
  implicit none
  integer, parameter :: n = 33
  double precision, parameter :: pi = 3.14159265358979d0
  double precision :: u(0:n, 0:n), f(0:n, 0:n)
  double precision :: h, residual, worst, error, exact
  integer :: i, j, sweep

  h = 1d0/n
  u = 0d0
  do j = 0, n
    do i = 0, n
      f(i, j) = -2d0*pi**2*sin(pi*i*h)*sin(pi*j*h)
    end do
  end do

  do sweep = 1, 2000
    ! Forward: from the lower left corner.
    do j = 1, n - 1
      do i = 1, n - 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: f
        != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: u
        u(i, j) = 0.25d0*(u(i-1, j) + u(i, j-1) + u(i+1, j) + u(i, j+1) - h*h*f(i, j))
      end do
    end do
    ! Backward: the same stencil, the other order.
    do j = n - 1, 1, -1
      do i = n - 1, 1, -1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: f
        != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: u
        u(i, j) = 0.25d0*(u(i-1, j) + u(i, j-1) + u(i+1, j) + u(i, j+1) - h*h*f(i, j))
      end do
    end do

    worst = 0d0
    do j = 1, n - 1
      do i = 1, n - 1
        residual = (u(i-1, j) + u(i+1, j) - 2d0*u(i, j))/h**2 + (u(i, j-1) + u(i, j+1) - 2d0*u(i, j))/h**2
        != access readOnce, pointed(dim=1)*pointed(dim=2) :: f
        != access pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: u
        worst = max(worst, abs(residual - f(i, j)))
      end do
    end do
    if (worst < 1d-6) exit
  end do

  error = 0d0
  do j = 0, n
    do i = 0, n
      exact = sin(pi*i*h)*sin(pi*j*h)
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: u
      error = max(error, abs(u(i, j) - exact))
    end do
  end do
  print '(a, i0, a, es10.3, a, es10.3)', 'sweeps ', sweep, ', residual ', worst, ', error ', error
end program gauss_seidel
