//! Sections, whole arrays and intrinsic functions.

use super::generate::Generator;
use super::program::Watch;
use super::scope::{Array, Bounds, Element};

/// A section of a dimension: the dimension, its triplet, and that it has an element.
#[derive(Clone)]
struct Along {
    bounds: Bounds,
    triplet: String,
    has_elements: String,
}

/// An array expression of rank 1: its text, that what it is made of has elements, and along what it runs.
struct Operand {
    text: String,
    operands: Vec<String>,
    /// That its other subscripts are within their bounds: gfortran does not see it in arguments of some functions.
    canaries: Vec<String>,
    along: Along,
}

impl Generator {
    fn real_array(&mut self, rank: usize) -> Option<Array> {
        let all = self.scope.whole(rank);
        if all.is_empty() { None } else { Some(self.random.pick(&all).clone()) }
    }

    fn like(&mut self, array: &Array) -> Array {
        let may_be_any = self.slips(50);
        self.scope.like(&mut self.random, array, may_be_any)
    }

    /// `x = x + 1.0`: where there is nothing to name.
    fn nothing(&mut self) {
        self.program.statement("x = x + 1.0", Watch::default());
    }

    /// A section of one dimension.
    fn triplet(&mut self, bounds: &Bounds) -> Along {
        let Bounds { lower, upper } = bounds.clone();
        let has_upper = upper.is_some();
        let upper = upper.unwrap_or_else(|| self.size());
        let (triplet, has_elements) = if self.slips(20) {
            match self.random.below(3) {
                0 => (format!("{lower}:{upper}+1"), format!("{lower} <= {upper}+1")),
                1 => (format!("{lower}-1:{upper}-1"), format!("{lower} <= {upper}")),
                _ => {
                    let size = self.size();
                    (format!("{lower}:{size}"), format!("{lower} <= {size}"))
                }
            }
        } else {
            match self.random.below(16) {
                0 => (format!("{lower}+1:{upper}"), format!("{lower}+1 <= {upper}")),
                1 => (format!("{lower}:{upper}-1"), format!("{lower} <= {upper}-1")),
                2 => (format!("{upper}:{lower}:-1"), format!("{lower} <= {upper}")),
                3 => (format!("{lower}:{upper}:2"), format!("{lower} <= {upper}")),
                4 => (format!("{lower}+1:{upper}:3"), format!("{lower}+1 <= {upper}")),
                5 => (format!("{upper}-1:{lower}:-2"), format!("{lower} <= {upper}-1")),
                _ if has_upper && self.random.chance(60) => (":".into(), format!("{lower} <= {upper}")),
                _ => (format!("{lower}:{upper}"), format!("{lower} <= {upper}")),
            }
        };
        Along { bounds: bounds.clone(), triplet, has_elements }
    }

    /// A section of rank 1 of an array, along one of its dimensions.
    fn row(&mut self, array: &Array, dimension: usize, along: Along) -> Operand {
        let (mut subscripts, mut canaries) = (Vec::new(), Vec::new());
        for (at, bounds) in array.bounds.iter().enumerate() {
            if at == dimension {
                subscripts.push(along.triplet.clone());
                continue;
            }
            let is_first = self.random.chance(50);
            let subscript = bounds.upper.clone().filter(|_| !is_first).unwrap_or_else(|| bounds.lower.clone());
            if array.is_whole() {
                let (name, at) = (&array.name, at + 1);
                canaries.push(format!("lbound({name}, {at}) <= {subscript} .and. {subscript} <= ubound({name}, {at})"));
            }
            subscripts.push(subscript);
        }
        let is_whole = array.rank() == 1 && along.triplet == ":" && array.is_whole();
        let subscripts = if is_whole { String::new() } else { format!("({})", subscripts.join(",")) };
        Operand {
            text: format!("{}{subscripts}", array.name),
            operands: vec![along.has_elements.clone()],
            canaries,
            along,
        }
    }

    /// The real arrays, each with each of its dimensions.
    fn dimensions(&self) -> Vec<(Array, usize)> {
        let real = self.scope.arrays.iter().filter(|array| array.element == Element::Real);
        real.flat_map(|array| (0..array.rank()).map(|at| (array.clone(), at))).collect()
    }

    /// An array of rank 1, or a section of one.
    fn vector(&mut self) -> Option<Operand> {
        let all = self.dimensions();
        if all.is_empty() {
            return None;
        }
        let (array, at) = self.random.pick(&all).clone();
        let along = self.triplet(&array.bounds[at]);
        Some(self.row(&array, at, along))
    }

    /// Another one, mostly of the same extent.
    fn vector_like(&mut self, along: &Along) -> Option<Operand> {
        if self.slips(40) {
            return self.vector();
        }
        let mut all = self.dimensions();
        all.retain(|(array, at)| array.bounds[*at].text() == along.bounds.text());
        if all.is_empty() {
            return None;
        }
        let (array, at) = self.random.pick(&all).clone();
        Some(self.row(&array, at, along.clone()))
    }

    /// A matrix that can be named as a whole, mostly with these dimensions.
    fn matrix(&mut self, rows: Option<&Bounds>, columns: Option<&Bounds>) -> Option<Array> {
        let mut all = self.scope.whole(2);
        if !self.slips(40) {
            let fits = |own: &Bounds, wanted: Option<&Bounds>| wanted.is_none_or(|wanted| own.text() == wanted.text());
            all.retain(|array| fits(&array.bounds[0], rows) && fits(&array.bounds[1], columns));
        }
        if all.is_empty() { None } else { Some(self.random.pick(&all).clone()) }
    }

    /// An assignment to a section.
    pub fn sections(&mut self) {
        let Some(target) = self.vector() else { return self.nothing() };
        let blocks = self.scope.arrays.iter().filter(|array| array.element == Element::Real && array.rank() >= 2);
        let blocks: Vec<Array> = blocks.cloned().collect();
        if !blocks.is_empty() && self.random.chance(35) {
            let array = self.random.pick(&blocks).clone();
            return self.block(&array);
        }
        let mut operands = target.operands.clone();
        let mut values = Vec::new();
        for _ in 0..self.random.between(0, 2) {
            let Some(one) = self.vector_like(&target.along) else { continue };
            operands.extend(one.operands);
            values.push(one.text);
        }
        values.push("x".into());
        self.program.statement(format!("{} = {}", target.text, values.join(" + ")), Watch::operands(operands));
    }

    /// An assignment to a section with the rank of its array.
    fn block(&mut self, array: &Array) {
        let other = self.like(array);
        let (mut left, mut right, mut operands) = (Vec::new(), Vec::new(), Vec::new());
        for (bounds, others) in array.bounds.iter().zip(&other.bounds) {
            let along = self.triplet(bounds);
            let beside = if self.slips(40) { self.triplet(others) } else { along.clone() };
            operands.extend([along.has_elements, beside.has_elements]);
            left.push(along.triplet);
            right.push(beside.triplet);
        }
        let text = format!("{}({}) = {}({})", array.name, left.join(","), other.name, right.join(","));
        self.program.statement(text, Watch::operands(operands));
    }

    /// An assignment to a whole array.
    pub fn whole(&mut self) {
        let rank = *self.random.pick(&[1, 1, 2, 2, 3]);
        let Some(target) = self.real_array(rank) else { return self.sections() };
        let (one, other) = (self.like(&target), self.like(&target));
        let names = [&target, &one, &other].map(|array| array.name.clone());
        let operands: Vec<String> = [&target, &one, &other].map(Array::has_elements).to_vec();
        let [target_name, one, other] = names;
        if target.is_allocatable {
            // It takes any shape.
            let text = format!("{target_name}(:{}) = {one} + {other}", ",:".repeat(rank - 1));
            return self.program.statement(text, Watch::operands(operands));
        }
        let text = match self.random.below(7) {
            0 => format!("where ({one} > 1.0) {target_name} = {other}"),
            1 => format!("{target_name} = max({one}, {other})"),
            2 => format!("{target_name} = merge({one}, {other}, {one} > 0.5)"),
            3 => format!("{target_name} = {one}"),
            4 => return self.where_construct(&target_name, &one, &other, operands),
            _ => format!("{target_name} = {one} * {other} + x"),
        };
        self.program.statement(text, Watch::operands(operands));
    }

    fn where_construct(&mut self, target: &str, one: &str, other: &str, operands: Vec<String>) {
        self.program
            .open(format!("where ({one} > 1.0)"), Watch { next: Some(".true.".into()), ..Watch::operands(operands) });
        self.program.plain(format!("{target} = {other}"));
        self.program.close("end where");
    }

    /// A statement with an intrinsic function of arrays.
    pub fn intrinsic(&mut self) {
        match self.random.below(6) {
            0 | 1 => self.scalar_intrinsic(),
            2 | 3 => self.vector_intrinsic(),
            _ => self.matrix_intrinsic(),
        }
    }

    fn scalar_intrinsic(&mut self) {
        let Some(one) = self.vector() else { return self.nothing() };
        let Some(other) = self.vector_like(&one.along) else { return self.nothing() };
        let mut operands = [one.operands, other.operands].concat();
        let mut canaries = [one.canaries, other.canaries].concat();
        let (one, other) = (one.text, other.text);
        let text = match self.random.below(6) {
            0 => format!("x = dot_product({one}, {other})"),
            1 => format!("x = sum({one} * {other})"),
            2 => format!("x = maxval({one} - {other})"),
            3 => format!("x = merge(1.0, 2.0, all({one} > {other}))"),
            4 => format!("x = sum({one}, mask = {other} > 1.0)"),
            _ => {
                let Some(array) = self.real_array(2) else { return self.nothing() };
                let other = self.like(&array);
                operands = vec![array.has_elements(), other.has_elements()];
                canaries.clear();
                format!("x = norm2({} - {})", array.name, other.name)
            }
        };
        let mut watch = Watch { canaries, ..Watch::operands(operands) };
        if text.contains("mask") {
            watch = watch.shape(&one, &other);
        }
        self.program.statement(text, watch);
    }

    fn vector_intrinsic(&mut self) {
        let Some(target) = self.real_array(1).filter(|target| !target.is_allocatable) else {
            return self.scalar_intrinsic();
        };
        let own = target.bounds[0].clone();
        let of_target = Along { triplet: ":".into(), has_elements: target.has_elements(), bounds: own.clone() };
        let Some(one) = self.vector_like(&of_target) else { return self.scalar_intrinsic() };
        let mut operands = [one.operands, vec![target.has_elements()]].concat();
        let mut canaries = one.canaries;
        let value = match self.random.below(9) {
            0 => format!("cshift({}, 1)", one.text),
            1 => format!("eoshift({}, -1)", one.text),
            2 if self.slips(50) => format!("[{}, x]", one.text),
            2 | 3 => {
                let size = if self.slips(50) { self.size() } else { format!("size({})", target.name) };
                canaries.clear();
                operands.push(format!("{size} > 0"));
                format!("[(real(i), i = 1, {size})]")
            }
            4 | 5 => {
                let is_first = self.random.chance(50);
                let (rows, columns) = if is_first { (None, Some(&own)) } else { (Some(&own), None) };
                let Some(matrix) = self.matrix(rows, columns) else { return self.scalar_intrinsic() };
                let function = *self.random.pick(&["sum", "maxval", "product"]);
                operands = vec![target.has_elements(), matrix.has_elements()];
                canaries.clear();
                format!("{function}({}, dim = {})", matrix.name, if is_first { 1 } else { 2 })
            }
            6 | 7 => {
                let is_first = self.random.chance(70);
                let (rows, columns) = if is_first { (Some(&own), None) } else { (None, Some(&own)) };
                let Some(matrix) = self.matrix(rows, columns) else { return self.scalar_intrinsic() };
                let along = Along { bounds: matrix.bounds[usize::from(is_first)].clone(), ..of_target };
                let Some(one) = self.vector_like(&along) else { return self.scalar_intrinsic() };
                operands = [vec![target.has_elements(), matrix.has_elements()], one.operands].concat();
                canaries = one.canaries;
                let pair = if is_first { [matrix.name, one.text] } else { [one.text, matrix.name] };
                format!("matmul({})", pair.join(", "))
            }
            _ => {
                let Some(matrix) = self.real_array(2) else { return self.scalar_intrinsic() };
                operands.push(matrix.has_elements());
                canaries.clear();
                format!("reshape({}, [{}])", matrix.name, own.upper.clone().unwrap_or_default())
            }
        };
        self.assign(&target, &value, Watch { canaries, ..Watch::operands(operands) });
    }

    fn matrix_intrinsic(&mut self) {
        let Some(target) = self.real_array(2).filter(|target| !target.is_allocatable) else {
            return self.vector_intrinsic();
        };
        let (rows, columns) = (target.bounds[0].clone(), target.bounds[1].clone());
        let mut operands = vec![target.has_elements()];
        let mut canaries = Vec::new();
        let value = match self.random.below(8) {
            0 | 1 => {
                let Some(matrix) = self.matrix(Some(&columns), Some(&rows)) else { return self.vector_intrinsic() };
                operands.push(matrix.has_elements());
                format!("transpose({})", matrix.name)
            }
            2 | 3 => {
                let Some(left) = self.matrix(Some(&rows), None) else { return self.vector_intrinsic() };
                let inner = left.bounds[1].clone();
                let Some(right) = self.matrix(Some(&inner), Some(&columns)) else { return self.vector_intrinsic() };
                operands.extend([left.has_elements(), right.has_elements()]);
                format!("matmul({}, {})", left.name, right.name)
            }
            4 => {
                let Some(matrix) = self.matrix(Some(&rows), None) else { return self.vector_intrinsic() };
                operands.push(matrix.has_elements());
                format!("matmul({0}, transpose({0}))", matrix.name)
            }
            5 => {
                let is_first = self.random.chance(50);
                let (along, other) = if is_first { (&columns, &rows) } else { (&rows, &columns) };
                let along = Along { bounds: along.clone(), triplet: ":".into(), has_elements: target.has_elements() };
                let Some(one) = self.vector_like(&along) else { return self.vector_intrinsic() };
                let size = if self.slips(40) { self.size() } else { other.upper.clone().unwrap_or_default() };
                operands.extend(one.operands);
                canaries = one.canaries;
                operands.push(format!("{size} > 0"));
                format!("spread({}, {}, {size})", one.text, if is_first { 1 } else { 2 })
            }
            6 => {
                let Some(matrix) = self.matrix(None, None) else { return self.vector_intrinsic() };
                let mut sizes = [&rows, &columns].map(|bounds| bounds.upper.clone().unwrap_or_default());
                if self.slips(40) {
                    sizes.reverse();
                }
                operands.push(matrix.has_elements());
                operands.extend(sizes.iter().map(|size| format!("{size} > 0")));
                format!("reshape({}, [{}])", matrix.name, sizes.join(", "))
            }
            _ => {
                let other = self.like(&target);
                operands.push(other.has_elements());
                format!("cshift({}, 1, dim = {})", other.name, self.random.between(1, 2))
            }
        };
        self.assign(&target, &value, Watch { canaries, ..Watch::operands(operands) });
    }

    /// The assignment of a value whose shape gfortran doesn't always hold against that of the array.
    fn assign(&mut self, target: &Array, value: &str, watch: Watch) {
        let watch = watch.shape(&target.name, value);
        self.program.statement(format!("{} = {value}", target.name), watch);
    }
}
