! Sound in a closed box.
!
! Equation: d2p/dt2 = c**2 laplacian(p), rigid walls
! Scheme:   leapfrog on a grid with one layer of ghost cells, which mirror the first inner layer.
program wave_3d
  implicit none
  integer, parameter :: n = 24, steps = 60
  real, parameter :: lambda2 = 0.3
  real, dimension(0:n+1, 0:n+1, 0:n+1) :: p, p_old, p_new
  real :: sum_x, sum_y, sum_z, mean
  integer :: i, j, k, step

  p = 0.0
  p_new = 0.0
  p(5, 6, 7) = 1.0
  do k = 0, n + 1
    do j = 0, n + 1
      do i = 0, n + 1
        != stencil readOnce, pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: p
        p_old(i, j, k) = p(i, j, k)
      end do
    end do
  end do

  time: do step = 1, steps
    do k = 1, n
      do j = 1, n
        do i = 1, n
          sum_x = p(i-1, j, k) + p(i+1, j, k)
          sum_y = p(i, j-1, k) + p(i, j+1, k)
          sum_z = p(i, j, k-1) + p(i, j, k+1)
          != stencil readOnce, pointed(dim=1)*pointed(dim=2)*centered(depth=1, dim=3) + pointed(dim=1)*centered(depth=1, dim=2)*pointed(dim=3) + centered(depth=1, dim=1)*pointed(dim=2)*pointed(dim=3) :: p
          != stencil readOnce, pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: p_old
          p_new(i, j, k) = (2.0 - 6.0*lambda2)*p(i, j, k) - p_old(i, j, k) + lambda2*(sum_x + sum_y + sum_z)
        end do
      end do
    end do

    walls: do k = 1, n
      do j = 1, n
        ! Three pairs of walls; the loop variables stand for different axes in turn.
        != stencil readOnce, pointed(dim=2)*pointed(dim=3) :: p_new
        p_new(0, j, k) = p_new(1, j, k)
        != stencil readOnce, pointed(dim=2)*pointed(dim=3) :: p_new
        p_new(n+1, j, k) = p_new(n, j, k)
        != stencil readOnce, pointed(dim=1)*pointed(dim=3) :: p_new
        p_new(j, 0, k) = p_new(j, 1, k)
        != stencil readOnce, pointed(dim=1)*pointed(dim=3) :: p_new
        p_new(j, n+1, k) = p_new(j, n, k)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: p_new
        p_new(j, k, 0) = p_new(j, k, 1)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: p_new
        p_new(j, k, n+1) = p_new(j, k, n)
      end do
    end do walls

    do k = 0, n + 1
      do j = 0, n + 1
        do i = 0, n + 1
          != stencil readOnce, pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: p
          p_old(i, j, k) = p(i, j, k)
          != stencil readOnce, pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: p_new
          p(i, j, k) = p_new(i, j, k)
        end do
      end do
    end do
  end do time

  mean = 0.0
  do k = 1, n
    do j = 1, n
      do i = 1, n
        != access readOnce, pointed(dim=1)*pointed(dim=2)*pointed(dim=3) :: p
        mean = mean + p(i, j, k)/n**3
      end do
    end do
  end do
  print '(a, es12.4)', 'mean pressure:     ', mean
  print '(a, es12.4)', 'at the microphone: ', p(18, 18, 18)
end program wave_3d
