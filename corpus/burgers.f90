! Viscous Burgers equation with a time step that follows the fastest wave.
!
! Equation: du/dt + d(u**2/2)/dx = nu d2u/dx2
! Scheme:   local Lax-Friedrichs (Rusanov) flux at the faces, central viscous term. The first half steps with a fixed
!           dt. In the second half dt comes from the largest speed, a reduction over all of u: through dt the new value
!           depends on every element of u, so u has no specification there, the other arrays have.
program burgers
  implicit none
  integer, parameter :: n = 200
  real, parameter :: pi = 3.14159265, dx = 1.0/n, nu = 2.0e-3, t_end = 0.3
  real :: u(0:n+1), u_new(0:n+1), flux(0:n), visc(n)
  real :: a, jump, umax, dt, t, momentum
  integer :: i, step

  do i = 0, n + 1
    u(i) = 0.5 + sin(2.0*pi*i*dx)
  end do
  u_new = 0.0

  dt = 2.0e-4
  do step = 1, 500
    do i = 0, n
      a = max(abs(u(i)), abs(u(i+1)))
      jump = u(i+1) - u(i)
      != stencil forward(depth=1, dim=1) :: u
      flux(i) = 0.25*(u(i)**2 + u(i+1)**2) - 0.5*a*jump
    end do
    do i = 1, n
      != stencil readOnce, backward(depth=1, dim=1) :: flux
      != stencil centered(depth=1, dim=1) :: u
      u_new(i) = u(i) - dt/dx*(flux(i) - flux(i-1)) + dt*nu*(u(i+1) - 2.0*u(i) + u(i-1))/dx**2
    end do
    do i = 1, n
      != stencil readOnce, pointed(dim=1) :: u_new
      u(i) = u_new(i)
    end do
    ! Periodic: the two ghost cells take the values of the other end.
    u(0) = u(n)
    u(n+1) = u(1)
  end do
  print '(a, 3f9.5)', 'after fixed steps:    ', u(n/4), u(n/2), u(3*n/4)

  t = 0.0
  do step = 1, 10000
    umax = 0.0
    do i = 1, n
      != access readOnce, pointed(dim=1) :: u
      if (abs(u(i)) > umax) umax = abs(u(i))
    end do
    dt = min(0.4*dx/umax, 0.4*dx**2/nu)

    do i = 0, n
      != stencil readOnce, forward(depth=1, dim=1) :: u
      flux(i) = 0.25*(u(i)**2 + u(i+1)**2)
    end do
    do i = 1, n
      != stencil readOnce, centered(depth=1, dim=1) :: u
      visc(i) = nu*(u(i+1) - 2.0*u(i) + u(i-1))/dx**2
    end do
    do i = 1, n
      != stencil readOnce, backward(depth=1, dim=1) :: flux
      != stencil readOnce, pointed(dim=1) :: u, visc
      u(i) = u(i) + dt*(visc(i) - (flux(i) - flux(i-1))/dx)
    end do
    u(0) = u(n)
    u(n+1) = u(1)
    t = t + dt
    if (t >= t_end) exit
  end do
  print '(a, 3f9.5)', 'after adaptive steps: ', u(n/4), u(n/2), u(3*n/4)

  momentum = 0.0
  do i = 1, n
    != access readOnce, pointed(dim=1) :: u
    momentum = momentum + u(i)*dx
  end do
  print '(a, f9.5)', 'momentum:             ', momentum
end program burgers
