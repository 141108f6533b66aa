! Cooling of a block, explicit in time, with a conductivity that varies in space.
!
! Equation: rho c dT/dt = div(k grad T)
! Scheme:   FTCS in flux form; the conductivity at a face is the mean of the two cells beside it.
module heat_3d_steps
  implicit none
  integer, parameter :: n = 20
contains
  subroutine uniform_step(old, new, r)
    real, intent(in) :: old(n, n, n), r
    real, intent(inout) :: new(n, n, n)
    integer :: i, j, k
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          != stencil readOnce, pointed(dim=1)*pointed(dim=2)*centered(depth=1, dim=3) + pointed(dim=1)*centered(depth=1, dim=2)*pointed(dim=3) + centered(depth=1, dim=1)*pointed(dim=2)*pointed(dim=3) :: old
          new(i, j, k) = (1.0 - 6.0*r)*old(i, j, k) &
                       + r*(old(i-1, j, k) + old(i+1, j, k)) &
                       + r*(old(i, j-1, k) + old(i, j+1, k)) &
                       + r*(old(i, j, k-1) + old(i, j, k+1))
        end do
      end do
    end do
  end subroutine uniform_step

  subroutine varied_step(old, new, cond, r)
    real, intent(in) :: old(n, n, n), cond(n, n, n), r
    real, intent(inout) :: new(n, n, n)
    real :: west, east, south, north, below, above
    integer :: i, j, k
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          west = 0.5*(cond(i, j, k) + cond(i-1, j, k))*(old(i, j, k) - old(i-1, j, k))
          east = 0.5*(cond(i, j, k) + cond(i+1, j, k))*(old(i+1, j, k) - old(i, j, k))
          south = 0.5*(cond(i, j, k) + cond(i, j-1, k))*(old(i, j, k) - old(i, j-1, k))
          north = 0.5*(cond(i, j, k) + cond(i, j+1, k))*(old(i, j+1, k) - old(i, j, k))
          below = 0.5*(cond(i, j, k) + cond(i, j, k-1))*(old(i, j, k) - old(i, j, k-1))
          above = 0.5*(cond(i, j, k) + cond(i, j, k+1))*(old(i, j, k+1) - old(i, j, k))
          != stencil pointed(dim=1)*pointed(dim=2)*centered(depth=1, dim=3) + pointed(dim=1)*centered(depth=1, dim=2)*pointed(dim=3) + centered(depth=1, dim=1)*pointed(dim=2)*pointed(dim=3) :: cond, old
          new(i, j, k) = old(i, j, k) + r*(east - west + north - south + above - below)
        end do
      end do
    end do
  end subroutine varied_step
end module heat_3d_steps

program heat_3d
  use heat_3d_steps
  implicit none
  real :: a(n, n, n), b(n, n, n), cond(n, n, n)
  integer :: i, j, k, step

  do k = 1, n
    do j = 1, n
      do i = 1, n
        a(i, j, k) = 100.0
        cond(i, j, k) = 0.5 + 0.5*real(k)/n
      end do
    end do
  end do
  ! All six faces are held at zero.
  b = 0.0
  do step = 1, 50
    call uniform_step(a, b, 0.1)
    call varied_step(b, a, cond, 0.1)
    do j = 1, n
      do i = 1, n
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: b
        a(i, j, 1) = b(i, j, 1)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: b
        a(i, j, n) = b(i, j, n)
      end do
    end do
  end do
  print '(a, f9.4)', 'centre after cooling: ', a(n/2, n/2, n/2)
  print '(a, f9.4)', 'near the lower face:  ', a(n/2, n/2, 3)
end program heat_3d
