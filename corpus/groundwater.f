C     Steady and unsteady flow of ground water below a field with wells.
C     All arrays are in COMMON; types are implicit.
C
C     Equation: S dH/dt = d/dx(T dH/dx) + d/dy(T dH/dy) - Q
C     Scheme:   five-point differences with harmonic means of the
C               transmissivity T between neighbouring cells, explicit.
      PROGRAM GROUND
      PARAMETER (NX = 36, NY = 28)
      COMMON /HEADS/ H(NX,NY), HN(NX,NY)
      COMMON /SOIL/ T(NX,NY), S(NX,NY), Q(NX,NY)
      COMMON /FACES/ TX(NX,NY), TY(NX,NY)
      CALL SETUP
      CALL FACE
      DO 10 K = 1, 400
         CALL STEP(0.1)
   10 CONTINUE
      CALL REPORT
      END

      SUBROUTINE SETUP
      PARAMETER (NX = 36, NY = 28)
      COMMON /HEADS/ H(NX,NY), HN(NX,NY)
      COMMON /SOIL/ T(NX,NY), S(NX,NY), Q(NX,NY)
      DO 10 J = 1, NY
      DO 10 I = 1, NX
         H(I,J) = 20.0 - 0.1*I
         T(I,J) = 1.0 + 0.5*MOD(I + J, 3)
         S(I,J) = 1.0
         Q(I,J) = 0.0
C        The head on the rim stays as it is.
c= stencil readOnce, pointed(dim=1)*pointed(dim=2) :: H
         HN(I,J) = H(I,J)
   10 CONTINUE
      Q(12,14) = 0.5
      Q(25,9) = 0.3
      END

      SUBROUTINE FACE
      PARAMETER (NX = 36, NY = 28)
      COMMON /SOIL/ T(NX,NY), S(NX,NY), Q(NX,NY)
      COMMON /FACES/ TX(NX,NY), TY(NX,NY)
C     TX(I,J) belongs to the face between I and I+1.
      DO 10 J = 1, NY
      DO 10 I = 1, NX - 1
c= stencil forward(depth=1, dim=1)*pointed(dim=2) :: T
   10 TX(I,J) = 2.0*T(I,J)*T(I+1,J)/(T(I,J) + T(I+1,J))
      DO 20 J = 1, NY - 1
      DO 20 I = 1, NX
c= stencil pointed(dim=1)*forward(depth=1, dim=2) :: T
   20 TY(I,J) = 2.0*T(I,J)*T(I,J+1)/(T(I,J) + T(I,J+1))
      END

      SUBROUTINE STEP(DT)
      PARAMETER (NX = 36, NY = 28)
      COMMON /HEADS/ H(NX,NY), HN(NX,NY)
      COMMON /SOIL/ T(NX,NY), S(NX,NY), Q(NX,NY)
      COMMON /FACES/ TX(NX,NY), TY(NX,NY)
      DO 20 J = 2, NY - 1
      DO 10 I = 2, NX - 1
         FW = TX(I-1,J)*(H(I-1,J) - H(I,J))
         FE = TX(I,J)*(H(I+1,J) - H(I,J))
         FS = TY(I,J-1)*(H(I,J-1) - H(I,J))
         FN = TY(I,J)*(H(I,J+1) - H(I,J))
c= stencil pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: H
c= stencil readOnce, pointed(dim=1)*pointed(dim=2) :: Q, S
c= stencil readOnce, backward(depth=1, dim=1)*pointed(dim=2) :: TX
c= stencil readOnce, pointed(dim=1)*backward(depth=1, dim=2) :: TY
         HN(I,J) = H(I,J) + DT/S(I,J)*(FW + FE + FS + FN - Q(I,J))
   10 CONTINUE
   20 CONTINUE
      DO 30 J = 2, NY - 1
      DO 30 I = 2, NX - 1
c= stencil readOnce, pointed(dim=1)*pointed(dim=2) :: HN
         H(I,J) = HN(I,J)
   30 CONTINUE
      END

      SUBROUTINE REPORT
      PARAMETER (NX = 36, NY = 28)
      COMMON /HEADS/ H(NX,NY), HN(NX,NY)
      COMMON /FACES/ TX(NX,NY), TY(NX,NY)
      OUT = 0.0
      HMIN = 1.0E6
      DO 10 J = 2, NY - 1
C        Flow over the eastern rim: two absolute columns.
c= access readOnce, pointed(dim=2) :: H, TX
         OUT = OUT + TX(NX-1,J)*(H(NX-1,J) - H(NX,J))
         DO 10 I = 2, NX - 1
c= access readOnce, pointed(dim=1)*pointed(dim=2) :: H
         HMIN = AMIN1(HMIN, H(I,J))
   10 CONTINUE
      WRITE (*,'(A,F10.5)') ' FLOW OVER THE RIM: ', OUT
      WRITE (*,'(A,F10.5)') ' DEEPEST HEAD:      ', HMIN
      END
