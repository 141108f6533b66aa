! Two-grid correction for Poisson's equation.
!
! Equation: laplacian(u) = f on the unit square, u = 0 on its sides
! Scheme:   damped Jacobi smoothing, full-weighting restriction of the residual, coarse solve by Gauss-Seidel, bilinear
!           prolongation. Between the grids an index is doubled: those transfers have no fixed neighbourhood, so no
!           specification can be given for them.
program multigrid_2d
  implicit none
  integer, parameter :: nc = 16, nf = 2*nc
  double precision, parameter :: hf = 1d0/nf, hc = 1d0/nc, damp = 0.8d0
  double precision, dimension(0:nf, 0:nf) :: u, f, r
  double precision, dimension(0:nc, 0:nc) :: e, rc
  double precision :: norm
  integer :: i, j, cycle_number

  u = 0d0
  f = 1d0
  r = 0d0
  rc = 0d0
  do cycle_number = 1, 8
    call smooth(3)
    call residual()

    ! Full weighting: nine fine points around every second one.
    do j = 1, nc - 1
      do i = 1, nc - 1
        rc(i, j) = 0.25d0*r(2*i, 2*j) &
                 + 0.125d0*(r(2*i-1, 2*j) + r(2*i+1, 2*j) + r(2*i, 2*j-1) + r(2*i, 2*j+1)) &
                 + 0.0625d0*(r(2*i-1, 2*j-1) + r(2*i+1, 2*j-1) + r(2*i-1, 2*j+1) + r(2*i+1, 2*j+1))
      end do
    end do

    e = 0d0
    call solve_coarse(200)

    ! Bilinear interpolation; the left-hand side runs over every second point.
    do j = 0, nc - 1
      do i = 0, nc - 1
        != access readOnce, pointed(dim=1)*pointed(dim=2) :: e
        u(2*i, 2*j) = u(2*i, 2*j) + e(i, j)
        != access readOnce, forward(depth=1, dim=1)*pointed(dim=2) :: e
        u(2*i+1, 2*j) = u(2*i+1, 2*j) + 0.5d0*(e(i, j) + e(i+1, j))
        != access readOnce, pointed(dim=1)*forward(depth=1, dim=2) :: e
        u(2*i, 2*j+1) = u(2*i, 2*j+1) + 0.5d0*(e(i, j) + e(i, j+1))
        != access readOnce, forward(depth=1, dim=1)*forward(depth=1, dim=2) :: e
        u(2*i+1, 2*j+1) = u(2*i+1, 2*j+1) + 0.25d0*(e(i, j) + e(i+1, j) + e(i, j+1) + e(i+1, j+1))
      end do
    end do
    call smooth(3)

    call residual()
    norm = 0d0
    do j = 1, nf - 1
      do i = 1, nf - 1
        != access readOnce, pointed(dim=1)*pointed(dim=2) :: r
        norm = max(norm, abs(r(i, j)))
      end do
    end do
    print '(a, i0, a, es10.3)', 'cycle ', cycle_number, ', residual ', norm
  end do
  print '(a, f10.6)', 'centre: ', u(nc, nc)

contains

  subroutine smooth(sweeps)
    integer, intent(in) :: sweeps
    integer :: sweep
    do sweep = 1, sweeps
      call residual()
      do j = 1, nf - 1
        do i = 1, nf - 1
          != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: r, u
          u(i, j) = u(i, j) - 0.25d0*damp*hf**2*r(i, j)
        end do
      end do
    end do
  end subroutine smooth

  subroutine residual()
    do j = 1, nf - 1
      do i = 1, nf - 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: f
        != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: u
        r(i, j) = f(i, j) - (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1) - 4d0*u(i, j))/hf**2
      end do
    end do
  end subroutine residual

  subroutine solve_coarse(sweeps)
    integer, intent(in) :: sweeps
    integer :: sweep
    do sweep = 1, sweeps
      do j = 1, nc - 1
        do i = 1, nc - 1
          != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: e
          != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: rc
          e(i, j) = 0.25d0*(e(i-1, j) + e(i+1, j) + e(i, j-1) + e(i, j+1) - hc**2*rc(i, j))
        end do
      end do
    end do
  end subroutine solve_coarse
end program multigrid_2d
