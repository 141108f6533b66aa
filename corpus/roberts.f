C     Edges of an image: Roberts' cross and the Kirsch north operator.
C
C     Equation: G = |I(i,j) - I(i+1,j+1)| + |I(i+1,j) - I(i,j+1)|
C     Scheme:   differences along both diagonals of a 2 by 2 square; a
C               median of three afterwards; the result is thinned.
      PROGRAM ROBRTS
      INTEGER W, H
      PARAMETER (W = 40, H = 30)
      INTEGER IMG(W,H), EDGE(W,H), NORTH(W,H), THIN(W,H)
      INTEGER I, J, D1, D2, NUM, UP, MID, LO, HI
      DO 10 J = 1, H
      DO 10 I = 1, W
         IMG(I,J) = 10
         EDGE(I,J) = 0
         NORTH(I,J) = 0
         THIN(I,J) = 0
C        A bright square turned by 45 degrees.
         IF (IABS(I-20) + IABS(J-15) .LE. 8) IMG(I,J) = 90
   10 CONTINUE
      DO 20 J = 1, H - 1
      DO 20 I = 1, W - 1
C        Each diagonal is read into a scalar; all four points of the
C        square together.
         D1 = IMG(I,J) - IMG(I+1,J+1)
         D2 = IMG(I+1,J) - IMG(I,J+1)
c= stencil readOnce, forward(depth=1, dim=1)*forward(depth=1, dim=2) :: IMG
         EDGE(I,J) = IABS(D1) + IABS(D2)
   20 CONTINUE
      DO 30 J = 2, H - 1
      DO 30 I = 2, W - 1
C        Kirsch: the row above against the five other neighbours.
         UP = IMG(I-1,J-1) + IMG(I,J-1) + IMG(I+1,J-1)
         MID = IMG(I-1,J) + IMG(I+1,J)
         LO = IMG(I-1,J+1) + IMG(I,J+1) + IMG(I+1,J+1)
c= stencil readOnce, centered(depth=1, dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*centered(depth=1, dim=2) :: IMG
         NORTH(I,J) = 5*UP - 3*(MID + LO)
   30 CONTINUE
C     Along one diagonal only: two points.
      DO 40 J = 1, H - 1
      DO 40 I = 1, W - 1
c= stencil readOnce, pointed(dim=1)*pointed(dim=2) + forward(depth=1, dim=1, nonpointed)*forward(depth=1, dim=2, nonpointed) :: IMG
   40 THIN(I,J) = IABS(IMG(I,J) - IMG(I+1,J+1))
C     The middle one of three edge values in a row.
      DO 50 J = 1, H
      DO 50 I = 2, W - 1
         LO = MIN0(EDGE(I-1,J), EDGE(I,J))
         HI = MAX0(EDGE(I-1,J), EDGE(I,J))
c= stencil centered(depth=1, dim=1)*pointed(dim=2) :: EDGE
         THIN(I,J) = MAX0(LO, MIN0(HI, EDGE(I+1,J)))
   50 CONTINUE
      NUM = 0
      DO 60 J = 1, H
      DO 60 I = 1, W
C        Counting depends on the data by control alone.
         IF (EDGE(I,J) .GT. 50) NUM = NUM + 1
   60 CONTINUE
      WRITE (*,'(A,I5)')  ' EDGE POINTS:        ', NUM
      WRITE (*,'(A,2I6)') ' RIM, BOTH FILTERS:  ', EDGE(24,11),
     1                                             NORTH(20,7)
      WRITE (*,'(A,I6)')  ' AFTER THE MEDIAN:   ', THIN(24,11)
      END
