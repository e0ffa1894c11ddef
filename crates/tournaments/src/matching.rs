//! A pairing of all that may not use certain pairs, found by augmenting paths (Edmonds): if one exists, it is found.

const NONE: usize = usize::MAX;

/// Who may be paired with whom, and a pairing of all that proves it to be possible.
pub struct Matching<'a> {
    number: usize,
    may: &'a dyn Fn(usize, usize) -> bool,
    mate: Vec<usize>,
    is_fixed: Vec<bool>,
}

impl<'a> Matching<'a> {
    /// `None` if not all can be paired.
    pub fn of(number: usize, may: &'a dyn Fn(usize, usize) -> bool) -> Option<Self> {
        let mut matching = Self { number, may, mate: vec![NONE; number], is_fixed: vec![false; number] };
        for one in 0..number {
            if matching.mate[one] == NONE && !matching.augment(one) {
                return None;
            }
        }
        Some(matching)
    }

    pub fn is_fixed(&self, one: usize) -> bool {
        self.is_fixed[one]
    }

    /// Pairs these two for good if all others can then be paired still.
    pub fn fix(&mut self, one: usize, other: usize) -> bool {
        if self.is_fixed[one] || self.is_fixed[other] || !(self.may)(one, other) {
            return false;
        }
        let (left, right) = (self.mate[one], self.mate[other]);
        (self.is_fixed[one], self.is_fixed[other]) = (true, true);
        if left != other {
            (self.mate[left], self.mate[right]) = (NONE, NONE);
            if !self.augment(left) {
                (self.mate[left], self.mate[right]) = (one, other);
                (self.is_fixed[one], self.is_fixed[other]) = (false, false);
                return false;
            }
            (self.mate[one], self.mate[other]) = (other, one);
        }
        true
    }

    /// Pairs `root` and another one that is not paired, by a path along which pairs and others alternate.
    fn augment(&mut self, root: usize) -> bool {
        let Some((mut end, before)) = Search::new(self, root).run() else { return false };
        while end != NONE {
            let one = before[end];
            let next = self.mate[one];
            (self.mate[one], self.mate[end]) = (end, one);
            end = next;
        }
        true
    }
}

/// A search for such a path.
struct Search<'m, 'a> {
    matching: &'m Matching<'a>,
    root: usize,
    /// From whom the search came.
    before: Vec<usize>,
    /// The first of the odd circle that somebody is part of.
    base: Vec<usize>,
    is_even: Vec<bool>,
    waiting: Vec<usize>,
}

impl<'m, 'a> Search<'m, 'a> {
    fn new(matching: &'m Matching<'a>, root: usize) -> Self {
        let number = matching.number;
        let mut is_even = vec![false; number];
        is_even[root] = true;
        let (before, base) = (vec![NONE; number], (0..number).collect());
        Self { matching, root, before, base, is_even, waiting: vec![root] }
    }

    fn run(mut self) -> Option<(usize, Vec<usize>)> {
        let mate = &self.matching.mate;
        let mut next = 0;
        while let Some(one) = self.waiting.get(next).copied() {
            next += 1;
            for other in 0..self.matching.number {
                let is_free = !self.matching.is_fixed[other] && self.base[one] != self.base[other];
                if !is_free || mate[one] == other || !(self.matching.may)(one, other) {
                    continue;
                }
                if other == self.root || (mate[other] != NONE && self.before[mate[other]] != NONE) {
                    self.contract(one, other);
                } else if self.before[other] == NONE {
                    self.before[other] = one;
                    if mate[other] == NONE {
                        return Some((other, self.before));
                    }
                    self.is_even[mate[other]] = true;
                    self.waiting.push(mate[other]);
                }
            }
        }
        None
    }

    /// Takes an odd circle as one.
    fn contract(&mut self, one: usize, other: usize) {
        let top = self.common(one, other);
        let mut is_part = vec![false; self.matching.number];
        self.mark(one, top, other, &mut is_part);
        self.mark(other, top, one, &mut is_part);
        for part in 0..self.matching.number {
            if is_part[self.base[part]] {
                self.base[part] = top;
                if !self.is_even[part] {
                    self.is_even[part] = true;
                    self.waiting.push(part);
                }
            }
        }
    }

    /// Where the ways back of both meet first.
    fn common(&self, one: usize, other: usize) -> usize {
        let mate = &self.matching.mate;
        let mut is_passed = vec![false; self.matching.number];
        let mut at = one;
        loop {
            at = self.base[at];
            is_passed[at] = true;
            if mate[at] == NONE {
                break;
            }
            at = self.before[mate[at]];
        }
        at = self.base[other];
        while !is_passed[at] {
            at = self.base[self.before[mate[at]]];
        }
        at
    }

    fn mark(&mut self, from: usize, top: usize, child: usize, is_part: &mut [bool]) {
        let mate = &self.matching.mate;
        let (mut at, mut child) = (from, child);
        while self.base[at] != top {
            (is_part[self.base[at]], is_part[self.base[mate[at]]]) = (true, true);
            self.before[at] = child;
            child = mate[at];
            at = self.before[child];
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether all of `left` can be paired, by trying everything.
    fn is_possible(left: &[usize], may: &dyn Fn(usize, usize) -> bool) -> bool {
        let Some((one, rest)) = left.split_first() else { return true };
        (0..rest.len()).any(|at| {
            let mut others = rest.to_vec();
            let other = others.remove(at);
            may(*one, other) && is_possible(&others, may)
        })
    }

    proptest! {
        #[test]
        fn a_pairing_is_found_exactly_if_there_is_one(
            pairs in prop::collection::vec(any::<bool>(), 45),
            few in any::<bool>(),
            number in 1_usize..=5,
        ) {
            let number = number * 2;
            let may = |one: usize, other: usize| {
                let (low, high) = (one.min(other), one.max(other));
                low != high && pairs[high * (high - 1) / 2 + low] && !(few && (low + high).is_multiple_of(3))
            };
            let all: Vec<usize> = (0..number).collect();
            let found = Matching::of(number, &may);
            prop_assert_eq!(found.is_some(), is_possible(&all, &may));
            let Some(mut matching) = found else { return Ok(()) };
            for one in 0..number {
                if matching.is_fixed(one) {
                    continue;
                }
                let open: Vec<usize> =
                    all.iter().copied().filter(|other| !matching.is_fixed(*other)).collect();
                let mut is_done = false;
                for other in open.iter().copied().filter(|other| *other != one) {
                    let rest: Vec<usize> =
                        open.iter().copied().filter(|left| *left != one && *left != other).collect();
                    let expected = may(one, other) && is_possible(&rest, &may);
                    prop_assert_eq!(matching.fix(one, other), expected);
                    is_done = expected;
                    if is_done {
                        break;
                    }
                }
                prop_assert!(is_done, "nobody is left for {}", one);
            }
        }
    }
}
