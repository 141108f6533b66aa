c     Reductions over vectors and fields: norms, products, moments.
c
c     Equation: ||x||_1, ||x||_2, ||x||_inf, (x, y), mean and variance,
c               total variation, weighted sums
c     Scheme:   one loop per sum. A sum has no place in a grid, so each
c               specification is an access.
      program norms
      integer n, m
      parameter (n = 60, m = 40)
      double precision x(n), y(n), w(n), a(n,m), rowmax(n), hist(3)
      double precision s1, s2, sinf, dot, mean, var, tv, q, amax
      integer i, j
      do 10 i = 1, n
         x(i) = sin(0.3d0*i)
         y(i) = cos(0.1d0*i)
         w(i) = 1.0d0
   10 continue
      w(1) = 0.5d0
      w(n) = 0.5d0
      do 20 j = 1, m
         do 20 i = 1, n
c= stencil readOnce, pointed(dim=1) :: x
c= stencil readOnce, pointed(along=2, dim=1) :: y
   20       a(i,j) = x(i)*y(j)
      s1 = 0.0d0
      s2 = 0.0d0
      sinf = 0.0d0
      dot = 0.0d0
      do 30 i = 1, n
c= access readOnce, pointed(dim=1) :: x
         s1 = s1 + abs(x(i))
c= access pointed(dim=1) :: x
         s2 = s2 + x(i)*x(i)
c= access readOnce, pointed(dim=1) :: x
         if (abs(x(i)) .gt. sinf) sinf = abs(x(i))
c= access readOnce, pointed(dim=1) :: x, y
         dot = dot + x(i)*y(i)
   30 continue
      write (*,'(a,3f12.6)') ' norms of x:       ', s1, sqrt(s2), sinf
      write (*,'(a,f12.6)')  ' inner product:    ', dot
c     Mean first, then the variance around it.
      mean = 0.0d0
      do 40 i = 1, n
c= access readOnce, pointed(dim=1) :: y
         mean = mean + y(i)/n
   40 continue
      write (*,'(a,f12.6)')  ' mean of y:        ', mean
      var = 0.0d0
      do 50 i = 1, n
c= access pointed(dim=1) :: y
         var = var + y(i)**2/n - y(i)/n
   50 continue
      write (*,'(a,f12.6)')  ' mean of y(y-1):   ', var
c     Differences between neighbours and Simpson's rule by panels.
      tv = 0.0d0
      q = 0.0d0
      do 60 i = 2, n - 1
c= access readOnce, forward(depth=1, dim=1) :: x
         tv = tv + abs(x(i+1) - x(i))
c= access readOnce, centered(depth=1, dim=1) :: y
         q = q + (y(i-1) + 4.0d0*y(i) + y(i+1))/6.0d0
   60 continue
      write (*,'(a,f12.6)')  ' variation of x:   ', tv
      write (*,'(a,f12.6)')  ' integral of y:    ', q
c     Sums over a field with weights along one axis.
      q = 0.0d0
      amax = 0.0d0
      do 80 j = 1, m
         do 70 i = 1, n
c= access readOnce, pointed(dim=1)*pointed(dim=2) :: a
c= access readOnce, pointed(dim=1) :: w
            q = q + w(i)*a(i,j)
c= access readOnce, pointed(dim=1)*pointed(dim=2) :: a
            amax = max(amax, abs(a(i,j)))
   70    continue
   80 continue
      write (*,'(a,2f12.6)') ' field:            ', q, amax
c     A fixed element of an array takes the part of the scalar.
      do 90 i = 1, 3
         hist(i) = 0.0d0
   90 continue
      do 100 j = 1, m
c= access readOnce, pointed(dim=2) :: a
         hist(1) = hist(1) + a(1,j)
c= access readOnce, backward(depth=1, dim=2) :: a
         if (j .gt. 1) hist(2) = hist(2) + abs(a(n,j) - a(n,j-1))
  100 continue
c     Largest element of every row: the row's index is left, the
c     column's is over.
      do 120 i = 1, n
         amax = 0.0d0
         do 110 j = 1, m
c= access readOnce, pointed(dim=1)*pointed(dim=2) :: a
            amax = max(amax, a(i,j))
  110    continue
         rowmax(i) = amax
  120 continue
      write (*,'(a,3f12.6)') ' rows:             ', hist(1), hist(2),
     &                       rowmax(n/2)
      end
