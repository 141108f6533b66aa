c     Tridiagonal systems: the Thomas algorithm and cyclic reduction.
c
c     Equation: a(i) x(i-1) + b(i) x(i) + c(i) x(i+1) = d(i)
c     Scheme:   forward elimination and back substitution; then a check
c               by the residual. One reduction step of the odd-even kind
c               reads at i-1, i and i+1 as well.
      program thomas
      integer n
      parameter (n = 50)
      real*8 a(n), b(n), c(n), d(n), x(n), cp(n), dp(n)
      real*8 denom, worst, alpha, gamma, ar(n), br(n), cr(n), dr(n)
      integer i
      do 10 i = 1, n
         a(i) = -1.0d0
         b(i) = 2.5d0 + 0.01d0*i
         c(i) = -1.0d0
         d(i) = sin(0.2d0*i)
   10 continue
c     Elimination. Both results share the denominator.
      cp(1) = c(1)/b(1)
      dp(1) = d(1)/b(1)
      do 20 i = 2, n
         denom = b(i) - a(i)*cp(i-1)
c= stencil readOnce, pointed(dim=1) :: a, b, c
c= stencil readOnce, backward(depth=1, dim=1, nonpointed) :: cp
         cp(i) = c(i)/denom
c= stencil pointed(dim=1) :: a
c= stencil readOnce, pointed(dim=1) :: b, d
c= stencil readOnce, backward(depth=1, dim=1, nonpointed) :: cp, dp
         dp(i) = (d(i) - a(i)*dp(i-1))/denom
   20 continue
c     Back substitution.
      x(n) = dp(n)
      do 30 i = n - 1, 1, -1
c= stencil readOnce, pointed(dim=1) :: cp, dp
c= stencil readOnce, forward(depth=1, dim=1, nonpointed) :: x
         x(i) = dp(i) - cp(i)*x(i+1)
   30 continue
c     Residual.
      worst = 0.0d0
      do 40 i = 2, n - 1
c= access readOnce, pointed(dim=1) :: a, b, c, d
c= access readOnce, centered(depth=1, dim=1) :: x
         worst = max(worst, abs(a(i)*x(i-1) + b(i)*x(i) + c(i)*x(i+1)
     &         - d(i)))
   40 continue
      write (*,'(a,3f12.7)') ' solution: ', x(1), x(n/2), x(n)
      write (*,'(a,e10.3)')  ' residual: ', worst
c     One step of odd-even reduction: equation i without its
c     neighbours x(i-1) and x(i+1).
      do 50 i = 3, n - 2
         alpha = -a(i)/b(i-1)
         gamma = -c(i)/b(i+1)
c= stencil readOnce, backward(depth=1, dim=1) :: a
c= stencil readOnce, backward(depth=1, dim=1, nonpointed) :: b
         ar(i) = alpha*a(i-1)
c= stencil readOnce, forward(depth=1, dim=1) :: a
c= stencil readOnce, centered(depth=1, dim=1) :: b
c= stencil readOnce, backward(depth=1, dim=1) :: c
         br(i) = b(i) + alpha*c(i-1) + gamma*a(i+1)
c= stencil readOnce, forward(depth=1, dim=1, nonpointed) :: b
c= stencil readOnce, forward(depth=1, dim=1) :: c
         cr(i) = gamma*c(i+1)
c= stencil readOnce, pointed(dim=1) :: a, c
c= stencil readOnce, centered(depth=1, dim=1, nonpointed) :: b
c= stencil readOnce, centered(depth=1, dim=1) :: d
         dr(i) = d(i) + alpha*d(i-1) + gamma*d(i+1)
   50 continue
c     What remains couples every second unknown: a gap on both sides of
c     the origin, so two bounds stand for the exact set.
      worst = 0.0d0
      do 60 i = 3, n - 2
c= access readOnce, pointed(dim=1) :: ar, br, cr, dr
c= access readOnce, pointed(dim=1) + shifted(by=-2, dim=1) + shifted(by=2, dim=1) :: x
         worst = max(worst, abs(ar(i)*x(i-2) + br(i)*x(i)
     &         + cr(i)*x(i+2) - dr(i)))
   60 continue
      write (*,'(a,e10.3)')  ' reduced:  ', worst
      end
