! Products of matrices and vectors, each sum gathered in a scalar.
!
! Equation: c = a b, y = a x, a := a + x y^T, trace and Frobenius norm
! Scheme:   the inner loop over k is over when its sum is stored, so a factor's index k counts as absolute there: what is
!           left is the row of a and the column of b.
program matrix_product
  implicit none
  integer, parameter :: n = 30, m = 20, l = 25
  double precision :: a(n, l), b(l, m), c(n, m), ct(m, n)
  double precision :: x(n), y(m), z(n), square(n, n)
  double precision :: column_sum(l), row_sum(l)
  double precision :: s, trace, norm, total, expected
  integer :: i, j, k

  do k = 1, l
    do i = 1, n
      a(i, k) = 1d0/(i + k)
    end do
  end do
  do j = 1, m
    do k = 1, l
      b(k, j) = 1d0/(j + 2*k)
    end do
  end do

  do j = 1, m
    do i = 1, n
      s = 0d0
      do k = 1, l
        != access readOnce, pointed(dim=1)*pointed(dim=2) :: a, b
        s = s + a(i, k)*b(k, j)
      end do
      c(i, j) = s
    end do
  end do

  ! Check: the sum of all elements of c is the product of a's column sums and b's row sums.
  do k = 1, l
    s = 0d0
    do i = 1, n
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: a
      s = s + a(i, k)
    end do
    column_sum(k) = s
    s = 0d0
    do j = 1, m
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: b
      s = s + b(k, j)
    end do
    row_sum(k) = s
  end do
  expected = 0d0
  do k = 1, l
    != access readOnce, pointed(dim=1) :: column_sum, row_sum
    expected = expected + column_sum(k)*row_sum(k)
  end do
  total = 0d0
  norm = 0d0
  do j = 1, m
    do i = 1, n
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: c
      total = total + c(i, j)
      != access pointed(dim=1)*pointed(dim=2) :: c
      norm = norm + c(i, j)*c(i, j)
    end do
  end do
  print '(a, f14.8, f14.8)', 'sum of all elements, two ways: ', total, expected
  print '(a, f14.8)', 'Frobenius norm:                ', sqrt(norm)

  ! Matrix times vector; y has no index that lasts until the sum is stored, so nothing can be said of it.
  do j = 1, m
    y(j) = 1d0/j
  end do
  do i = 1, n
    s = 0d0
    do j = 1, m
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: c
      != access readOnce, pointed(dim=1) :: y
      s = s + c(i, j)*y(j)
    end do
    z(i) = s
  end do

  ! The same by columns: the result is built up in the array itself.
  do i = 1, n
    x(i) = 0d0
  end do
  do j = 1, m
    do i = 1, n
      != stencil readOnce, pointed(dim=1)*pointed(dim=2, free) :: c
      != stencil readOnce, pointed(dim=1) :: x
      != stencil readOnce, pointed(dim=1, free) :: y
      x(i) = x(i) + c(i, j)*y(j)
    end do
  end do
  norm = 0d0
  do i = 1, n
    != access readOnce, pointed(dim=1) :: x, z
    norm = max(norm, abs(x(i) - z(i)))
  end do
  print '(a, es10.3)', 'rows against columns:           ', norm

  ! Rank-one update and transposition.
  do j = 1, m
    do i = 1, n
      != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: c
      != stencil readOnce, pointed(dim=1) :: x
      != stencil readOnce, pointed(along=2, dim=1) :: y
      c(i, j) = c(i, j) + x(i)*y(j)
      != stencil readOnce, pointed(along=2, dim=1)*pointed(along=1, dim=2) :: c
      ct(j, i) = c(i, j)
    end do
  end do

  do j = 1, n
    do i = 1, n
      s = 0d0
      do k = 1, m
        != access readOnce, pointed(dim=1)*pointed(dim=2) :: c, ct
        s = s + c(i, k)*ct(k, j)
      end do
      square(i, j) = s
    end do
  end do
  trace = 0d0
  do i = 1, n
    != access readOnce, pointed(dim=1)*pointed(dim=2) :: square
    trace = trace + square(i, i)
  end do
  print '(a, es14.6)', 'trace of c c^T:                ', trace
end program matrix_product
