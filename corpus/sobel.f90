! Edges of a grey image: Sobel and Prewitt gradients, and the Laplacian of the image.
!
! Equation: |grad I| by weighted differences over 3 by 3 points
! Scheme:   correlation with fixed kernels; the corner points belong to both components, the centre to none.
module edge_filters
  implicit none
contains
  subroutine sobel(image, edges, w, h)
    integer, intent(in) :: w, h
    integer, intent(in) :: image(w, h)
    real, intent(inout) :: edges(w, h)
    real :: gx, gy
    integer :: x, y
    do y = 2, h - 1
      do x = 2, w - 1
        gx = image(x+1, y-1) + 2*image(x+1, y) + image(x+1, y+1) &
           - image(x-1, y-1) - 2*image(x-1, y) - image(x-1, y+1)
        gy = image(x-1, y+1) + 2*image(x, y+1) + image(x+1, y+1) &
           - image(x-1, y-1) - 2*image(x, y-1) - image(x+1, y-1)
        != stencil centered(depth=1, dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*centered(depth=1, dim=2) :: image
        edges(x, y) = sqrt(gx**2 + gy**2)
      end do
    end do
  end subroutine sobel

  subroutine prewitt_columns(image, edges, w, h)
    integer, intent(in) :: w, h
    integer, intent(in) :: image(w, h)
    real, intent(inout) :: edges(w, h)
    integer :: x, y
    do y = 2, h - 1
      do x = 2, w - 1
        ! One component only: the two outer columns.
        != stencil readOnce, centered(depth=1, dim=1, nonpointed)*centered(depth=1, dim=2) :: image
        edges(x, y) = (image(x+1, y-1) + image(x+1, y) + image(x+1, y+1) &
                    - image(x-1, y-1) - image(x-1, y) - image(x-1, y+1))/3.0
      end do
    end do
  end subroutine prewitt_columns

  subroutine laplacian8(image, edges, w, h)
    integer, intent(in) :: w, h
    integer, intent(in) :: image(w, h)
    real, intent(inout) :: edges(w, h)
    integer :: x, y, around
    do y = 2, h - 1
      do x = 2, w - 1
        around = image(x-1, y-1) + image(x, y-1) + image(x+1, y-1) &
               + image(x-1, y) + image(x+1, y) &
               + image(x-1, y+1) + image(x, y+1) + image(x+1, y+1)
        != stencil readOnce, centered(depth=1, dim=1)*centered(depth=1, dim=2) :: image
        edges(x, y) = around - 8*image(x, y)
      end do
    end do
  end subroutine laplacian8
end module edge_filters

program sobel_demo
  use edge_filters
  implicit none
  integer, parameter :: w = 80, h = 60
  integer :: image(w, h), x, y
  real :: edges(w, h)

  ! A bright disc on a dark ground.
  do y = 1, h
    do x = 1, w
      image(x, y) = 20
      if ((x - 40)**2 + (y - 30)**2 < 400) image(x, y) = 200
    end do
  end do
  edges = 0.0
  call sobel(image, edges, w, h)
  print '(a, f9.2)', 'Sobel at the rim:     ', edges(60, 30)
  call prewitt_columns(image, edges, w, h)
  print '(a, f9.2)', 'Prewitt at the rim:   ', edges(60, 30)
  call laplacian8(image, edges, w, h)
  print '(a, f9.2)', 'Laplacian at the rim: ', edges(60, 30)
end program sobel_demo
