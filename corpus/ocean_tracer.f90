! Transport of a tracer in an ocean basin with land: the state lives in a module, its procedures work on it.
!
! Equation: dC/dt + u.grad(C) = kh laplacian_h(C) + d/dz(kz dC/dz)
! Scheme:   upwind advection with a steady gyre, masked horizontal mixing, explicit vertical mixing with fluxes at the
!           interfaces between layers.
module ocean_state
  implicit none
  integer, parameter :: im = 40, jm = 30, km = 8
  real, dimension(0:im+1, 0:jm+1, 0:km+1) :: c, c_new
  real, dimension(0:im+1, 0:jm+1) :: mask, u, v
  real, dimension(0:km) :: kz
  real, parameter :: kh = 0.05, dt = 0.2
end module ocean_state

module ocean_steps
  use ocean_state
  implicit none
  private
  public :: advect, mix_horizontally, mix_vertically
contains
  subroutine advect()
    integer :: i, j, k
    real :: east, north
    do k = 1, km
      do j = 1, jm
        do i = 1, im
          if (u(i, j) > 0.0) then
            east = u(i, j)*(c(i, j, k) - c(i-1, j, k))
          else
            east = u(i, j)*(c(i+1, j, k) - c(i, j, k))
          end if
          if (v(i, j) > 0.0) then
            north = v(i, j)*(c(i, j, k) - c(i, j-1, k))
          else
            north = v(i, j)*(c(i, j+1, k) - c(i, j, k))
          end if
          != stencil pointed(dim=1)*centered(depth=1, dim=2)*pointed(dim=3) + centered(depth=1, dim=1)*pointed(dim=2)*pointed(dim=3) :: c
          != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: mask
          != stencil pointed(dim=1)*pointed(dim=2) :: u, v
          c_new(i, j, k) = c(i, j, k) - dt*mask(i, j)*(east + north)
        end do
      end do
    end do
    call accept()
  end subroutine advect

  subroutine mix_horizontally()
    integer :: i, j, k
    real :: west, east, south, north
    do k = 1, km
      do j = 1, jm
        do i = 1, im
          ! Nothing flows where either cell is land.
          west = mask(i-1, j)*(c(i-1, j, k) - c(i, j, k))
          east = mask(i+1, j)*(c(i+1, j, k) - c(i, j, k))
          south = mask(i, j-1)*(c(i, j-1, k) - c(i, j, k))
          north = mask(i, j+1)*(c(i, j+1, k) - c(i, j, k))
          != stencil pointed(dim=1)*centered(depth=1, dim=2)*pointed(dim=3) + centered(depth=1, dim=1)*pointed(dim=2)*pointed(dim=3) :: c
          != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: mask
          c_new(i, j, k) = c(i, j, k) + dt*kh*mask(i, j)*(west + east + south + north)
        end do
      end do
    end do
    call accept()
  end subroutine mix_horizontally

  subroutine mix_vertically()
    integer :: i, j, k
    do j = 1, jm
      do i = 1, im
        do k = 1, km
          != stencil pointed(dim=1)*pointed(dim=2)*centered(depth=1, dim=3) :: c
          != stencil readOnce, backward(along=3, depth=1, dim=1) :: kz
          c_new(i, j, k) = c(i, j, k) + dt*(kz(k)*(c(i, j, k+1) - c(i, j, k)) - kz(k-1)*(c(i, j, k) - c(i, j, k-1)))
        end do
      end do
    end do
    call accept()
  end subroutine mix_vertically

  subroutine accept()
    integer :: i, j, k
    do k = 1, km
      do j = 1, jm
        do i = 1, im
          != stencil readOnce, pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: c_new
          c(i, j, k) = c_new(i, j, k)
        end do
      end do
    end do
  end subroutine accept
end module ocean_steps

program ocean_tracer
  use ocean_state, only: im, jm, km, c, mask, u, v, kz
  use ocean_steps
  implicit none
  real :: amount
  integer :: i, j, k, step

  c = 0.0
  u = 0.0
  v = 0.0
  mask = 0.0
  do j = 1, jm
    do i = 1, im
      mask(i, j) = 1.0
      if (i > 25 .and. j > 20) mask(i, j) = 0.0
      u(i, j) = -0.02*(j - 15)
      v(i, j) = 0.02*(i - 20)
    end do
  end do
  ! No flux through the surface and the floor.
  kz = 0.3
  kz(0) = 0.0
  kz(km) = 0.0
  c(12, 15, 1) = 100.0
  do step = 1, 100
    call advect()
    call mix_horizontally()
    call mix_vertically()
  end do
  amount = 0.0
  do k = 1, km
    do j = 1, jm
      do i = 1, im
        != access readOnce, pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: c
        != access readOnce, pointed(dim=1)*pointed(dim=2) :: mask
        amount = amount + mask(i, j)*c(i, j, k)
      end do
    end do
  end do
  print '(a, f10.4)', 'tracer in the sea: ', amount
  print '(a, es12.4)', 'at the floor:      ', c(12, 15, km)
end program ocean_tracer
