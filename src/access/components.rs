//! The strongly connected components of a graph that need not be built (Tarjan 1972): it is enough to know where the edges of a node lead.

/// Calls `found` with each strongly connected component of what can be reached from these nodes, after all components to which its edges
/// lead. `edges` puts where the edges of a node lead behind what is in a list; nodes are numbers below `count`.
pub fn components(
    count: usize,
    starts: impl Iterator<Item = u32>,
    edges: impl Fn(u32, &mut Vec<u32>),
    mut found: impl FnMut(&[u32]),
) {
    let mut walk = Walk { number: vec![NOT_MET; count], low: vec![NOT_MET; count], ..Walk::default() };
    for start in starts {
        if walk.number[start as usize] == NOT_MET {
            walk.enter(start, &edges);
        }
        while let Some(&(node, first)) = walk.path.last() {
            if walk.pending.len() > first {
                walk.follow(node, &edges);
            } else {
                walk.leave(node, &mut found);
            }
        }
    }
}

/// The number of a node that was not met.
const NOT_MET: u32 = 0;
/// The number of a node whose component was found.
const DONE: u32 = u32::MAX;

#[derive(Default)]
struct Walk {
    /// In which order the nodes were met.
    number: Vec<u32>,
    /// The least number of a node that can be reached from a node, as far as is known.
    low: Vec<u32>,
    /// How many nodes were met.
    met: u32,
    /// The nodes from the start to here, each with where its edges begin in `pending`.
    path: Vec<(u32, usize)>,
    /// Where those edges lead that are still to be followed.
    pending: Vec<u32>,
    /// The nodes whose component is not found yet, in the order in which they were met.
    open: Vec<u32>,
}

impl Walk {
    fn enter(&mut self, node: u32, edges: &impl Fn(u32, &mut Vec<u32>)) {
        self.met += 1;
        self.number[node as usize] = self.met;
        self.low[node as usize] = self.met;
        self.open.push(node);
        self.path.push((node, self.pending.len()));
        edges(node, &mut self.pending);
    }

    /// Follows the next edge of a node.
    fn follow(&mut self, node: u32, edges: &impl Fn(u32, &mut Vec<u32>)) {
        let Some(to) = self.pending.pop() else { return };
        match self.number[to as usize] {
            NOT_MET => self.enter(to, edges),
            number => self.low[node as usize] = self.low[node as usize].min(number),
        }
    }

    /// Leaves the last node of the path.
    fn leave(&mut self, node: u32, found: &mut impl FnMut(&[u32])) {
        self.path.pop();
        let low = self.low[node as usize];
        if let Some(&(before, _)) = self.path.last() {
            self.low[before as usize] = self.low[before as usize].min(low);
        }
        if low == self.number[node as usize] {
            let first = self.open.iter().rposition(|&open| open == node).unwrap_or(0);
            found(&self.open[first..]);
            self.open.drain(first..).for_each(|done| self.number[done as usize] = DONE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(edges: &[&[u32]]) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let lead = |node: u32, to: &mut Vec<u32>| to.extend(edges[node as usize]);
        components(edges.len(), 0..edges.len() as u32, lead, |component| {
            let mut component = component.to_vec();
            component.sort_unstable();
            all.push(component);
        });
        all
    }

    #[test]
    fn a_component_comes_after_those_it_leads_to() {
        assert_eq!(of(&[&[1], &[2], &[]]), [[2], [1], [0]]);
        assert_eq!(of(&[&[], &[0], &[1]]), [[0], [1], [2]]);
    }

    #[test]
    fn a_ring_is_one_component() {
        assert_eq!(of(&[&[1, 3], &[2], &[0, 3], &[]]), [vec![3], vec![0, 1, 2]]);
        assert_eq!(of(&[&[0]]), [[0]]);
        // Two rings, one of which leads to the other.
        assert_eq!(of(&[&[1], &[0, 2], &[3], &[2]]), [[2, 3], [0, 1]]);
    }

    #[test]
    fn an_edge_to_a_finished_component_joins_nothing() {
        assert_eq!(of(&[&[1, 2], &[3], &[3], &[]]), [[3], [2], [1], [0]]);
    }
}
