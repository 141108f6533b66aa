! Drum: waves on a square membrane with a damping that grows towards one side.
!
! Equation: d2u/dt2 + s(x) du/dt = c2 laplacian(u), u = 0 on the frame
! Scheme:   leapfrog with three time levels in three arrays; the damping is centred in time.
program wave_2d
  implicit none
  integer, parameter :: n = 64, steps = 150
  real, parameter :: c2 = 0.25
  real, dimension(0:n, 0:n) :: before, now, after
  real :: sponge(0:n)
  real :: lap, loss, peak
  integer :: i, j, step

  do i = 0, n
    sponge(i) = 0.1*max(0.0, real(i)/n - 0.75)
  end do
  after = 0.0
  do j = 1, n - 1
    do i = 1, n - 1
      now(i, j) = exp(-0.02*((i - 20)**2 + (j - 32)**2))
    end do
  end do
  do i = 0, n
    now(i, 0) = 0.0
    now(i, n) = 0.0
    now(0, i) = 0.0
    now(n, i) = 0.0
  end do
  do j = 0, n
    do i = 0, n
      != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: now
      before(i, j) = now(i, j)
    end do
  end do

  do step = 1, steps
    do j = 1, n - 1
      do i = 1, n - 1
        lap = now(i-1, j) + now(i+1, j) + now(i, j-1) + now(i, j+1) - 4.0*now(i, j)
        loss = 0.5*sponge(i)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: before
        != stencil pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: now
        != stencil readOnce, pointed(dim=1) :: sponge
        after(i, j) = (2.0*now(i, j) - (1.0 - loss)*before(i, j) + c2*lap)/(1.0 + loss)
      end do
    end do
    do j = 1, n - 1
      do i = 1, n - 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: now
        before(i, j) = now(i, j)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: after
        now(i, j) = after(i, j)
      end do
    end do
  end do

  peak = 0.0
  do j = 1, n - 1
    do i = 1, n - 1
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: now
      peak = max(peak, abs(now(i, j)))
    end do
  end do
  print '(a, f9.5)', 'largest displacement: ', peak
  print '(a, f9.5)', 'in the middle:        ', now(n/2, n/2)
end program wave_2d
