//! Calls of procedures with arrays of explicit, assumed size and assumed shape.

use super::generate::Generator;
use super::program::Watch;
use super::scope::{Array, Bounds, Element};

/// How many elements an array has that is handed over to those of assumed size.
pub const STORE: &str = "2000";

impl Generator {
    /// A call of a procedure of the program.
    pub fn call(&mut self) {
        if self.helpers.is_empty() {
            return self.intrinsic();
        }
        let helper = self.random.pick(&self.helpers).clone();
        let mut watch = Watch::default();
        let mut actual = Vec::new();
        let mut sizes: [Option<String>; 2] = [None, None];
        for dummy in &helper.arrays {
            let Some(array) = self.actual_array(dummy, helper.is_explicit) else { return self.intrinsic() };
            for (at, bounds) in array.bounds.iter().enumerate().take(2).filter(|_| dummy.is_whole()) {
                sizes[at].get_or_insert_with(|| extent(&array, bounds, at));
            }
            actual.push((dummy, array));
        }
        let (swapped, slip) = (self.slips(20), self.slips(20));
        let mut sizes = sizes.map(|size| size.unwrap_or_else(|| self.size()));
        if swapped {
            sizes.reverse();
        }
        if slip {
            sizes[0] = self.size();
        }
        let mut arguments = Vec::new();
        for (dummy, array) in actual {
            arguments.push(self.argument(dummy, &array, helper.is_explicit, &sizes, &mut watch));
        }
        arguments.extend(sizes.iter().cloned().chain(["t".to_owned()]));
        let call = format!("{}({})", helper.name, arguments.join(", "));
        if helper.is_function {
            return self.call_function(&call, &sizes[0], watch);
        }
        let condition = self.random.chance(15).then(|| self.random.pick(&self.scope.sizes).clone());
        match condition {
            Some(size) => self.program.guarded(&format!("{size} > 1"), &format!("call {call}"), watch),
            None => self.program.statement(format!("call {call}"), watch),
        }
    }

    fn call_function(&mut self, call: &str, extent: &str, mut watch: Watch) {
        let targets: Vec<Array> = self.scope.whole(1).into_iter().filter(|array| !array.is_allocatable).collect();
        if targets.is_empty() {
            return self.program.statement(format!("x = sum({call})"), watch);
        }
        let target = self.random.pick(&targets).name.clone();
        watch.operands.extend([format!("size({target}) > 0"), format!("{extent} > 0")]);
        watch.canaries.push(format!("size({target}) == max({extent}, 0)"));
        self.program.statement(format!("{target} = {call}"), watch);
    }

    /// An array that can be an actual argument: of any rank for one of explicit shape.
    fn actual_array(&mut self, dummy: &Array, is_explicit: bool) -> Option<Array> {
        if !dummy.is_whole() {
            let bounds = vec![Bounds::new("1", STORE)];
            return Some(Array {
                name: "store".into(),
                bounds,
                element: Element::Real,
                is_allocatable: false,
                is_assumed: false,
            });
        }
        let any_rank = is_explicit && self.slips(30);
        let fits = |array: &&Array| {
            let has_rank = if any_rank { array.rank() <= 2 } else { array.rank() == dummy.rank() };
            array.element == Element::Real && has_rank && array.is_whole()
        };
        let all: Vec<Array> = self.scope.arrays.iter().filter(fits).cloned().collect();
        if all.is_empty() { None } else { Some(self.random.pick(&all).clone()) }
    }

    /// An actual argument, with what the dummy argument asks of it.
    fn argument(
        &mut self,
        dummy: &Array,
        array: &Array,
        is_explicit: bool,
        sizes: &[String; 2],
        watch: &mut Watch,
    ) -> String {
        let name = &array.name;
        watch.operands.push(array.has_elements());
        if !is_explicit {
            if self.random.chance(25) && array.rank() == 1 {
                let upper = array.bounds[0].upper.clone().unwrap_or_default();
                watch.operands.push(format!("{}+1 <= {upper}", array.bounds[0].lower));
                return format!("{name}({}+1:{upper})", array.bounds[0].lower);
            }
            return name.clone();
        }
        let (text, there) = if dummy.is_whole() && !array.is_assumed && self.random.chance(25) {
            let subscripts: Vec<String> = array.bounds.iter().map(|bounds| self.corner(bounds)).collect();
            // The number of elements before the one that is handed over.
            let mut before = Vec::new();
            for (at, subscript) in subscripts.iter().enumerate() {
                let stride: Vec<String> = (0..at).map(|at| format!("size({name}, {})", at + 1)).collect();
                let stride = if stride.is_empty() { "1".to_owned() } else { stride.join("*") };
                before.push(format!("({subscript} - lbound({name}, {}))*{stride}", at + 1));
                let inside =
                    format!("lbound({name}, {0}) <= {subscript} .and. {subscript} <= ubound({name}, {0})", at + 1);
                watch.canaries.push(inside);
            }
            (format!("{name}({})", subscripts.join(",")), format!("size({name}) - ({})", before.join(" + ")))
        } else {
            (name.clone(), format!("size({name})"))
        };
        let extents: Vec<String> = dummy
            .bounds
            .iter()
            .map(|bounds| match &bounds.upper {
                Some(upper) => {
                    let upper =
                        upper.replace("n1", &format!("({})", sizes[0])).replace("n2", &format!("({})", sizes[1]));
                    format!("max({upper} - ({}) + 1, 0)", bounds.lower)
                }
                None => "1".to_owned(),
            })
            .collect();
        // What is handed over to one of assumed size is large enough for whatever the procedure reaches.
        if dummy.is_whole() {
            watch.canaries.push(format!("{} <= {there}", extents.join("*")));
        }
        text
    }

    fn corner(&mut self, bounds: &Bounds) -> String {
        if !self.slips(60) {
            return bounds.lower.clone();
        }
        match self.random.below(4) {
            0 | 2 => format!("{}+1", bounds.lower),
            1 => bounds.upper.clone().unwrap_or_else(|| bounds.lower.clone()),
            _ => bounds.lower.clone(),
        }
    }
}

/// The extent of a dimension, as callers write it.
fn extent(array: &Array, bounds: &Bounds, at: usize) -> String {
    match &bounds.upper {
        Some(upper) if bounds.lower == "1" => upper.clone(),
        _ => format!("size({}, {})", array.name, at + 1),
    }
}
