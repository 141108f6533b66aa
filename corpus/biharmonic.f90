! Bending of a clamped square plate under a uniform load.
!
! Equation: laplacian(laplacian(w)) = q, w = 0 and dw/dn = 0 on the edge
! Scheme:   thirteen-point differences, relaxed by Gauss-Seidel; the layer outside the edge mirrors the layer inside,
!           which makes the slope zero. Then the bending moments, with a mixed derivative.
program biharmonic
  implicit none
  integer, parameter :: n = 16, sweeps = 6000
  double precision, parameter :: h = 1d0/n, load = 1d0, poisson = 0.3d0
  double precision :: w(-1:n+1, -1:n+1), mxx(n-1, n-1), mxy(n-1, n-1), lap(0:n, 0:n)
  double precision :: near, diagonal, far, residual, wxx, wyy, worst
  integer :: i, j, sweep

  w = 0d0
  do sweep = 1, sweeps
    do i = 1, n - 1
      != stencil readOnce, pointed(dim=1) :: w
      w(i, -1) = w(i, 1)
      != stencil readOnce, pointed(dim=1) :: w
      w(i, n+1) = w(i, n-1)
      != stencil readOnce, pointed(dim=2) :: w
      w(-1, i) = w(1, i)
      != stencil readOnce, pointed(dim=2) :: w
      w(n+1, i) = w(n-1, i)
    end do
    do j = 1, n - 1
      do i = 1, n - 1
        near = w(i-1, j) + w(i+1, j) + w(i, j-1) + w(i, j+1)
        diagonal = w(i-1, j-1) + w(i+1, j-1) + w(i-1, j+1) + w(i+1, j+1)
        far = w(i-2, j) + w(i+2, j) + w(i, j-2) + w(i, j+2)
        residual = load*h**4 - (20d0*w(i, j) - 8d0*near + 2d0*diagonal + far)
        != stencil pointed(dim=1)*centered(depth=2, dim=2) + centered(depth=1, dim=1)*centered(depth=1, dim=2) + centered(depth=2, dim=1)*pointed(dim=2) :: w
        w(i, j) = w(i, j) + residual/20d0
      end do
    end do
  end do

  do j = 1, n - 1
    do i = 1, n - 1
      wxx = (w(i+1, j) - 2d0*w(i, j) + w(i-1, j))/h**2
      wyy = (w(i, j+1) - 2d0*w(i, j) + w(i, j-1))/h**2
      != stencil pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: w
      mxx(i, j) = -(wxx + poisson*wyy)
      ! Only the four corners: nonpointed in both dimensions.
      != stencil readOnce, centered(depth=1, dim=1, nonpointed)*centered(depth=1, dim=2, nonpointed) :: w
      mxy(i, j) = -(1d0 - poisson)*(w(i+1, j+1) - w(i-1, j+1) - w(i+1, j-1) + w(i-1, j-1))/(4d0*h**2)
    end do
  end do

  ! The thirteen points are two five-point operators after one another.
  do j = 0, n
    do i = 0, n
      != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: w
      lap(i, j) = (w(i-1, j) + w(i+1, j) + w(i, j-1) + w(i, j+1) - 4d0*w(i, j))/h**2
    end do
  end do
  worst = 0d0
  do j = 1, n - 1
    do i = 1, n - 1
      != access readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: lap
      worst = max(worst, abs((lap(i-1, j) + lap(i+1, j) + lap(i, j-1) + lap(i, j+1) - 4d0*lap(i, j))/h**2 - load))
    end do
  end do

  print '(a, es12.5)', 'deflection in the middle: ', w(n/2, n/2)
  print '(a, es12.5)', 'moment in the middle:     ', mxx(n/2, n/2)
  print '(a, es12.5)', 'twisting moment:          ', mxy(n/4, n/4)
  print '(a, es10.3)', 'residual:                 ', worst
end program biharmonic
