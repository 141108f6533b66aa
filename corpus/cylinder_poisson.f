c     Potential in a cylinder with rotational symmetry.
c
c     Equation: 1/r d/dr(r dV/dr) + d2V/dz2 = -rho
c     Scheme:   five-point differences in (r, z), the radius at the
c               half places rm and rp; on the axis the limit 4 (V2-V1).
      program cylpoi
      integer nr, nz
      parameter (nr = 25, nz = 40)
      real v(nr,nz), rho(nr,nz), r(nr), er(nr,nz), ez(nr,nz)
      real h, rm, rp, ri, diff, vnew, charge
      integer i, k, it
      h = 0.1
      do 10 i = 1, nr
         r(i) = (i - 1)*h
   10 continue
      do 20 k = 1, nz
         do 20 i = 1, nr
            v(i,k) = 0.0
            rho(i,k) = 0.0
            er(i,k) = 0.0
            ez(i,k) = 0.0
            if (i .le. 5 .and. iabs(k - 20) .le. 4) rho(i,k) = 1.0
   20 continue
      do 60 it = 1, 1500
         diff = 0.0
c        The axis: no left neighbour.
         do 30 k = 2, nz - 1
c= stencil readOnce, pointed(dim=2) :: rho
c= stencil readOnce, centered(depth=1, dim=2) :: v
            v(1,k) = (4.0*v(2,k) + v(1,k-1) + v(1,k+1)
     &             + h*h*rho(1,k))/6.0
   30    continue
         do 50 k = 2, nz - 1
            do 40 i = 2, nr - 1
               ri = r(i)
               rm = 0.5*(ri + r(i-1))
               rp = 0.5*(ri + r(i+1))
               vnew = rm/ri*v(i-1,k) + rp/ri*v(i+1,k)
     &              + v(i,k-1) + v(i,k+1) + h*h*rho(i,k)
c= access readOnce, centered(depth=1, dim=1) :: r
c= access readOnce, pointed(dim=1)*pointed(dim=2) :: rho
c= access readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: v
               diff = max(diff, abs(0.25*vnew - v(i,k)))
c= stencil readOnce, centered(depth=1, dim=1) :: r
c= stencil readOnce, pointed(dim=1)*pointed(dim=2) :: rho
c= stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: v
               v(i,k) = 0.25*vnew
   40       continue
   50    continue
         if (diff .lt. 1.0e-6) goto 70
   60 continue
   70 continue
c     Field and the charge within: an integral with the weight r.
      charge = 0.0
      do 90 k = 2, nz - 1
         do 80 i = 2, nr - 1
c= stencil readOnce, centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: v
            er(i,k) = (v(i-1,k) - v(i+1,k))/(2.0*h)
c= stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) :: v
            ez(i,k) = (v(i,k-1) - v(i,k+1))/(2.0*h)
c= access readOnce, pointed(dim=1) :: r
c= access readOnce, pointed(dim=1)*pointed(dim=2) :: rho
            charge = charge + 6.2831853*r(i)*rho(i,k)*h*h
   80    continue
   90 continue
      write (*,'(a,i6,a,e10.3)') ' sweeps', it, '  last change', diff
      write (*,'(a,2f10.5)')     ' on the axis, half way:', v(1,20),
     &                           v(12,20)
      write (*,'(a,2f10.5)')     ' field:                ',
     &                           er(8,20), ez(2,27)
      write (*,'(a,f10.5)')      ' charge:               ', charge
      end
