//! The index finds the same however it grew, and keeps to its memory.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use super::Picture;
use crate::segment::{MOST_REFERENCES, Segment};
use crate::vote::votes;
use crate::{Candidate, Entry, Index, Query, Shelf, ShelfError, Stored};

static ENTRIES: LazyLock<Vec<(usize, Vec<Entry>)>> = LazyLock::new(|| {
    (0..).zip((0..9).map(|it| Picture::drawn(it, 400, 300).described().entries)).collect()
});

fn keys(found: &[Candidate<usize>]) -> Vec<usize> {
    found.iter().map(|it| it.key).collect()
}

fn query(number: u64) -> Query {
    Picture::drawn(number, 400, 300).crop(50, 40, 300, 200).query()
}

#[test]
fn references_are_added_one_by_one_or_together() {
    let (mut single, mut together) = (Index::default(), Index::default());
    for one in ENTRIES.iter() {
        single.insert_all(std::slice::from_ref(one)).unwrap();
    }
    together.insert_all(&ENTRIES).unwrap();
    together.insert_all(&ENTRIES[2..4]).unwrap();
    assert_eq!((single.len(), together.len()), (9, 9));
    for number in 0..9 {
        let [one, other] = [&single, &together].map(|it| it.search(&query(number), 5).unwrap());
        assert_eq!(one, other);
        assert_eq!(keys(&one)[0], usize::try_from(number).unwrap());
    }
}

#[test]
fn a_removed_reference_is_not_found() {
    let mut index = Index::default();
    index.insert_all(&ENTRIES).unwrap();
    index.remove(4);
    index.remove(4);
    assert_eq!((index.len(), index.is_empty()), (8, false));
    assert!(!keys(&index.search(&query(4), 5).unwrap()).contains(&4));
    index.insert_all(&ENTRIES).unwrap();
    assert_eq!(keys(&index.search(&query(4), 1).unwrap()), [4]);
}

/// Keeps bytes elsewhere, and counts how often they are read. Fails if told so.
#[derive(Clone, Debug, Default)]
struct Elsewhere {
    reads: Arc<AtomicUsize>,
    fails: bool,
}

#[derive(Debug)]
struct Kept(Vec<u8>, Arc<AtomicUsize>);

impl Shelf for Elsewhere {
    fn store(&self, bytes: &[u8]) -> Result<Box<dyn Stored>, ShelfError> {
        if self.fails {
            return Err(ShelfError("no space".to_owned()));
        }
        Ok(Box::new(Kept(bytes.to_vec(), Arc::clone(&self.reads))))
    }
}

impl Stored for Kept {
    fn read(&self, offset: u64, into: &mut [u8]) -> Result<(), ShelfError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        let offset = usize::try_from(offset).unwrap();
        let from = self.0.get(offset..offset + into.len());
        into.copy_from_slice(from.ok_or_else(|| ShelfError("too short".to_owned()))?);
        Ok(())
    }
}

#[test]
fn a_segment_on_a_shelf_finds_the_same() {
    let entries: Vec<&[Entry]> = ENTRIES.iter().map(|(_, it)| it.as_slice()).collect();
    let (kept, mut moved) = (Segment::new(&entries), Segment::new(&entries));
    let shelf = Elsewhere::default();
    moved.store(&shelf).unwrap();
    assert!(moved.memory() < kept.memory() && moved.movable() == 0);
    for number in 0..3 {
        let query = query(number);
        assert_eq!(votes(&kept, &query), votes(&moved, &query));
    }
    assert!(shelf.reads.load(Ordering::Relaxed) > 100);
    assert!(kept.joined(&moved).is_none());
}

#[test]
fn memory_stays_within_the_bound() {
    let few = |from: usize| -> Vec<(usize, Vec<Entry>)> {
        (from..from + MOST_REFERENCES).map(|it| (it, ENTRIES[it % 9].1[..2].to_vec())).collect()
    };
    // Between what the index takes with its postings in memory and without.
    let bound = 11 << 20;
    let shelf = Elsewhere::default();
    let mut bounded = Index::bounded(bound, Box::new(shelf.clone()));
    let mut free = Index::default();
    for from in [0, MOST_REFERENCES] {
        bounded.insert_all(&few(from)).unwrap();
        free.insert_all(&few(from)).unwrap();
    }
    let memory = [bounded.memory(), free.memory()];
    assert!(memory[0] <= bound && bound < memory[1], "{memory:?}");
    assert_eq!(bounded.len(), free.len());
    let full = Elsewhere { fails: true, ..shelf };
    let error = Index::bounded(0, Box::new(full)).insert_all(&few(0)).unwrap_err();
    assert_eq!(error.to_string(), "a part of the image index is not available: no space");
}
