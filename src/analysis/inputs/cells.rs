//! What is known of the values of variables while a data file is read.

use super::data::Place;
use super::expression::{Variable, VariableId};
use super::value::Value;

/// The most elements of an array that are kept.
const MOST_ELEMENTS: usize = 1 << 24;

/// Where a value was read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Origin {
    /// The how manieth value read it is.
    pub order: u64,
    /// Of which of the data files.
    pub file: u32,
    /// Where it stands there.
    pub place: Place,
}

/// What is known of a scalar or an element.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cell {
    /// Its value, if it is known.
    pub value: Option<Value>,
    /// Where it was read, if it was.
    pub origin: Option<Origin>,
    /// Whether it broke a condition: then it is not known what should stand there.
    pub is_broken: bool,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
enum Storage {
    Scalar(Cell),
    /// The elements in array element order, those behind the last one left out.
    Array(Vec<Cell>),
}

/// What is known of all variables.
#[derive(Clone, Debug)]
pub struct Cells {
    storage: Vec<Storage>,
    /// The bounds of the dimensions of each.
    bounds: Vec<Vec<[Option<i64>; 2]>>,
}

impl Cells {
    /// Nothing is known of the variables.
    pub fn new(variables: &[Variable]) -> Self {
        let storage = |variable: &Variable| {
            if variable.bounds.is_empty() { Storage::Scalar(Cell::default()) } else { Storage::Array(Vec::new()) }
        };
        Cells {
            storage: variables.iter().map(storage).collect(),
            bounds: variables.iter().map(|variable| variable.bounds.clone()).collect(),
        }
    }

    /// The bounds of the dimensions of a variable.
    pub fn bounds(&self, variable: VariableId) -> &[[Option<i64>; 2]] {
        self.bounds.get(variable.index()).map_or(&[], Vec::as_slice)
    }

    /// Gives an array its bounds; nothing is known of its elements then.
    pub fn allocate(&mut self, variable: VariableId, bounds: Vec<[Option<i64>; 2]>) {
        self.forget(variable);
        if let Some(there) = self.bounds.get_mut(variable.index()).filter(|there| there.len() == bounds.len()) {
            *there = bounds;
        }
    }

    /// The scalar or element that was read at a place.
    pub fn find(&mut self, variable: VariableId, origin: Origin) -> Option<&mut Cell> {
        let cells = match self.storage.get_mut(variable.index())? {
            Storage::Scalar(cell) => std::slice::from_mut(cell),
            Storage::Array(cells) => cells.as_mut_slice(),
        };
        cells.iter_mut().find(|cell| cell.origin == Some(origin))
    }

    /// An element, by its number in array element order. What was never defined is not known.
    pub fn element(&self, variable: VariableId, number: usize) -> Option<&Cell> {
        match self.storage.get(variable.index())? {
            Storage::Array(cells) => cells.get(number),
            Storage::Scalar(cell) => (number == 0).then_some(cell),
        }
    }

    /// A scalar or an element to be changed; `None` for one that is too far behind.
    pub fn cell_mut(&mut self, variable: VariableId, number: usize) -> Option<&mut Cell> {
        match self.storage.get_mut(variable.index())? {
            Storage::Scalar(cell) => Some(cell),
            Storage::Array(cells) => {
                if number >= MOST_ELEMENTS {
                    return None;
                }
                if number >= cells.len() {
                    cells.resize_with(number + 1, Cell::default);
                }
                cells.get_mut(number)
            }
        }
    }

    /// Forgets what is known of a variable.
    pub fn forget(&mut self, variable: VariableId) {
        match self.storage.get_mut(variable.index()) {
            Some(Storage::Scalar(cell)) => *cell = Cell::default(),
            Some(Storage::Array(cells)) => cells.clear(),
            None => {}
        }
    }
}

/// The number in array element order of an element, if the subscripts lie in the bounds.
pub fn element_number(bounds: &[[Option<i64>; 2]], subscripts: &[i128]) -> Option<usize> {
    if bounds.len() != subscripts.len() {
        return None;
    }
    let (mut number, mut stride) = (0usize, 1usize);
    for (bounds, &subscript) in bounds.iter().zip(subscripts) {
        let lower = i128::from(bounds[0]?);
        let offset = usize::try_from(subscript - lower).ok()?;
        if bounds[1].is_some_and(|upper| subscript > i128::from(upper)) {
            return None;
        }
        number = number.checked_add(offset.checked_mul(stride)?)?;
        // The extent of the last dimension does not count.
        stride = match bounds[1] {
            Some(upper) => stride.checked_mul(usize::try_from(upper - bounds[0]? + 1).ok()?)?,
            None => 0,
        };
    }
    Some(number)
}
