c     Heat in a plate by alternating directions (Peaceman, Rachford).
c
c     Equation: dT/dt = d2T/dx2 + d2T/dy2, T = 0 on the rim
c     Scheme:   half a step implicit in x and explicit in y, then the
c               other way round; every line is one tridiagonal system
c               with constant coefficients.
      program adi
      integer n
      parameter (n = 32)
      double precision t(0:n,0:n), half(0:n,0:n)
      double precision cp(n), dp(n,n), rhs, pi, lam, h, dt, err, decay
      integer i, j, k
      pi = 3.14159265358979d0
      h = 1.0d0/n
      dt = 1.0d-3
      lam = 0.5d0*dt/h**2
      do 10 j = 0, n
      do 10 i = 0, n
         t(i,j) = sin(pi*i*h)*sin(pi*j*h)
         half(i,j) = 0.0d0
   10 continue
c     The eliminated upper diagonal is the same for all lines.
      cp(1) = -lam/(1.0d0 + 2.0d0*lam)
      do 20 i = 2, n - 1
c= stencil readOnce, backward(depth=1, dim=1, nonpointed) :: cp
         cp(i) = -lam/(1.0d0 + 2.0d0*lam + lam*cp(i-1))
   20 continue
      do 100 k = 1, 50
c        Lines along x.
         do 40 j = 1, n - 1
            do 30 i = 1, n - 1
               rhs = lam*t(i,j-1) + (1.0d0 - 2.0d0*lam)*t(i,j)
     &             + lam*t(i,j+1)
               if (i .eq. 1) then
c= stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) :: t
                  dp(i,j) = rhs/(1.0d0 + 2.0d0*lam)
               else
c= stencil readOnce, backward(depth=1, dim=1, nonpointed) :: cp
c= stencil readOnce, backward(depth=1, dim=1, nonpointed)*pointed(dim=2) :: dp
c= stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) :: t
                  dp(i,j) = (rhs + lam*dp(i-1,j))
     &                    /(1.0d0 + 2.0d0*lam + lam*cp(i-1))
               end if
   30       continue
c= stencil readOnce, pointed(dim=2) :: dp
            half(n-1,j) = dp(n-1,j)
            do 35 i = n - 2, 1, -1
c= stencil readOnce, pointed(dim=1) :: cp
c= stencil readOnce, pointed(dim=1)*pointed(dim=2) :: dp
c= stencil readOnce, forward(depth=1, dim=1, nonpointed)*pointed(dim=2) :: half
               half(i,j) = dp(i,j) - cp(i)*half(i+1,j)
   35       continue
   40    continue
c        Lines along y: the inner loop runs over the second index.
         do 60 i = 1, n - 1
            do 50 j = 1, n - 1
               rhs = lam*half(i-1,j) + (1.0d0 - 2.0d0*lam)*half(i,j)
     &             + lam*half(i+1,j)
               if (j .eq. 1) then
c= stencil readOnce, centered(depth=1, dim=1)*pointed(dim=2) :: half
                  dp(i,j) = rhs/(1.0d0 + 2.0d0*lam)
               else
c= stencil readOnce, backward(along=2, depth=1, dim=1, nonpointed) :: cp
c= stencil readOnce, pointed(dim=1)*backward(depth=1, dim=2, nonpointed) :: dp
c= stencil readOnce, centered(depth=1, dim=1)*pointed(dim=2) :: half
                  dp(i,j) = (rhs + lam*dp(i,j-1))
     &                    /(1.0d0 + 2.0d0*lam + lam*cp(j-1))
               end if
   50       continue
c= stencil readOnce, pointed(dim=1) :: dp
            t(i,n-1) = dp(i,n-1)
            do 55 j = n - 2, 1, -1
c= stencil readOnce, pointed(along=2, dim=1) :: cp
c= stencil readOnce, pointed(dim=1)*pointed(dim=2) :: dp
c= stencil readOnce, pointed(dim=1)*forward(depth=1, dim=2, nonpointed) :: t
               t(i,j) = dp(i,j) - cp(j)*t(i,j+1)
   55       continue
   60    continue
  100 continue
      decay = exp(-2.0d0*pi**2*50*dt)
      err = 0.0d0
      do 110 j = 1, n - 1
      do 110 i = 1, n - 1
c= access readOnce, pointed(dim=1)*pointed(dim=2) :: t
         err = max(err, abs(t(i,j) - decay*sin(pi*i*h)*sin(pi*j*h)))
  110 continue
      write (*,'(a,f10.6)')  ' centre: ', t(n/2,n/2)
      write (*,'(a,e10.3)')  ' error:  ', err
      end
