//! The values of intrinsic functions of integers. All arithmetic is checked: overflow and division by zero give `None`.

/// How the value of a function follows from integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// The largest argument: MAX.
    Maximum,
    /// The smallest argument: MIN.
    Minimum,
    /// ABS.
    Magnitude,
    /// The integer near a number, which an integer is itself: INT, NINT, CEILING, FLOOR.
    Integer,
    /// The remainder of a division that truncates: MOD.
    Remainder,
    /// The remainder of a division that rounds down: MODULO.
    Modulo,
    /// SIGN.
    Sign,
    /// DIM.
    PositiveDifference,
    /// IAND.
    And,
    /// IOR.
    Or,
    /// IEOR.
    ExclusiveOr,
    /// ISHFT.
    Shift,
    /// SELECTED_INT_KIND, as the common compilers have it: a kind is a number of bytes.
    IntegerKind,
    /// SELECTED_REAL_KIND, likewise.
    RealKind,
    /// One of two values, as a mask says: MERGE.
    Choice,
    /// The largest element of an array: MAXVAL.
    LargestElement,
    /// The smallest element of an array: MINVAL.
    SmallestElement,
    /// SUM.
    Sum,
    /// PRODUCT.
    Product,
    /// KIND.
    Kind,
    /// LEN.
    Length,
    /// SIZE.
    Extent,
    /// LBOUND.
    LowerBound,
    /// UBOUND.
    UpperBound,
}

impl Evaluation {
    /// The value of an elemental or kind function of integers; `None` if it is none, or overflows.
    pub fn of_scalars(self, values: &[i64]) -> Option<i64> {
        match (self, values) {
            (Evaluation::Maximum, many) => many.iter().copied().max(),
            (Evaluation::Minimum, many) => many.iter().copied().min(),
            (Evaluation::Magnitude, &[value]) => value.checked_abs(),
            // The kind of the result changes nothing here.
            (Evaluation::Integer, &[value, ..]) => Some(value),
            (Evaluation::Remainder, &[value, modulus]) => value.checked_rem(modulus),
            (Evaluation::Modulo, &[value, modulus]) => {
                let remainder = value.checked_rem(modulus)?;
                let other_side = remainder != 0 && (remainder < 0) != (modulus < 0);
                if other_side { remainder.checked_add(modulus) } else { Some(remainder) }
            }
            (Evaluation::Sign, &[value, sign]) => {
                let magnitude = value.checked_abs()?;
                Some(if sign < 0 { -magnitude } else { magnitude })
            }
            (Evaluation::PositiveDifference, &[left, right]) => Some(left.checked_sub(right)?.max(0)),
            (Evaluation::And, &[left, right]) => Some(left & right),
            (Evaluation::Or, &[left, right]) => Some(left | right),
            (Evaluation::ExclusiveOr, &[left, right]) => Some(left ^ right),
            (Evaluation::Shift, &[value, shift @ 0..63]) => value.checked_mul(1_i64.checked_shl(shift as u32)?),
            (Evaluation::IntegerKind, &[digits]) => Some(match digits {
                ..=2 => 1,
                3..=4 => 2,
                5..=9 => 4,
                10..=18 => 8,
                19..=38 => 16,
                _ => -1,
            }),
            (Evaluation::RealKind, &[digits, ..]) => Some(match (digits, values.get(1).copied().unwrap_or(0)) {
                (..=6, ..=37) => 4,
                (..=15, ..=307) => 8,
                (..=33, _) => 16,
                _ => -1,
            }),
            _ => None,
        }
    }

    /// The value of a reduction of an array with these elements; `None` if it is none, or overflows.
    pub fn of_elements(self, elements: &[i64]) -> Option<i64> {
        let mut elements = elements.iter().copied();
        match self {
            Evaluation::LargestElement => elements.max(),
            Evaluation::SmallestElement => elements.min(),
            Evaluation::Sum => elements.try_fold(0, i64::checked_add),
            Evaluation::Product => elements.try_fold(1, i64::checked_mul),
            _ => None,
        }
    }

    /// Whether it is a reduction of an array.
    pub fn is_reduction(self) -> bool {
        matches!(self, Evaluation::LargestElement | Evaluation::SmallestElement | Evaluation::Sum | Evaluation::Product)
    }
}
