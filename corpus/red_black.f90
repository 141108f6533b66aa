! Red-black successive over-relaxation for a plate with a heated spot.
!
! Equation: laplacian(t) = -q, t = 0 on the sides.
! Scheme:   five-point differences; the points of a chessboard's one colour depend on the other
!           colour only, so each half sweep may be done in any order.
program red_black
  implicit none
  integer, parameter :: m = 50, red = 0, black = 1
  real, parameter :: omega = 1.85
  real :: t(m, m), q(m, m)
  real :: star, largest
  integer :: i, j, colour, sweep

  t = 0.0
  q = 0.0
  do j = 20, 24
    do i = 30, 36
      q(i, j) = 1.0
    end do
  end do

  do sweep = 1, 300
    do colour = red, black
      do j = 2, m - 1
        do i = 2 + mod(j + colour, 2), m - 1, 2
          star = t(i-1, j) + t(i+1, j) + t(i, j-1) + t(i, j+1)
          != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: q
          != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: t
          t(i, j) = (1.0 - omega)*t(i, j) + 0.25*omega*(star + q(i, j))
        end do
      end do
    end do
  end do

  ! A two-colour sweep without over-relaxation, written as one loop for each colour.
  do j = 2, m - 1
    do i = 3 - mod(j, 2), m - 1, 2
      != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: q
      != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: t
      t(i, j) = 0.25*(t(i-1, j) + t(i+1, j) + t(i, j-1) + t(i, j+1) + q(i, j))
    end do
  end do
  do j = 2, m - 1
    do i = 2 + mod(j, 2), m - 1, 2
      != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: q
      != stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: t
      t(i, j) = 0.25*(t(i-1, j) + t(i+1, j) + t(i, j-1) + t(i, j+1) + q(i, j))
    end do
  end do

  largest = 0.0
  do j = 1, m
    do i = 1, m
      ! The test is control; the assignment behind it reads t once.
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: t
      if (t(i, j) > largest) largest = t(i, j)
    end do
  end do
  print '(a, f9.4)', 'highest temperature: ', largest
  print '(a, f9.4)', 'in the middle:       ', t(m/2, m/2)
end program red_black
