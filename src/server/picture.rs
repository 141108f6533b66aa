//! What is read of an array, as a small picture of characters.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The most characters in one direction, and the most layers.
const WIDEST: i64 = 21;
const MOST_LAYERS: i64 = 5;

/// The directions in which reads of an array differ from the element that is written, and what is read there.
struct Reads {
    /// The dimensions, from 1; the first goes to the right, the second up, the third from layer to layer.
    dimensions: Vec<usize>,
    offsets: BTreeSet<Vec<i64>>,
}

/// A picture of offsets: `●` what is read, `◉` the element that is written where it is read too, `○` where it isn't.
/// None where there is nothing to see, or it would be too large.
pub fn picture<'o>(offsets: impl Iterator<Item = &'o [Option<i64>]> + Clone) -> Option<String> {
    let reads = Reads::new(offsets)?;
    let range = |at: usize| {
        let all = reads.offsets.iter().map(|offset| offset.get(at).copied().unwrap_or(0));
        let (low, high) = all.fold((0, 0), |(low, high), offset| (low.min(offset), high.max(offset)));
        (low, high)
    };
    let ranges = [range(0), range(1), range(2)];
    let fits = |(low, high): (i64, i64), most: i64| high.checked_sub(low).is_some_and(|width| width < most);
    if !(fits(ranges[0], WIDEST) && fits(ranges[1], WIDEST) && fits(ranges[2], MOST_LAYERS)) {
        return None;
    }
    let mut text = reads.legend();
    let [(left, right), (bottom, top), (first, last)] = ranges;
    for layer in first..=last {
        if reads.dimensions.len() == 3 {
            let _ = writeln!(text, "dimension {}: {}", reads.dimensions[2], signed(layer));
        }
        for row in (bottom..=top).rev() {
            let signs: Vec<&str> = (left..=right).map(|column| reads.sign([column, row, layer])).collect();
            let _ = writeln!(text, "  {}", signs.join(" "));
        }
    }
    Some(text)
}

impl Reads {
    fn new<'o>(offsets: impl Iterator<Item = &'o [Option<i64>]> + Clone) -> Option<Reads> {
        let rank = offsets.clone().map(<[_]>::len).max()?;
        let offset = |offsets: &[Option<i64>], at: usize| offsets.get(at).copied().flatten().unwrap_or(0);
        let varies = |&at: &usize| offsets.clone().any(|one| offset(one, at) != 0);
        let dimensions: Vec<usize> = (0..rank).filter(varies).collect();
        let is_seen = (1..=3).contains(&dimensions.len());
        let project = |one: &[Option<i64>]| dimensions.iter().map(|&at| offset(one, at)).collect();
        let offsets = offsets.clone().map(project).collect();
        is_seen.then(|| Reads { dimensions: dimensions.iter().map(|at| at + 1).collect(), offsets })
    }

    fn legend(&self) -> String {
        match self.dimensions[..] {
            [right] => format!("→ dimension {right}\n"),
            [right, up, ..] => format!("→ dimension {right}, ↑ dimension {up}\n"),
            [] => String::new(),
        }
    }

    fn sign(&self, at: [i64; 3]) -> &'static str {
        match (self.offsets.contains(&at[..self.dimensions.len()]), at == [0, 0, 0]) {
            (true, true) => "◉",
            (true, false) => "●",
            (false, true) => "○",
            (false, false) => "·",
        }
    }
}

/// A number with its sign, but for 0.
fn signed(number: i64) -> String {
    if number > 0 { format!("+{number}") } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(offsets: &[&[Option<i64>]]) -> Option<String> {
        picture(offsets.iter().copied())
    }

    #[test]
    fn a_star_without_its_centre() {
        let star = of(&[&[Some(-1), Some(0)], &[Some(1), Some(0)], &[Some(0), Some(-1)], &[Some(0), Some(1)]]);
        let expected = "→ dimension 1, ↑ dimension 2\n  · ● ·\n  ● ○ ●\n  · ● ·\n";
        assert_eq!(star.as_deref(), Some(expected));
    }

    #[test]
    fn dimensions_in_which_nothing_moves_are_left_out() {
        let row = of(&[&[None, Some(0), Some(0)], &[None, Some(0), Some(2)]]);
        assert_eq!(row.as_deref(), Some("→ dimension 3\n  ◉ · ●\n"));
        assert_eq!(of(&[&[Some(0), None]]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn the_third_dimension_is_in_layers() {
        let layers = of(&[&[Some(1), Some(0), Some(0)], &[Some(0), Some(1), Some(0)], &[Some(0), Some(0), Some(1)]]);
        let expected = "→ dimension 1, ↑ dimension 2\ndimension 3: 0\n  ● ·\n  ○ ●\ndimension 3: +1\n  · ·\n  ● ·\n";
        assert_eq!(layers.as_deref(), Some(expected));
    }

    #[test]
    fn what_is_too_wide_is_not_drawn() {
        assert_eq!(of(&[&[Some(475_797)]]), None);
        assert_eq!(of(&[&[Some(i64::MIN)], &[Some(i64::MAX)]]), None);
    }
}
