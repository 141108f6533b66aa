! Spots that divide: the Gray-Scott model of two reacting and diffusing substances.
!
! Equation: du/dt = du lap(u) - u v**2 + f (1 - u), dv/dt = dv lap(v) + u v**2 - (f + k) v
! Scheme:   FTCS on a periodic square with one layer of ghost cells; the reaction rate is shared by both updates.
program gray_scott
  implicit none
  integer, parameter :: n = 64, steps = 1500
  real, parameter :: du = 0.16, dv = 0.08, feed = 0.0367, kill = 0.0649
  real, dimension(0:n+1, 0:n+1) :: u, v, u_new, v_new
  real :: lap_u, lap_v, rate, total
  integer :: i, j, step

  u = 1.0
  v = 0.0
  u_new = 1.0
  v_new = 0.0
  do j = 22, 42
    do i = 22, 42
      u(i, j) = 0.5
      v(i, j) = 0.25
    end do
  end do

  do step = 1, steps
    do j = 1, n
      != stencil readOnce, pointed(dim=2) :: u
      u(0, j) = u(n, j)
      != stencil readOnce, pointed(dim=2) :: u
      u(n+1, j) = u(1, j)
      != stencil readOnce, pointed(dim=2) :: v
      v(0, j) = v(n, j)
      != stencil readOnce, pointed(dim=2) :: v
      v(n+1, j) = v(1, j)
    end do
    do i = 1, n
      != stencil readOnce, pointed(dim=1) :: u
      u(i, 0) = u(i, n)
      != stencil readOnce, pointed(dim=1) :: u
      u(i, n+1) = u(i, 1)
      != stencil readOnce, pointed(dim=1) :: v
      v(i, 0) = v(i, n)
      != stencil readOnce, pointed(dim=1) :: v
      v(i, n+1) = v(i, 1)
    end do

    do j = 1, n
      do i = 1, n
        lap_u = u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1) - 4.0*u(i, j)
        lap_v = v(i-1, j) + v(i+1, j) + v(i, j-1) + v(i, j+1) - 4.0*v(i, j)
        rate = u(i, j)*v(i, j)**2
        != stencil pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: u
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: v
        u_new(i, j) = u(i, j) + du*lap_u - rate + feed*(1.0 - u(i, j))
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: u
        != stencil pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: v
        v_new(i, j) = v(i, j) + dv*lap_v + rate - (feed + kill)*v(i, j)
      end do
    end do
    do j = 1, n
      do i = 1, n
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: u_new
        u(i, j) = u_new(i, j)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: v_new
        v(i, j) = v_new(i, j)
      end do
    end do
  end do

  total = 0.0
  do j = 1, n
    do i = 1, n
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: v
      total = total + v(i, j)
    end do
  end do
  print '(a, f10.4)', 'amount of v:    ', total
  print '(a, 2f10.5)', 'in the middle:  ', u(n/2, n/2), v(n/2, n/2)
end program gray_scott
