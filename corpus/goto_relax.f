C     FORTRAN 66 manners: relaxation of a potential around a conductor,
C     all control by labels, GO TO and arithmetic or logical IF.
C
C     Equation: d2V/dx2 + d2V/dy2 = 0 outside the conductor, V = 1 on it
C     Scheme:   point relaxation over the free points only; the loops
C               over the field are labelled DO loops.
      PROGRAM RELAX
      DIMENSION V(30,30), E(30,30), FIXED(30,30)
      N = 30
      N1 = N - 1
      KOUNT = 0
      DO 1 J = 1, N
      DO 1 I = 1, N
      V(I,J) = 0.
      E(I,J) = 0.
      FIXED(I,J) = 0.
    1 CONTINUE
      DO 2 J = 12, 18
      DO 2 I = 10, 20
      V(I,J) = 1.
    2 FIXED(I,J) = 1.
C     ---- one sweep; fixed points are jumped over
    3 KOUNT = KOUNT + 1
      CHANGE = 0.
      DO 5 J = 2, N1
      DO 5 I = 2, N1
      IF (FIXED(I,J) .NE. 0.) GO TO 5
      V1 = .25*(V(I+1,J) + V(I-1,J) + V(I,J+1) + V(I,J-1))
c= access readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: V
      CHANGE = AMAX1(CHANGE, ABS(V1 - V(I,J)))
c= stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: V
      V(I,J) = V1
    5 CONTINUE
      IF (CHANGE .LT. 1.E-4) GO TO 6
      IF (KOUNT - 1000) 3, 6, 6
C     ---- field strength by central differences
    6 DO 7 J = 2, N1
      DO 7 I = 2, N1
      EX = .5*(V(I-1,J) - V(I+1,J))
      EY = .5*(V(I,J-1) - V(I,J+1))
c= stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*pointed(dim=2) :: V
    7 E(I,J) = SQRT(EX*EX + EY*EY)
C     ---- charge on the conductor: the flux through a box around it
      CHX = 0.
      CHY = 0.
      DO 8 I = 9, 21
c= access readOnce, pointed(dim=1) :: V
    8 CHX = CHX + V(I,11) - V(I,10) + V(I,19) - V(I,20)
      DO 9 J = 11, 19
c= access readOnce, pointed(dim=2) :: V
    9 CHY = CHY + V(9,J) - V(8,J) + V(21,J) - V(22,J)
C     ---- a profile along the middle column, up to where V falls off
      J = 18
   10 J = J + 1
      IF (J .GT. N1) GO TO 11
      IF (V(15,J) .GT. .1) GO TO 10
   11 WRITE (*,12) KOUNT, CHX + CHY, E(15,19), J
   12 FORMAT (7H SWEEPS, I5, 8H  CHARGE, F9.4, 7H  FIELD, F8.4,
     1 9H  FALLOFF, I4)
      STOP
      END
