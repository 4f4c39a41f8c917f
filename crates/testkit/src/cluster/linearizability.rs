//! Checks whether a history of concurrent operations is linearizable: whether there is an order in
//! which they could have happened one after another, each between its call and its return, with the
//! results that they had. The algorithm of Wing and Gong with Lowe's memory of what was tried.

use std::collections::HashSet;
use std::hash::Hash;

/// What operations do when they happen one after another.
pub trait Model {
    /// The state of the object.
    type State: Clone + Eq + Hash;
    /// An operation with its result.
    type Operation;

    /// The state after an operation; `None` if it cannot have its result in this state.
    fn step(state: &Self::State, operation: &Self::Operation) -> Option<Self::State>;
}

/// An operation in a history. Times only order calls and returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<O> {
    /// When it was called.
    pub called: u64,
    /// When it returned; `None` if that is not known. It may then have happened at any time after
    /// its call, or never.
    pub returned: Option<u64>,
    /// The operation.
    pub operation: O,
}

/// Why a history is not linearizable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The positions of the operations in the longest order that was possible.
    pub ordered: Vec<usize>,
    /// The position of the first operation by its return that does not fit after them.
    pub stuck: usize,
}

/// Checks the history of one object. Objects are independent: check each of them by itself.
pub fn check<M: Model>(initial: M::State, history: &[Call<M::Operation>]) -> Result<(), Violation> {
    let mut search = Search::<M>::new(initial, history);
    while search.left > 0 {
        if !search.advance() && !search.go_back() {
            return Err(search.violation());
        }
    }
    Ok(())
}

struct Search<'a, M: Model> {
    history: &'a [Call<M::Operation>],
    /// The positions in the history, by the times of the calls.
    order: Vec<usize>,
    /// Which places in the order are taken, as bits.
    taken: Vec<u64>,
    /// The operations that returned and are not taken.
    left: usize,
    state: M::State,
    /// The places taken so far, each with the state before.
    path: Vec<(usize, M::State)>,
    /// The first place to try next.
    next: usize,
    /// What was tried: what is taken, without those that all are, and the state after it.
    tried: HashSet<(usize, Vec<u64>, M::State)>,
    longest: Vec<usize>,
}

impl<'a, M: Model> Search<'a, M> {
    fn new(state: M::State, history: &'a [Call<M::Operation>]) -> Self {
        let mut order: Vec<usize> = (0..history.len()).collect();
        order.sort_by_key(|it| history[*it].called);
        let left = history.iter().filter(|it| it.returned.is_some()).count();
        let taken = vec![0; history.len().div_ceil(64)];
        let (path, tried, longest) = (Vec::new(), HashSet::new(), Vec::new());
        Self { history, order, taken, left, state, path, next: 0, tried, longest }
    }

    fn call(&self, place: usize) -> &'a Call<M::Operation> {
        &self.history[self.order[place]]
    }

    fn is_taken(&self, place: usize) -> bool {
        self.taken[place / 64] >> (place % 64) & 1 == 1
    }

    fn flip(&mut self, place: usize) {
        self.taken[place / 64] ^= 1 << (place % 64);
    }

    /// How many words of bits at the beginning have no place that is not taken.
    fn full(&self) -> usize {
        self.taken.iter().take_while(|it| **it == u64::MAX).count()
    }

    /// What is taken, as short as possible, so that memory does not grow with the whole history.
    fn window(&self) -> (usize, Vec<u64>) {
        let full = self.full();
        let end = self.taken.iter().rposition(|it| *it != 0).map_or(0, |it| it + 1);
        (full, self.taken.get(full..end).unwrap_or_default().to_vec())
    }

    /// The first return of an operation that is not taken: whatever was called later came after it.
    fn first_return(&self) -> u64 {
        let mut first = u64::MAX;
        for place in self.full() * 64..self.order.len() {
            let call = self.call(place);
            if call.called > first {
                break;
            }
            if !self.is_taken(place) {
                first = first.min(call.returned.unwrap_or(u64::MAX));
            }
        }
        first
    }

    /// Takes the next operation that may come now and leads to something new.
    fn advance(&mut self) -> bool {
        let bound = self.first_return();
        for place in self.next.max(self.full() * 64)..self.order.len() {
            let call = self.call(place);
            if call.called > bound {
                break;
            }
            if self.is_taken(place) {
                continue;
            }
            let Some(state) = M::step(&self.state, &call.operation) else { continue };
            self.flip(place);
            let (full, rest) = self.window();
            if self.tried.insert((full, rest, state.clone())) {
                let before = std::mem::replace(&mut self.state, state);
                self.path.push((place, before));
                self.left -= usize::from(call.returned.is_some());
                self.next = 0;
                return true;
            }
            self.flip(place);
        }
        false
    }

    /// Gives the last operation back, to try those after it.
    fn go_back(&mut self) -> bool {
        if self.path.len() > self.longest.len() {
            self.longest = self.path.iter().map(|(it, _)| self.order[*it]).collect();
        }
        let Some((place, before)) = self.path.pop() else { return false };
        self.flip(place);
        self.left += usize::from(self.call(place).returned.is_some());
        (self.state, self.next) = (before, place + 1);
        true
    }

    fn violation(self) -> Violation {
        let ordered: HashSet<usize> = self.longest.iter().copied().collect();
        let left = (0..self.history.len()).filter(|it| !ordered.contains(it));
        let stuck = left.filter(|it| self.history[*it].returned.is_some());
        let stuck = stuck.min_by_key(|it| self.history[*it].returned).unwrap_or(0);
        Violation { ordered: self.longest, stuck }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A register that starts at 0.
    enum Register {
        Write(u8),
        Read(u8),
    }
    use Register::{Read, Write};

    struct Registers;

    impl Model for Registers {
        type State = u8;
        type Operation = Register;

        fn step(state: &u8, operation: &Register) -> Option<u8> {
            match operation {
                Write(value) => Some(*value),
                Read(value) => (state == value).then_some(*state),
            }
        }
    }

    fn fits(calls: Vec<(u64, Option<u64>, Register)>) -> bool {
        let calls = calls.into_iter();
        let history: Vec<_> = calls
            .map(|(called, returned, operation)| Call { called, returned, operation })
            .collect();
        check::<Registers>(0, &history).is_ok()
    }

    #[test]
    fn what_happens_one_after_another_must_fit() {
        assert!(fits(vec![]));
        assert!(fits(vec![(1, Some(2), Write(5)), (3, Some(4), Read(5))]));
        assert!(!fits(vec![(1, Some(2), Write(5)), (3, Some(4), Read(0))]), "a stale read");
        assert!(!fits(vec![(1, Some(2), Read(5)), (3, Some(4), Write(5))]), "from the future");
        assert!(
            !fits(vec![(1, Some(2), Write(5)), (3, Some(4), Write(6)), (5, Some(6), Read(5)),]),
            "a lost write"
        );
    }

    #[test]
    fn what_happens_at_once_may_be_in_any_order() {
        for seen in [0, 5] {
            assert!(fits(vec![(1, Some(4), Write(5)), (2, Some(3), Read(seen))]));
        }
        assert!(fits(vec![
            (1, Some(10), Write(5)),
            (2, Some(9), Write(6)),
            (3, Some(4), Read(6)),
            (5, Some(6), Read(5)),
        ]));
        assert!(
            !fits(vec![(1, Some(10), Write(5)), (2, Some(3), Read(5)), (4, Some(5), Read(0)),]),
            "seen, and then not"
        );
    }

    #[test]
    fn what_never_returned_may_have_happened_or_not() {
        for seen in [0, 5] {
            assert!(fits(vec![(1, None, Write(5)), (2, Some(3), Read(seen))]));
        }
        assert!(fits(vec![(1, None, Write(5)), (2, Some(3), Read(0)), (4, Some(5), Read(5))]));
        let again = (6, Some(7), Read(0));
        let seen = (4, Some(5), Read(5));
        assert!(!fits(vec![(1, None, Write(5)), (2, Some(3), Read(0)), seen, again]));
        assert!(!fits(vec![(3, None, Write(5)), (1, Some(2), Read(5))]), "before its call");
    }

    #[test]
    fn a_violation_says_where_it_is() {
        let call = |called, operation| Call { called, returned: Some(called + 1), operation };
        let history = [call(1, Write(5)), call(3, Read(5)), call(5, Read(7)), call(7, Read(5))];
        let violation = check::<Registers>(0, &history).unwrap_err();
        assert_eq!(violation, Violation { ordered: vec![0, 1], stuck: 2 });
    }

    #[test]
    fn a_long_history_with_much_at_once_is_checked_quickly() {
        let mut history = Vec::new();
        for round in 0..500_u64 {
            for value in 0..4_u8 {
                let called = round * 10 + u64::from(value);
                let returned = Some(round * 10 + 9);
                history.push(Call { called, returned, operation: Write(value) });
            }
        }
        let last = |value| Call { called: 6_000, returned: Some(6_001), operation: Read(value) };
        history.push(last(2));
        assert_eq!(check::<Registers>(0, &history), Ok(()));
        history.pop();
        history.push(last(9));
        assert!(check::<Registers>(0, &history).is_err());
    }
}
