c     A light pulse runs into glass: Maxwell's equations in one
c     dimension.
c
c     Equation: dE/dt = -1/eps dH/dx - sig E, dH/dt = -dE/dx
c     Scheme:   Yee's leapfrog on a staggered grid with losses; the ends
c               absorb (Mur's condition of first order).
      program yee1d
      integer n, nstep, i, k
      parameter (n = 200, nstep = 250)
      real e(0:n), h(0:n), ca(0:n), cb(0:n), cn
      real eleft, eright, energy, loss
      parameter (cn = 0.5)
      do 10 i = 0, n
         e(i) = 0.0
         h(i) = 0.0
         loss = 0.0
         if (i .ge. 150) loss = 0.01
         ca(i) = (1.0 - loss)/(1.0 + loss)
         cb(i) = cn/(1.0 + loss)
         if (i .ge. 120) cb(i) = cn/4.0/(1.0 + loss)
   10 continue
      do 100 k = 1, nstep
c        What leaves is remembered from before the step: no loop index.
         eleft = e(1)
         eright = e(n-1)
         do 20 i = 1, n - 1
c= stencil readOnce, pointed(dim=1) :: ca, cb, e
c= stencil readOnce, backward(depth=1, dim=1) :: h
            e(i) = ca(i)*e(i) - cb(i)*(h(i) - h(i-1))
   20    continue
         e(0) = eleft - (e(1) - e(0))/3.0
         e(n) = eright - 0.6*(e(n-1) - e(n))
         e(40) = e(40) + exp(-((k - 40.0)/12.0)**2)
         do 30 i = 0, n - 1
c= stencil readOnce, forward(depth=1, dim=1) :: e
c= stencil readOnce, pointed(dim=1) :: h
            h(i) = h(i) - cn*(e(i+1) - e(i))
   30    continue
  100 continue
      energy = 0.0
      do 110 i = 1, n - 1
c        H is taken to the place of E.
c= access readOnce, pointed(dim=1) :: e
c= access readOnce, backward(depth=1, dim=1) :: h
         energy = energy + 0.5*e(i)**2 + 0.5*(0.5*(h(i) + h(i-1)))**2
  110 continue
      write (*,'(a,f10.5)')  ' energy:                ', energy
      write (*,'(a,2f10.5)') ' in air and in the glass:', e(60), e(130)
      end
