! Heat in a plate with every loop written as DO CONCURRENT.
!
! Equation: dT/dt = kappa laplacian(T) + s
! Scheme:   nine-point Laplacian (weights 1 4 1) and FTCS; the index names of DO CONCURRENT are the induction variables,
!           its mask is control and not a read of the assignments inside.
program concurrent_heat
  implicit none
  integer, parameter :: n = 48, steps = 300
  real, parameter :: r = 0.2
  real, dimension(0:n+1, 0:n+1) :: t, t_new, source
  logical :: solid(0:n+1, 0:n+1)
  real :: warmest
  integer :: i, j, step

  t = 0.0
  t_new = 0.0
  source = 0.0
  solid = .true.
  do concurrent (i = 20:28, j = 20:28)
    solid(i, j) = .false.
  end do
  do concurrent (j = 8:12)
    source(10, j) = 1.0
  end do

  do step = 1, steps
    do concurrent (i = 1:n, j = 1:n, solid(i, j))
      != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: source
      != stencil centered(depth=1, dim=1)*centered(depth=1, dim=2) :: t
      t_new(i, j) = t(i, j) + source(i, j) + r/6.0*(4.0*(t(i-1, j) + t(i+1, j) + t(i, j-1) + t(i, j+1)) &
                  + t(i-1, j-1) + t(i+1, j-1) + t(i-1, j+1) + t(i+1, j+1) - 20.0*t(i, j))
    end do
    ! Left and right: insulated. Below and above: cold.
    do concurrent (j = 1:n)
      != stencil readOnce, pointed(dim=2) :: t_new
      t_new(0, j) = t_new(1, j)
      != stencil readOnce, pointed(dim=2) :: t_new
      t_new(n+1, j) = t_new(n, j)
    end do
    ! A DO CONCURRENT around an ordinary loop: indices of both kinds.
    do concurrent (j = 0:n+1)
      do i = 0, n + 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: t_new
        t(i, j) = t_new(i, j)
      end do
    end do
  end do

  warmest = 0.0
  do j = 1, n
    do i = 1, n
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: t
      warmest = max(warmest, t(i, j))
    end do
  end do
  print '(a, f10.4)', 'warmest:         ', warmest
  print '(a, f10.4)', 'behind the hole: ', t(32, 24)
end program concurrent_heat
