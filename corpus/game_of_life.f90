! Conway's game of life on a board with a dead rim.
!
! Equation: a cell lives on with two or three living neighbours and is born with three
! Scheme:   eight neighbours are counted into a scalar; the count steers a branch and flows to no array, so its
!           specification is an access.
program game_of_life
  implicit none
  integer, parameter :: n = 40, generations = 60
  integer :: board(0:n+1, 0:n+1), next(0:n+1, 0:n+1), age(n, n)
  integer :: neighbours, alive, oldest
  integer :: i, j, generation

  board = 0
  next = 0
  age = 0
  ! A glider and a blinker.
  board(4, 5) = 1
  board(5, 6) = 1
  board(6, 4) = 1
  board(6, 5) = 1
  board(6, 6) = 1
  board(30, 10) = 1
  board(30, 11) = 1
  board(30, 12) = 1

  do generation = 1, generations
    do j = 1, n
      do i = 1, n
        != access readOnce, centered(depth=1, dim=1)*centered(depth=1, dim=2, nonpointed) + centered(depth=1, dim=1, nonpointed)*centered(depth=1, dim=2) :: board
        neighbours = board(i-1, j-1) + board(i, j-1) + board(i+1, j-1) &
                   + board(i-1, j) + board(i+1, j) &
                   + board(i-1, j+1) + board(i, j+1) + board(i+1, j+1)
        select case (neighbours)
        case (2)
          != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: board
          next(i, j) = board(i, j)
        case (3)
          next(i, j) = 1
        case default
          next(i, j) = 0
        end select
      end do
    end do
    do j = 1, n
      do i = 1, n
        ! How long a cell has been alive.
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: age
        != stencil pointed(dim=1)*pointed(dim=2) :: next
        age(i, j) = (age(i, j) + next(i, j))*next(i, j)
        != stencil readOnce, pointed(dim=1)*pointed(dim=2) :: next
        board(i, j) = next(i, j)
      end do
    end do
  end do

  alive = 0
  oldest = 0
  do j = 1, n
    do i = 1, n
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: board
      alive = alive + board(i, j)
      != access readOnce, pointed(dim=1)*pointed(dim=2) :: age
      oldest = max(oldest, age(i, j))
    end do
  end do
  print '(a, i0)', 'living cells: ', alive
  print '(a, i0)', 'oldest cell:  ', oldest
  print '(40i1)', board(1:n, 20)
end program game_of_life
