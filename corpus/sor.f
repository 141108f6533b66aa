C     Successive over-relaxation for the stream function in a duct.
C
C     Equation: d2P/dx2 + d2P/dy2 = -W
C     Scheme:   five-point differences, unequal spacing in x and y;
C               the sweep is repeated by a GO TO until it settles.
      PROGRAM SOR
      INTEGER NX, NY, MAXIT
      PARAMETER (NX = 41, NY = 25, MAXIT = 2000)
      REAL P(NX,NY), W(NX,NY)
      REAL OMEGA, BX, BY, DIAG, OLD, DIFF, TOL, FLUX
      INTEGER I, J, IT
      OMEGA = 1.7
      TOL = 1.0E-5
      BX = 1.0
      BY = 0.25
      DIAG = 2.0*(BX + BY)
      DO 10 J = 1, NY
         DO 10 I = 1, NX
            P(I,J) = 0.0
            W(I,J) = 0.01
   10 CONTINUE
      IT = 0
C     One sweep.
  100 IT = IT + 1
      DIFF = 0.0
      DO 30 J = 2, NY - 1
         DO 20 I = 2, NX - 1
            OLD = BX*(P(I-1,J) + P(I+1,J))
     1          + BY*(P(I,J-1) + P(I,J+1))
c= stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: P
c= stencil readOnce, pointed(dim=1)*pointed(dim=2) :: W
            P(I,J) = (1.0 - OMEGA)*P(I,J) + OMEGA*(OLD + W(I,J))/DIAG
   20    CONTINUE
   30 CONTINUE
C     The residual of the finished sweep.
      DO 40 J = 2, NY - 1
      DO 40 I = 2, NX - 1
c= access readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: P
c= access readOnce, pointed(dim=1)*pointed(dim=2) :: W
   40 DIFF = AMAX1(DIFF, ABS(BX*(P(I-1,J) + P(I+1,J))
     1     + BY*(P(I,J-1) + P(I,J+1)) + W(I,J) - DIAG*P(I,J)))
      IF (DIFF .GT. TOL .AND. IT .LT. MAXIT) GO TO 100
      FLUX = 0.0
      DO 50 J = 2, NY
c= access readOnce, backward(depth=1, dim=2) :: P
         FLUX = FLUX + ABS(P(21,J) - P(21,J-1))
   50 CONTINUE
      WRITE (*,900) IT, DIFF, P(21,13), FLUX
  900 FORMAT (' SWEEPS', I6, '  RESIDUAL', E11.3, '  CENTRE', F9.4,
     1        '  FLUX', F9.4)
      END
