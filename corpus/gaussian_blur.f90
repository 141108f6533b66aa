! Gaussian blur of an image, in one pass over 5 by 5 points and as two passes along the axes.
!
! Equation: convolution with exp(-(x**2 + y**2)/(2 s**2)), in binomial weights 1 4 6 4 1
! Scheme:   the kernel is separable, so rows and columns may be blurred one after the other.
program gaussian_blur
  implicit none
  integer, parameter :: w = 64, h = 48
  real, dimension(w, h) :: image, rows, both, full, sharp
  real :: r1, r2, r3, r4, r5, difference
  integer :: x, y

  do y = 1, h
    do x = 1, w
      image(x, y) = mod(x*7 + y*3, 11)
    end do
  end do
  rows = 0.0
  both = 0.0
  full = 0.0
  sharp = 0.0

  ! Along the rows.
  do y = 1, h
    do x = 3, w - 2
      != stencil readOnce, centered(depth=2, dim=1)*pointed(dim=2) :: image
      rows(x, y) = (image(x-2, y) + 4.0*image(x-1, y) + 6.0*image(x, y) + 4.0*image(x+1, y) + image(x+2, y))/16.0
    end do
  end do
  ! Along the columns.
  do y = 3, h - 2
    do x = 1, w
      != stencil readOnce, pointed(dim=1)*centered(depth=2, dim=2) :: rows
      both(x, y) = (rows(x, y-2) + 4.0*rows(x, y-1) + 6.0*rows(x, y) + 4.0*rows(x, y+1) + rows(x, y+2))/16.0
    end do
  end do

  ! Both at once.
  do y = 3, h - 2
    do x = 3, w - 2
      r1 = image(x-2, y-2) + 4.0*image(x-1, y-2) + 6.0*image(x, y-2) + 4.0*image(x+1, y-2) + image(x+2, y-2)
      r2 = image(x-2, y-1) + 4.0*image(x-1, y-1) + 6.0*image(x, y-1) + 4.0*image(x+1, y-1) + image(x+2, y-1)
      r3 = image(x-2, y) + 4.0*image(x-1, y) + 6.0*image(x, y) + 4.0*image(x+1, y) + image(x+2, y)
      r4 = image(x-2, y+1) + 4.0*image(x-1, y+1) + 6.0*image(x, y+1) + 4.0*image(x+1, y+1) + image(x+2, y+1)
      r5 = image(x-2, y+2) + 4.0*image(x-1, y+2) + 6.0*image(x, y+2) + 4.0*image(x+1, y+2) + image(x+2, y+2)
      != stencil readOnce, centered(depth=2, dim=1)*centered(depth=2, dim=2) :: image
      full(x, y) = (r1 + 4.0*r2 + 6.0*r3 + 4.0*r4 + r5)/256.0
    end do
  end do

  difference = 0.0
  do y = 3, h - 2
    do x = 3, w - 2
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: both, full
      difference = max(difference, abs(full(x, y) - both(x, y)))
    end do
  end do

  ! Unsharp mask: the image is read twice in one place, so it is not read once.
  do y = 3, h - 2
    do x = 3, w - 2
      != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: full
      != stencil pointed(dim=1)*pointed(dim=2) :: image
      sharp(x, y) = image(x, y) + 0.7*(image(x, y) - full(x, y))
    end do
  end do

  print '(a, es10.3)', 'one pass against two: ', difference
  print '(a, 2f9.4)', 'blurred and sharpened:', full(32, 24), sharp(32, 24)
end program gaussian_blur
