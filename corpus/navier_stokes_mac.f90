! Flow in a cavity whose lid moves, on a staggered grid (marker-and-cell arrangement).
!
! Equation: incompressible Navier-Stokes, div(u, v) = 0
! Scheme:   projection: a provisional velocity (f, g) without pressure, a Poisson equation for the pressure by SOR,
!           and the correction by its gradient. u lives on the right side of a cell, v on its upper side, p in its centre.
program navier_stokes_mac
  implicit none
  integer, parameter :: n = 32, steps = 300, sweeps = 40
  double precision, parameter :: dx = 1d0/n, dt = 2d-3, nu = 1d-2, omega = 1.7d0
  double precision, dimension(0:n+1, 0:n+1) :: u, v, p, f, g, rhs
  double precision :: duu, duv, dvv, lap, worst
  integer :: i, j, step, it

  u = 0d0
  v = 0d0
  p = 0d0
  f = 0d0
  g = 0d0

  do step = 1, steps
    ! Walls: no slip by reflection; the lid moves with speed one.
    do i = 0, n + 1
      != stencil readOnce, pointed(dim=1) :: u
      u(i, 0) = -u(i, 1)
      != stencil readOnce, pointed(dim=1) :: u
      u(i, n+1) = 2d0 - u(i, n)
    end do
    do j = 0, n + 1
      != stencil readOnce, pointed(dim=2) :: v
      v(0, j) = -v(1, j)
      != stencil readOnce, pointed(dim=2) :: v
      v(n+1, j) = -v(n, j)
    end do

    do j = 1, n
      do i = 1, n - 1
        duu = 0.25d0*((u(i, j) + u(i+1, j))**2 - (u(i-1, j) + u(i, j))**2)/dx
        duv = 0.25d0*((v(i, j) + v(i+1, j))*(u(i, j) + u(i, j+1)) &
            - (v(i, j-1) + v(i+1, j-1))*(u(i, j-1) + u(i, j)))/dx
        lap = (u(i+1, j) + u(i-1, j) + u(i, j+1) + u(i, j-1) - 4d0*u(i, j))/dx**2
        != stencil pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: u
        != stencil readOnce, forward(depth=1, dim=1)*backward(depth=1, dim=2) :: v
        f(i, j) = u(i, j) + dt*(nu*lap - duu - duv)
      end do
    end do
    do j = 1, n - 1
      do i = 1, n
        duv = 0.25d0*((u(i, j) + u(i, j+1))*(v(i, j) + v(i+1, j)) &
            - (u(i-1, j) + u(i-1, j+1))*(v(i-1, j) + v(i, j)))/dx
        dvv = 0.25d0*((v(i, j) + v(i, j+1))**2 - (v(i, j-1) + v(i, j))**2)/dx
        lap = (v(i+1, j) + v(i-1, j) + v(i, j+1) + v(i, j-1) - 4d0*v(i, j))/dx**2
        != stencil readOnce, backward(depth=1, dim=1)*forward(depth=1, dim=2) :: u
        != stencil pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: v
        g(i, j) = v(i, j) + dt*(nu*lap - duv - dvv)
      end do
    end do

    do j = 1, n
      do i = 1, n
        != stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: f
        != stencil readOnce, pointed(dim=1)*backward(depth=1, dim=2) :: g
        rhs(i, j) = (f(i, j) - f(i-1, j) + g(i, j) - g(i, j-1))/(dx*dt)
      end do
    end do
    do it = 1, sweeps
      do i = 1, n
        != stencil readOnce, pointed(dim=1) :: p
        p(i, 0) = p(i, 1)
        != stencil readOnce, pointed(dim=1) :: p
        p(i, n+1) = p(i, n)
        != stencil readOnce, pointed(dim=2) :: p
        p(0, i) = p(1, i)
        != stencil readOnce, pointed(dim=2) :: p
        p(n+1, i) = p(n, i)
      end do
      do j = 1, n
        do i = 1, n
          != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: p
          != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: rhs
          p(i, j) = (1d0 - omega)*p(i, j) &
                  + 0.25d0*omega*(p(i+1, j) + p(i-1, j) + p(i, j+1) + p(i, j-1) - dx**2*rhs(i, j))
        end do
      end do
    end do

    do j = 1, n
      do i = 1, n - 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: f
        != stencil readOnce, forward(depth=1, dim=1)*pointed(dim=2) :: p
        u(i, j) = f(i, j) - dt*(p(i+1, j) - p(i, j))/dx
      end do
    end do
    do j = 1, n - 1
      do i = 1, n
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: g
        != stencil readOnce, pointed(dim=1)*forward(depth=1, dim=2) :: p
        v(i, j) = g(i, j) - dt*(p(i, j+1) - p(i, j))/dx
      end do
    end do
  end do

  worst = 0d0
  do j = 1, n
    do i = 1, n
      != access readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: u
      != access readOnce, pointed(dim=1)*backward(depth=1, dim=2) :: v
      worst = max(worst, abs(u(i, j) - u(i-1, j) + v(i, j) - v(i, j-1))/dx)
    end do
  end do
  print '(a, es11.3)', 'largest divergence:    ', worst
  print '(a, f9.5)', 'u below the centre:    ', u(n/2, n/4)
end program navier_stokes_mac
