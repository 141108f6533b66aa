//! Numbers from the characters of a data file, converted as the C library does it for the Fortran runtime.

use crate::analysis::inputs::value::{DataType, Value};

/// Why characters are no number of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NumberFault {
    /// They are not written like one.
    Malformed,
    /// The integer does not fit into its kind.
    Overflow,
}

/// The integer of these digits, which fits into a kind.
///
/// # Errors
///
/// When it does not fit.
pub fn integer(digits: &[u8], is_negative: bool, kind: u8) -> Result<i128, NumberFault> {
    let largest = DataType::largest_integer(kind);
    let mut value: i128 = 0;
    for digit in digits {
        let digit = i128::from(digit - b'0');
        let next = value
            .checked_mul(10)
            .and_then(|value| if is_negative { value.checked_sub(digit) } else { value.checked_add(digit) });
        value = next.ok_or(NumberFault::Overflow)?;
        if value > largest || value < -largest - 1 {
            return Err(NumberFault::Overflow);
        }
    }
    Ok(value)
}

/// The real of a kind with a text in C's notation; `None` for the value of a kind that has no representation here.
///
/// # Errors
///
/// When it is no number.
pub fn real(text: &[u8], kind: u8) -> Result<Option<f64>, NumberFault> {
    let text = std::str::from_utf8(text).map_err(|_| NumberFault::Malformed)?;
    let value = match kind {
        4 => text.parse::<f32>().map(f64::from),
        _ => text.parse::<f64>(),
    };
    let value = value.map_err(|_| NumberFault::Malformed)?;
    Ok((kind == 4 || kind == 8).then_some(value))
}

/// Whether a real value came from finite digits and is infinite: it overflowed.
pub fn is_overflow(value: f64, text: &[u8]) -> bool {
    value.is_infinite() && text.iter().any(u8::is_ascii_digit)
}

/// The value of a real of a kind.
pub fn real_value(value: Option<f64>, kind: u8) -> Option<Value> {
    value.map(|value| Value::Real(value, kind))
}
