c     A cooling bar with a convecting end.
c
c     Equation: dT/dt = alpha d2T/dx2; -k dT/dx = h (T - Tair) at x = L
c     Scheme:   forward in time, centred in space, the time loop in the
c               main program, one step in a subroutine.
      program heat1d
      integer n, nstep
      parameter (n = 51, nstep = 800)
      double precision t(n), tnew(n), x(n), r, biot, tair, heat, dx
      integer i, k
      r = 0.4d0
      biot = 0.05d0
      tair = 10.0d0
      dx = 0.02d0
      do 10 i = 1, n
         x(i) = (i - 1)*dx
   10 continue
      do 20 i = 1, n
c= stencil readOnce, pointed(dim=1) :: x
         t(i) = 100.0d0 - 20.0d0*x(i)
   20 continue
      do 30 k = 1, nstep
         call step(t, tnew, n, r, biot, tair)
         call step(tnew, t, n, r, biot, tair)
   30 continue
c     Heat content by the trapezoid rule on the given places.
      heat = 0.0d0
      do 40 i = 2, n
c= access readOnce, backward(depth=1, dim=1) :: t, x
         heat = heat + 0.5d0*(x(i) - x(i-1))*(t(i) + t(i-1))
   40 continue
      write (*,'(a,3f10.4)') ' ends and middle: ', t(1), t((n+1)/2),
     &                       t(n)
      write (*,'(a,f10.4)')  ' heat content:    ', heat
      end

      subroutine step(t, tnew, n, r, biot, tair)
      integer n, i
      double precision t(n), tnew(n), r, biot, tair
      do 10 i = 2, n - 1
c= stencil centered(depth=1, dim=1) :: t
         tnew(i) = t(i) + r*(t(i+1) - 2.0d0*t(i) + t(i-1))
   10 continue
c     The left end is insulated, the right end gives heat to the air.
      tnew(1) = t(1) + 2.0d0*r*(t(2) - t(1))
      tnew(n) = t(n) + 2.0d0*r*(t(n-1) - t(n) - biot*(t(n) - tair))
      return
      end
