C     Smoke in a channel: advection with a wind that changes its sign.
C
C     Equation: dQ/dt + U(X) dQ/dX = S
C     Scheme:   first-order upwind differences, chosen by branches,
C               by an arithmetic IF and by positive and negative parts.
      PROGRAM UPWIND
      PARAMETER (N = 100, NT = 120)
      DIMENSION Q(0:N+1), QN(0:N+1), U(0:N+1), S(0:N+1)
      DATA DTDX /0.5/
      DO 10 I = 0, N + 1
         Q(I) = 0.0
         QN(I) = 0.0
         S(I) = 0.0
         U(I) = COS(0.04*I)
         IF (I .GE. 20 .AND. I .LE. 24) S(I) = 0.1
   10 CONTINUE
      DO 100 K = 1, NT
C        Block IF.
         DO 20 I = 1, N
            IF (U(I) .GE. 0.0) THEN
               DQ = Q(I) - Q(I-1)
            ELSE
               DQ = Q(I+1) - Q(I)
            END IF
c= stencil centered(depth=1, dim=1) :: Q
c= stencil readOnce, pointed(dim=1) :: S, U
            QN(I) = Q(I) - DTDX*U(I)*DQ + S(I)
   20    CONTINUE
C        The same as a formula; both neighbours are always read.
         DO 30 I = 1, N
            UP = 0.5*(U(I) + ABS(U(I)))
            UM = 0.5*(U(I) - ABS(U(I)))
c= stencil centered(depth=1, dim=1) :: QN
c= stencil pointed(dim=1) :: U
            Q(I) = QN(I) - DTDX*(UP*(QN(I) - QN(I-1))
     +                         + UM*(QN(I+1) - QN(I)))
   30    CONTINUE
C        The same once more with an arithmetic IF, on half the step.
         DO 80 I = 1, N
            IF (U(I)) 40, 50, 60
   40       DQ = Q(I+1) - Q(I)
            GO TO 70
   50       DQ = 0.0
            GO TO 70
   60       DQ = Q(I) - Q(I-1)
   70       CONTINUE
c= stencil centered(depth=1, dim=1) :: Q
c= stencil readOnce, pointed(dim=1) :: U
            QN(I) = Q(I) - 0.5*DTDX*U(I)*DQ
   80    CONTINUE
         DO 90 I = 1, N
c= stencil readOnce, pointed(dim=1) :: QN
   90    Q(I) = QN(I)
  100 CONTINUE
      TOP = 0.0
      DO 110 I = 1, N
c= access readOnce, pointed(dim=1) :: Q
         TOP = AMAX1(TOP, Q(I))
  110 CONTINUE
      WRITE (*,'(A,F10.5)') ' HIGHEST CONCENTRATION ', TOP
      WRITE (*,'(A,F10.5)') ' WHERE THE WIND TURNS  ', Q(39)
      END
