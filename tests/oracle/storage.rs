//! Where arrays live: declared, allocated, parts of structures, associate names, pointers; with lower bounds of any
//! kind.

use super::program::Program;
use super::random::Random;

/// An array as the computation names it.
pub struct Array {
    /// The name that a specification gives it.
    pub name: String,
    /// Its lower bounds.
    pub lower: Vec<i64>,
    /// Whether it is allocatable.
    pub is_allocatable: bool,
    /// Whether it is declared with these bounds: explicitly, as a whole.
    pub is_explicit: bool,
    /// Whether specification part and internal procedures see it: it is no associate name.
    pub is_visible: bool,
}

/// Components of the structures of a program.
#[derive(Default)]
pub struct Structures {
    /// Of `s`.
    single: Vec<String>,
    /// Of each element of `e`.
    elements: Vec<String>,
    /// Of the component `nb` of each element of `w`.
    inner: Vec<String>,
    /// Whether `s` has the other name `ps`, too.
    has_other_name: bool,
}

/// The extent of a dimension of which nothing else is wanted.
pub const EXTENT: i64 = 99;

/// One dimension of an array.
#[derive(Clone, Copy)]
pub struct Dimension {
    pub lower: i64,
    pub extent: i64,
    /// Whether no section of it is read.
    pub is_index: bool,
}

impl Dimension {
    /// With a lower bound of any kind.
    pub fn any(random: &mut Random) -> Self {
        Dimension { lower: if random.chance(60) { 1 } else { random.between(-3, 4) }, extent: EXTENT, is_index: true }
    }
}

/// An array that is declared plainly.
pub fn plain(program: &mut Program, name: &str, rank: usize) -> Array {
    program.declarations.push(format!("real :: {name}({})", vec!["99"; rank].join(",")));
    Array { name: name.into(), lower: vec![1; rank], is_allocatable: false, is_explicit: true, is_visible: true }
}

/// An array of this form, somewhere. Where the bounds can't be chosen they begin at 1.
pub fn store(
    random: &mut Random,
    program: &mut Program,
    structures: &mut Structures,
    name: &str,
    dimensions: &[Dimension],
) -> Array {
    let rank = dimensions.len();
    let lower: Vec<i64> = dimensions.iter().map(|dimension| dimension.lower).collect();
    let bounds = explicit(dimensions);
    let colons = vec![":"; rank].join(",");
    let array = |name: String, lower: Vec<i64>| Array {
        name,
        lower,
        is_allocatable: false,
        is_explicit: false,
        is_visible: true,
    };
    match random.below(14) {
        0 | 1 => {
            program.declarations.push(format!("real, allocatable :: {name}({colons})"));
            program.before.push(format!("allocate({name}({bounds}))"));
            Array { is_allocatable: true, ..array(name.into(), lower) }
        }
        2 => {
            structures.single.push(format!("real :: {name}({bounds})"));
            structures.has_other_name |= random.chance(30);
            let of = if structures.has_other_name { "ps" } else { "s" };
            Array { is_visible: of == "s", ..array(format!("{of}%{name}"), lower) }
        }
        3 => {
            structures.single.push(format!("real, allocatable :: {name}({colons})"));
            program.before.push(format!("allocate(s%{name}({bounds}))"));
            Array { is_allocatable: true, ..array(format!("s%{name}"), lower) }
        }
        4 | 5 if rank > 1 && dimensions[0].is_index => {
            let (of, components) =
                if random.chance(50) { ("e", &mut structures.elements) } else { ("w%nb", &mut structures.inner) };
            components.push(format!("real :: {name}({})", explicit(&dimensions[1..])));
            array(format!("{of}%{name}"), [1].into_iter().chain(lower[1..].iter().copied()).collect())
        }
        6 | 7 => {
            let target = Target::pick(random, dimensions);
            program.declarations.push(format!("real :: {name}({})", target.bounds));
            program.before.push(format!("associate (p{name} => {name}{})", target.section));
            program.after.insert(0, "end associate".into());
            Array { is_visible: false, ..array(format!("p{name}"), target.lower) }
        }
        8 | 9 => pointer(random, program, name, dimensions),
        10 => {
            let bounds: Vec<String> = lower.iter().map(|lower| format!("{lower}:")).collect();
            program.declarations.push(format!("real :: {name}({})", bounds.join(",")));
            program.dummies.push(name.into());
            array(name.into(), lower)
        }
        _ => {
            program.declarations.push(format!("real :: {name}({bounds})"));
            Array { is_explicit: true, ..array(name.into(), lower) }
        }
    }
}

/// An array that gets another name, as a whole or in part.
struct Target {
    /// Its bounds.
    bounds: String,
    /// What is named of it.
    section: String,
    /// The lower bounds under the other name.
    lower: Vec<i64>,
}

impl Target {
    fn pick(random: &mut Random, dimensions: &[Dimension]) -> Self {
        let lower = dimensions.iter().map(|dimension| dimension.lower).collect();
        if random.chance(40) {
            return Target { bounds: explicit(dimensions), section: String::new(), lower };
        }
        let mut larger = Vec::new();
        let mut section = Vec::new();
        for dimension in dimensions {
            let before = random.between(0, 2);
            larger.push(Dimension { extent: dimension.extent + before, ..*dimension });
            section.push(if before == 0 { ":".into() } else { format!("{}:", dimension.lower + before) });
        }
        let section = format!("({})", section.join(","));
        Target { bounds: explicit(&larger), section, lower: vec![1; dimensions.len()] }
    }
}

/// A pointer to an array, to a section of one, or with bounds of its own.
fn pointer(random: &mut Random, program: &mut Program, name: &str, dimensions: &[Dimension]) -> Array {
    let target = Target::pick(random, dimensions);
    program.declarations.push(format!("real, target :: {name}({})", target.bounds));
    program.declarations.push(format!("real, pointer :: p{name}({})", vec![":"; dimensions.len()].join(",")));
    let (bounds, lower) = match random.chance(60) {
        true => (String::new(), target.lower),
        false => {
            let lower: Vec<i64> = dimensions.iter().map(|dimension| dimension.lower).collect();
            let bounds: Vec<String> = lower.iter().map(|lower| format!("{lower}:")).collect();
            (format!("({})", bounds.join(",")), lower)
        }
    };
    program.before.push(format!("p{name}{bounds} => {name}{}", target.section));
    Array { name: format!("p{name}"), lower, is_allocatable: false, is_explicit: false, is_visible: true }
}

/// Bounds of an explicit shape.
pub fn explicit(dimensions: &[Dimension]) -> String {
    let bounds = |dimension: &Dimension| match dimension.lower {
        1 => dimension.extent.to_string(),
        lower => format!("{lower}:{}", lower + dimension.extent - 1),
    };
    dimensions.iter().map(bounds).collect::<Vec<String>>().join(",")
}

impl Array {
    /// A reference to an element or a section of it.
    pub fn subscripted(&self, indices: &[String]) -> String {
        element(&self.name, indices)
    }
}

impl Structures {
    /// Declares them, and gives `s` its other name.
    pub fn declare(self, program: &mut Program) {
        let mut lines = Vec::new();
        let mut declare = |kind: &str, variable: &str, components: &[String]| {
            if !components.is_empty() {
                lines.push(format!("type :: {kind}"));
                lines.extend(components.iter().cloned());
                lines.push(format!("end type {kind}"));
                lines.push(format!("type({kind}) :: {variable}"));
            }
        };
        declare("box", "s", &self.single);
        declare("cell", "e(99)", &self.elements);
        declare("hood", "h", &self.inner);
        if !self.inner.is_empty() {
            declare("place", "w(99)", &["type(hood) :: nb".to_string()]);
        }
        program.declarations.extend(lines);
        if self.has_other_name {
            program.before.insert(0, "associate (ps => s)".into());
            program.after.push("end associate".into());
        }
    }
}

/// A reference to an element of an array.
pub fn element(array: &str, indices: &[String]) -> String {
    match array.split_once('%') {
        Some((base @ ("e" | "w"), component)) => {
            format!("{base}({})%{component}({})", indices[0], indices[1..].join(","))
        }
        _ => format!("{array}({})", indices.join(",")),
    }
}
