//! Pictures of stencils: a grid for one or two dimensions, a row of grids for three, with the elements that are read.
//!
//! The first dimension runs to the right, the second upwards, the third from grid to grid. A dimension in which all
//! indices are absolute stands for every offset; its elements are paler.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::analysis::survey::{Point, points};

/// Side of an element.
const CELL: i64 = 22;
/// Room between the grids of three dimensions, and around all.
const GAP: i64 = 12;
/// Room for the names of the dimensions.
const LABEL: i64 = 14;
/// Offsets farther away are left out of a picture.
const FARTHEST: i64 = 6;
/// Of the third dimension, as a grid each takes more room.
const FARTHEST_GRID: i64 = 2;

/// The drawing of a shape: elements of SVG, and the room that they take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Its width.
    pub width: i64,
    /// Its height.
    pub height: i64,
    /// The elements.
    pub drawing: String,
}

/// The picture of a shape by its canonical text; `None` if it has too many dimensions or points.
pub fn picture(shape: &str) -> Option<Picture> {
    let points = points(shape)?;
    let rank = points.first()?.len();
    if points.iter().any(|point| point.len() != rank) {
        return None;
    }
    // What stays at the origin in higher dimensions needs no picture.
    let shown: Vec<usize> = match rank {
        0..=3 => (0..rank).collect(),
        _ => (0..rank).filter(|&at| points.iter().any(|point| point[at].is_some_and(|offset| offset != 0))).collect(),
    };
    let mut shown = shown;
    if shown.is_empty() {
        shown.push(0);
    }
    if shown.len() > 3 {
        return None;
    }
    let projected = points.iter().map(|point| shown.iter().map(|&at| point[at]).collect()).collect();
    Some(StencilGrid { points: projected, dimensions: shown }.picture())
}

/// Whether an element is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Element {
    Unread,
    /// By an absolute index: it may be this one.
    Perhaps,
    Read,
}

/// What is to be drawn.
struct StencilGrid {
    points: BTreeSet<Point>,
    /// The dimensions that are shown, from 0.
    dimensions: Vec<usize>,
}

impl StencilGrid {
    fn picture(&self) -> Picture {
        let across = self.range(0, FARTHEST);
        let upward = self.range(1, FARTHEST);
        let grids = self.range(2, FARTHEST_GRID);
        let columns = across.end() - across.start() + 1;
        let rows = upward.end() - upward.start() + 1;
        let count = grids.end() - grids.start() + 1;
        let (is_flat, is_deep) = (self.dimensions.len() > 1, self.dimensions.len() > 2);
        let left = if is_flat { LABEL } else { 2 };
        let top = if is_deep { LABEL } else { 2 };
        let width = left + count * columns * CELL + (count - 1) * GAP + 2;
        let far = self.far([&across, &upward, &grids]);
        let height = top + rows * CELL + LABEL + if far > 0 { LABEL } else { 0 } + 2;
        let mut svg = String::new();
        for (number, deep) in grids.clone().enumerate() {
            let x = left + number as i64 * (columns * CELL + GAP);
            if is_deep {
                let middle = x + columns * CELL / 2;
                let _ =
                    write!(svg, "<text x=\"{middle}\" y=\"11\" text-anchor=\"middle\">{}</text>", self.label(2, deep));
            }
            for (row, up) in upward.clone().rev().enumerate() {
                for (column, over) in across.clone().enumerate() {
                    let at = [over, up, deep];
                    let place = (x + column as i64 * CELL, top + row as i64 * CELL);
                    self.element(&mut svg, place, &at[..self.dimensions.len()]);
                }
            }
            let (middle, below) = (x + columns * CELL / 2, top + rows * CELL + 11);
            let _ = write!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{} →</text>", self.name(0));
        }
        if is_flat {
            let middle = top + rows * CELL / 2 + 5;
            let _ = write!(svg, "<text x=\"0\" y=\"{middle}\">{}↑</text>", self.name(1));
        }
        if far > 0 {
            let below = height - 4;
            let _ = write!(svg, "<text x=\"{left}\" y=\"{below}\">+{far} far off</text>");
        }
        Picture { width, height, drawing: svg }
    }

    /// How many of the elements that are read lie outside of these ranges.
    fn far(&self, ranges: [&RangeInclusive<i64>; 3]) -> usize {
        let is_far = |point: &&Point| {
            let mut offsets = point.iter().zip(ranges);
            offsets.any(|(offset, range)| offset.is_some_and(|offset| !range.contains(&offset)))
        };
        self.points.iter().filter(is_far).count()
    }

    fn element(&self, svg: &mut String, (x, y): (i64, i64), at: &[i64]) {
        let class = match self.is_read(at) {
            Element::Read => "read",
            Element::Perhaps => "perhaps",
            Element::Unread => "unread",
        };
        let side = CELL - 2;
        let _ = write!(
            svg,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"2\"/>",
            x + 1,
            y + 1
        );
        if at.iter().all(|&offset| offset == 0) {
            let (middle, centre) = (x + CELL / 2, y + CELL / 2);
            let _ = write!(svg, "<circle class=\"origin\" cx=\"{middle}\" cy=\"{centre}\" r=\"4\"/>");
        }
    }

    fn is_read(&self, at: &[i64]) -> Element {
        let read = |point: &Point| {
            let is_there = point.iter().zip(at).all(|(offset, &at)| offset.is_none_or(|offset| offset == at));
            match (is_there, point.iter().any(Option::is_none)) {
                (false, _) => Element::Unread,
                (true, true) => Element::Perhaps,
                (true, false) => Element::Read,
            }
        };
        self.points.iter().map(read).max().unwrap_or(Element::Unread)
    }

    /// The offsets that are shown of a dimension: all that are read, the origin, and those around it.
    fn range(&self, dimension: usize, farthest: i64) -> RangeInclusive<i64> {
        if dimension >= self.dimensions.len() {
            return 0..=0;
        }
        let offsets = || self.points.iter().filter_map(|point| point[dimension]);
        let lowest = offsets().min().unwrap_or(0).min(-1).max(-farthest);
        let highest = offsets().max().unwrap_or(0).max(1).min(farthest);
        lowest..=highest
    }

    /// The usual name of the variable that a dimension runs over.
    fn name(&self, shown: usize) -> String {
        let dimension = self.dimensions[shown];
        match "ijklmn".chars().nth(dimension) {
            Some(letter) => letter.to_string(),
            None => format!("{}.", dimension + 1),
        }
    }

    /// The name of a grid of three dimensions: `k−1`.
    fn label(&self, shown: usize, offset: i64) -> String {
        match offset {
            0 => self.name(shown),
            1.. => format!("{}+{offset}", self.name(shown)),
            _ => format!("{}−{}", self.name(shown), offset.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(shape: &str, class: &str) -> usize {
        picture(shape).expect("it has a picture").drawing.matches(&format!("class=\"{class}\"")).count()
    }

    #[test]
    fn every_read_element_is_drawn() {
        assert_eq!(count("(-1) (0) (1)", "read"), 3);
        assert_eq!(count("(-1,0) (0,-1) (0,0) (0,1) (1,0)", "read"), 5);
        assert_eq!(count("(-1,0) (0,-1) (0,0) (0,1) (1,0)", "unread"), 4);
        assert_eq!(count("(0,0,-1) (0,0,0) (0,0,1)", "read"), 3);
        assert_eq!(count("(0,0,-1)", "unread"), 26);
        assert_eq!(count("(0,*)", "perhaps"), 3);
        assert_eq!(count("(2)", "origin"), 1);
    }

    #[test]
    fn dimensions_without_offsets_are_left_out() {
        assert_eq!(count("(0,0,0,0) (0,0,0,1)", "read"), 2);
        assert!(picture("(0,0,0,0) (0,0,0,1)").is_some_and(|one| one.drawing.contains("l →")));
        assert_eq!(picture("(1,1,1,1)"), None);
        assert_eq!(picture("more than 125 points in 2D"), None);
        assert!(picture("(0,0,0,0)").is_some());
    }

    #[test]
    fn what_is_far_away_is_left_out() {
        assert_eq!(count("(0) (100)", "read"), 1);
        assert!(picture("(0) (100)").is_some_and(|one| one.drawing.contains("+1 far off")));
        assert!(picture("(0) (1)").is_some_and(|one| !one.drawing.contains("far off")));
        assert_eq!(count("(0,0,0) (0,0,50)", "read"), 1);
    }
}
