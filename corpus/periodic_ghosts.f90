! Solitons that pass through one another on a ring, and a fourth-order advection on a torus.
!
! Equation: du/dt + u du/dx + delta**2 d3u/dx3 = 0 (Korteweg and de Vries); dq/dt + dq/dx + dq/dy = 0
! Scheme:   Zabusky and Kruskal's leapfrog; centred differences of fourth order. Two layers of
!           ghost cells on each side take the values from the other end before every step.
program periodic_ghosts
  implicit none
  integer, parameter :: n = 64, halo = 2
  double precision, parameter :: pi = 3.14159265358979d0
  double precision, parameter :: delta2 = 0.022d0**2, dx = 2d0/n, dt = 5d-4, nu = 0.05d0
  double precision, dimension(1-halo:n+halo) :: u, u_old, u_new
  double precision, dimension(1-halo:n+halo, 1-halo:n+halo) :: q, q_new
  double precision :: mean, third, dqdx, dqdy, mass
  integer :: i, j, step

  u_new = 0d0
  do i = 1 - halo, n + halo
    u(i) = cos(pi*i*dx)
    u_old(i) = cos(pi*(i*dx + dt*cos(pi*i*dx)))
  end do
  do step = 1, 2400
    do i = 1, n
      mean = (u(i+1) + u(i) + u(i-1))/3d0
      third = (u(i+2) - 2d0*u(i+1) + 2d0*u(i-1) - u(i-2))/(2d0*dx**3)
      != stencil centered(depth=2, dim=1) :: u
      != stencil readOnce, pointed(dim=1) :: u_old
      u_new(i) = u_old(i) - 2d0*dt*(mean*(u(i+1) - u(i-1))/(2d0*dx) + delta2*third)
    end do
    ! Ghost cells one by one: only absolute indices.
    u_new(-1) = u_new(n-1)
    u_new(0) = u_new(n)
    u_new(n+1) = u_new(1)
    u_new(n+2) = u_new(2)
    do i = 1 - halo, n + halo
      != stencil readOnce, pointed(dim=1) :: u
      u_old(i) = u(i)
      != stencil readOnce, pointed(dim=1) :: u_new
      u(i) = u_new(i)
    end do
  end do

  q = 0d0
  q_new = 0d0
  do j = 10, 20
    do i = 10, 20
      q(i, j) = sin(pi*(i - 10)/10)**2*sin(pi*(j - 10)/10)**2
    end do
  end do
  do step = 1, 100
    ! Ghost rows by a loop: the other end is a whole period away, which only a bound can say.
    do j = 1, n
      do i = 1 - halo, 0
        != stencil readOnce, shifted(by=64, dim=1)*pointed(dim=2) :: q
        q(i, j) = q(i+n, j)
      end do
      do i = 1, halo
        != stencil readOnce, shifted(by=-64, dim=1)*pointed(dim=2) :: q
        q(n+i, j) = q(i, j)
      end do
    end do
    do i = 1 - halo, n + halo
      != stencil readOnce, pointed(dim=1) :: q
      q(i, -1) = q(i, n-1)
      != stencil readOnce, pointed(dim=1) :: q
      q(i, 0) = q(i, n)
      != stencil readOnce, pointed(dim=1) :: q
      q(i, n+1) = q(i, 1)
      != stencil readOnce, pointed(dim=1) :: q
      q(i, n+2) = q(i, 2)
    end do
    do j = 1, n
      do i = 1, n
        dqdx = (8d0*(q(i+1, j) - q(i-1, j)) - q(i+2, j) + q(i-2, j))/12d0
        dqdy = (8d0*(q(i, j+1) - q(i, j-1)) - q(i, j+2) + q(i, j-2))/12d0
        != stencil readOnce, pointed(dim=1)*centered(depth=2, dim=2) + centered(depth=2, dim=1)*pointed(dim=2) :: q
        q_new(i, j) = q(i, j) - nu*(dqdx + dqdy)
      end do
    end do
    do j = 1, n
      do i = 1, n
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: q_new
        q(i, j) = q_new(i, j)
      end do
    end do
  end do

  mass = 0d0
  do j = 1, n
    do i = 1, n
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: q
      mass = mass + q(i, j)
    end do
  end do
  print '(a, f10.5)', 'highest soliton: ', maxval(u)
  print '(a, f10.5)', 'mass:            ', mass
  print '(a, f10.5)', 'travelled hump:  ', q(20, 20)
end program periodic_ghosts
