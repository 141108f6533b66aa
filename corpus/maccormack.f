C     Shock tube: the Euler equations of gas dynamics by MacCormack's
C     scheme.
C
C     Equation: d(RHO, M, EN)/dt + dF/dx = 0, ideal gas, gamma = 1.4
C     Scheme:   predictor with forward, corrector with backward
C               differences; artificial viscosity of second order.
      PROGRAM MACCOR
      INTEGER N, NT
      PARAMETER (N = 120, NT = 100)
      DOUBLE PRECISION RHO(N), RM(N), EN(N), P(N)
      DOUBLE PRECISION RHOP(N), RMP(N), ENP(N), PP(N)
      DOUBLE PRECISION SR(N), SM(N), SE(N)
      DOUBLE PRECISION G1, C, VIS, U, UR, TOTAL
      INTEGER I, K
      G1 = 0.4D0
      C = 0.25D0
      VIS = 0.08D0
      DO 10 I = 1, N
         RHO(I) = 1.0D0
         P(I) = 1.0D0
         IF (I .GT. N/2) RHO(I) = 0.125D0
         IF (I .GT. N/2) P(I) = 0.1D0
         RM(I) = 0.0D0
c= stencil readOnce, pointed(dim=1) :: P
         EN(I) = P(I)/G1
         RHOP(I) = RHO(1)
         RMP(I) = 0.0D0
         ENP(I) = EN(1)
   10 CONTINUE
      DO 100 K = 1, NT
C        Pressure.
         DO 20 I = 1, N
            U = RM(I)/RHO(I)
c= stencil readOnce, pointed(dim=1) :: EN, RHO
c= stencil pointed(dim=1) :: RM
            P(I) = G1*(EN(I) - 0.5D0*RM(I)*U)
   20    CONTINUE
C        Predictor.
         DO 30 I = 1, N - 1
            U = RM(I)/RHO(I)
            UR = RM(I+1)/RHO(I+1)
c= stencil readOnce, pointed(dim=1) :: RHO
c= stencil readOnce, forward(depth=1, dim=1) :: RM
            RHOP(I) = RHO(I) - C*(RM(I+1) - RM(I))
c= stencil readOnce, forward(depth=1, dim=1) :: P, RHO
c= stencil forward(depth=1, dim=1) :: RM
            RMP(I) = RM(I) - C*(RM(I+1)*UR + P(I+1) - RM(I)*U - P(I))
c= stencil forward(depth=1, dim=1) :: EN
c= stencil readOnce, forward(depth=1, dim=1) :: P, RHO, RM
            ENP(I) = EN(I) - C*((EN(I+1) + P(I+1))*UR
     1                        - (EN(I) + P(I))*U)
   30    CONTINUE
C        The last cell keeps the state of the quiet gas.
         RHOP(N) = RHO(N)
         RMP(N) = RM(N)
         ENP(N) = EN(N)
         DO 40 I = 1, N
c= stencil readOnce, pointed(dim=1) :: ENP, RHOP, RMP
            PP(I) = G1*(ENP(I) - 0.5D0*RMP(I)**2/RHOP(I))
   40    CONTINUE
C        Smoothing terms of the old state.
         DO 50 I = 2, N - 1
c= stencil readOnce, centered(depth=1, dim=1) :: RHO
            SR(I) = VIS*(RHO(I+1) - 2.0D0*RHO(I) + RHO(I-1))
c= stencil readOnce, centered(depth=1, dim=1) :: RM
            SM(I) = VIS*(RM(I+1) - 2.0D0*RM(I) + RM(I-1))
c= stencil readOnce, centered(depth=1, dim=1) :: EN
            SE(I) = VIS*(EN(I+1) - 2.0D0*EN(I) + EN(I-1))
   50    CONTINUE
C        Corrector.
         DO 60 I = 2, N - 1
            U = RMP(I)/RHOP(I)
            UR = RMP(I-1)/RHOP(I-1)
c= stencil readOnce, pointed(dim=1) :: RHO, RHOP, SR
c= stencil readOnce, backward(depth=1, dim=1) :: RMP
            RHO(I) = 0.5D0*(RHO(I) + RHOP(I)
     1             - C*(RMP(I) - RMP(I-1))) + SR(I)
c= stencil readOnce, backward(depth=1, dim=1) :: PP, RHOP
c= stencil readOnce, pointed(dim=1) :: RM, SM
c= stencil backward(depth=1, dim=1) :: RMP
            RM(I) = 0.5D0*(RM(I) + RMP(I) - C*(RMP(I)*U + PP(I)
     1            - RMP(I-1)*UR - PP(I-1))) + SM(I)
c= stencil readOnce, pointed(dim=1) :: EN, SE
c= stencil backward(depth=1, dim=1) :: ENP
c= stencil readOnce, backward(depth=1, dim=1) :: PP, RHOP, RMP
            EN(I) = 0.5D0*(EN(I) + ENP(I) - C*((ENP(I) + PP(I))*U
     1            - (ENP(I-1) + PP(I-1))*UR)) + SE(I)
   60    CONTINUE
  100 CONTINUE
      TOTAL = 0.0D0
      DO 110 I = 1, N
c= access readOnce, pointed(dim=1) :: EN
         TOTAL = TOTAL + EN(I)
  110 CONTINUE
      WRITE (*,'(A,3F10.5)') ' DENSITY:      ', RHO(20), RHO(70),
     1                         RHO(90)
      WRITE (*,'(A,F10.5)')  ' TOTAL ENERGY: ', TOTAL
      END
