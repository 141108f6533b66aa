! Heat conduction in a rod by the Crank-Nicolson scheme.
!
! Equation: du/dt = kappa d2u/dx2, u = 0 at both ends
! Scheme:   the mean of the explicit and the implicit second difference; the tridiagonal system of
!           every step is solved by elimination and back substitution.
program crank_nicolson
  implicit none
  integer, parameter :: n = 100, steps = 200
  double precision, parameter :: pi = 3.14159265358979d0, kappa = 1d0, dt = 5d-4
  double precision :: u(0:n), rhs(n-1), upper(n-1), w(n-1)
  double precision :: h, r, pivot, error, exact
  integer :: i, step

  h = 1d0/n
  r = 0.5d0*kappa*dt/h**2
  do i = 0, n
    u(i) = sin(pi*i*h)
  end do

  do step = 1, steps
    ! Explicit half.
    do i = 1, n - 1
      != stencil readOnce, centered(depth=1, dim=1) :: u
      rhs(i) = r*u(i-1) + (1d0 - 2d0*r)*u(i) + r*u(i+1)
    end do

    ! Implicit half: -r u(i-1) + (1 + 2r) u(i) - r u(i+1) = rhs(i).
    upper(1) = -r/(1d0 + 2d0*r)
    w(1) = rhs(1)/(1d0 + 2d0*r)
    do i = 2, n - 1
      pivot = 1d0 + 2d0*r + r*upper(i-1)
      != stencil readOnce, backward(depth=1, dim=1, nonpointed) :: upper
      upper(i) = -r/pivot
      != stencil readOnce, pointed(dim=1) :: rhs
      != stencil readOnce, backward(depth=1, dim=1, nonpointed) :: upper, w
      w(i) = (rhs(i) + r*w(i-1))/pivot
    end do
    u(n-1) = w(n-1)
    do i = n - 2, 1, -1
      != stencil readOnce, forward(depth=1, dim=1, nonpointed) :: u
      != stencil readOnce, pointed(dim=1) :: upper, w
      u(i) = w(i) - upper(i)*u(i+1)
    end do
  end do

  error = 0d0
  do i = 0, n
    exact = exp(-kappa*pi**2*dt*steps)*sin(pi*i*h)
    != access readOnce, pointed(dim=1) :: u
    error = max(error, abs(u(i) - exact))
  end do
  print '(a, f10.6)', 'midpoint: ', u(n/2)
  print '(a, es10.3)', 'error:    ', error
end program crank_nicolson
