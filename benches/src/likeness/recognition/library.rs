//! The references: real ones, and generated ones up to any number.

use std::cmp::Ordering;
use std::path::PathBuf;

use grantor_recognition::{
    Candidate, Described, Entry, Finding, Index, Query, Reference, Strength, compare,
};

use super::false_match::in_common;
use super::pictures::{Pictures, open, small};
use super::shelf::Files;
use super::synthetic::{Source, entries, features, names};
use super::{SUITE, Steps, query, side};
use crate::measure::{Outcome, report};

/// Candidates that are verified at most.
const CANDIDATES: usize = 20;
/// References that are added at once.
const BATCH: usize = 65_536;
/// The memory of the bounded index.
const BOUND: usize = 512 << 20;

pub(crate) struct Library {
    pub(crate) files: Vec<PathBuf>,
    real: Vec<Described>,
    sources: Vec<Source>,
    index: Index<usize>,
}

/// What was found of one picture.
pub(crate) struct Lookup {
    /// What was found of the reference that it is a copy of; `None` if that was no candidate.
    pub(crate) own: Option<Match>,
    /// What was found of other references, with their names.
    pub(crate) others: Vec<(Match, String)>,
    /// The picture.
    pub(crate) name: String,
    /// The candidates that were verified.
    pub(crate) candidates: usize,
}

/// How well a reference matches.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
pub(crate) struct Match {
    pub(crate) strength: Option<Strength>,
    pub(crate) score: f32,
    pub(crate) spread: f32,
}

impl From<Finding> for Match {
    fn from(it: Finding) -> Self {
        Self { strength: it.strength(), score: it.score, spread: it.spread }
    }
}

impl Lookup {
    /// The best match of those other references that have this in common with the picture, or
    /// nothing, and agree over at least this share of what is seen of them.
    pub(crate) fn best(&self, common: Option<&str>, spread: f32) -> Option<&(Match, String)> {
        let wanted = |(found, name): &&(Match, String)| {
            found.spread >= spread && in_common(&self.name, name) == common
        };
        let order = |one: &&(Match, String), other: &&(Match, String)| {
            one.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal)
        };
        self.others.iter().filter(wanted).max_by(order)
    }
}

impl Library {
    /// Describes the real references and indexes them, also those that are plain.
    pub(crate) fn new(pictures: &Pictures) -> Outcome<Self> {
        let described = |file: &PathBuf| -> Outcome<Described> {
            let gray = small(&open(file)?);
            Ok(Described::of(gray.as_raw(), side(gray.width()), side(gray.height())))
        };
        let real = pictures.references.iter().map(described).collect::<Outcome<Vec<_>>>()?;
        let training = pictures.training.iter().map(described).collect::<Outcome<Vec<_>>>()?;
        let sources: Vec<Source> = pictures
            .training
            .iter()
            .zip(&training)
            .filter(|(_, it)| !it.reference.is_plain())
            .map(|(file, it)| Source::new(super::name(file), it))
            .collect();
        let plain = real.iter().filter(|it| it.reference.is_plain()).count();
        let bytes =
            real.iter().map(|it| it.reference.to_bytes().len() + it.entries.len() * 8).max();
        let text = format!(
            "{} references of photographs and drawings, {plain} of them too plain; at most {} \
             bytes are stored of one; {} more pictures to generate references of",
            real.len(),
            bytes.unwrap_or(0),
            sources.len(),
        );
        report(SUITE, &text);
        let files = pictures.references.clone();
        let mut library = Self { files, real, sources, index: Index::default() };
        library.index.insert_all(&library.described())?;
        Ok(library)
    }

    /// The entries of the real references that have some.
    fn described(&self) -> Vec<(usize, Vec<Entry>)> {
        let all = self.real.iter().map(|it| it.entries.clone()).enumerate();
        all.filter(|(_, entries)| !entries.is_empty()).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    pub(crate) fn memory(&self) -> usize {
        self.index.memory()
    }

    /// Adds generated references.
    pub(crate) fn grow(&mut self, to: usize) -> Outcome {
        while self.index.len() < to {
            let from = self.index.len();
            let new = from..to.min(from + BATCH);
            self.index.insert_all(&self.generated(new)?)?;
        }
        Ok(())
    }

    /// Generated references with these numbers. Their keys follow those of the real ones.
    fn generated(&self, numbers: std::ops::Range<usize>) -> Outcome<Vec<(usize, Vec<Entry>)>> {
        let one = |it: usize| Ok((self.real.len() + it, entries(&self.sources, it as u64)?));
        numbers.map(one).collect()
    }

    /// The pictures to copy, of all kinds, without those that are too plain.
    pub(crate) fn chosen(&self, most: usize) -> Vec<usize> {
        let usable: Vec<usize> =
            (0..self.real.len()).filter(|it| !self.real[*it].reference.is_plain()).collect();
        usable.iter().step_by((usable.len() / most).max(1)).take(most).copied().collect()
    }

    pub(crate) fn candidates(&self, query: &Query) -> Outcome<Vec<Candidate<usize>>> {
        Ok(self.index.search(query, CANDIDATES)?)
    }

    pub(crate) fn reference(&self, key: usize) -> Outcome<Reference> {
        match self.real.get(key) {
            // As it is stored.
            Some(it) => {
                let read = Reference::from_bytes(&it.reference.to_bytes());
                read.ok_or_else(|| "stored features are damaged".into())
            }
            None => features(&self.sources, (key - self.real.len()) as u64),
        }
    }

    /// Looks a picture up and verifies all candidates. `own` is what it is a copy of.
    pub(crate) fn look_up(&self, query: &Query, own: Option<usize>) -> Outcome<Lookup> {
        let candidates = self.candidates(query)?;
        let named = |key: usize| match self.files.get(key) {
            Some(file) => super::name(file),
            None => names(&self.sources, (key - self.real.len()) as u64),
        };
        let name = own.map(named).unwrap_or_default();
        let mut found =
            Lookup { own: None, others: Vec::new(), name, candidates: candidates.len() };
        for candidate in candidates {
            let key = candidate.key;
            let compared = compare(query, candidate.mirrored, &self.reference(key)?);
            let compared = compared.map(Match::from);
            if Some(key) == own {
                // Once as it is and once mirrored.
                let compared = compared.unwrap_or_default();
                found.own = found.own.filter(|it| *it > compared).or(Some(compared));
            } else if let Some(compared) = compared {
                found.others.push((compared, named(key)));
            }
        }
        Ok(found)
    }

    /// Reports the time of a lookup if most of the index lies in files.
    pub(crate) fn bounded(mut self, chosen: &[usize]) -> Outcome {
        let all = self.index.len();
        self.index = Index::bounded(BOUND, Box::new(Files::new()?));
        self.index.insert_all(&self.described())?;
        self.grow(all)?;
        let (mut searched, mut known) = (Steps::default(), 0);
        for at in chosen {
            let query = query(&small(&open(&self.files[*at])?));
            let found = searched.add(|| self.candidates(&query))?;
            known += usize::from(found.iter().any(|it| it.key == *at));
        }
        let text = format!(
            "within {} MB ({} MB used), the rest in files: candidates are found in {searched}, \
             {known} of {} pictures are among them",
            BOUND >> 20,
            self.memory() >> 20,
            chosen.len(),
        );
        report(SUITE, &text);
        Ok(())
    }
}
