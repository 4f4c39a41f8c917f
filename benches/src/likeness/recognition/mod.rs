//! Recognition by local features: how many copies are found after each transform, how many
//! unrelated pictures match among a million references, what each step costs, and what `OpenCV`
//! finds in the same pictures.
//!
//! `likeness` measures all of it, `likeness cost` only what each step costs, `likeness hard` only
//! the hardest transforms, `likeness unrelated` looks for false matches among the real pictures
//! alone, and `likeness train` trains the vocabulary.

mod calibration;
mod draw;
mod false_match;
mod library;
mod number;
mod oracle;
mod pictures;
mod random;
mod shelf;
mod synthetic;
mod train;
mod transforms;
mod warp;

use std::path::{Path, PathBuf};
use std::time::Duration;

use grantor_recognition::{Described, Query, Strength, descriptions};
use image::GrayImage;

use self::false_match::FalseMatches;
use self::library::{Library, Lookup, Match};
use self::number::{count, interval};
use self::oracle::Oracle;
use self::pictures::{Pictures, open, pictures, small};
use self::random::Random;
use self::transforms::{TRANSFORMS, Transform, jpeg};
use crate::measure::{Outcome, processor_time, report};

const SUITE: &str = "likeness";
/// References in the index: for the cost of a smaller one, and for everything else.
const SOME: usize = 100_000;
const ALL: usize = 1_000_000;
/// Copies per transform. With 58 transforms, no false match in all of them means fewer than one in a
/// thousand lookups with 95 % confidence, if lookups were independent.
const COPIES: usize = 67;
/// The transforms whose copies are found least often.
const HARD: [&str; 9] = [
    "crop to 20 %",
    "scale 15 %",
    "text banner 33 %",
    "collage of nine",
    "inset 15 % of the area",
    "inset 6 % of the area",
    "color, inverted",
    "blur 0.6 %",
    "video still, poor",
];
/// Transforms that take little time, in which unrelated pictures are looked up.
const QUICK: [&str; 12] = [
    "unchanged",
    "mirror, crop to 50 %",
    "crop to 50 %",
    "scale 50 %",
    "text banner 20 %",
    "logo 25 %",
    "meme captions",
    "screenshot of a post",
    "crop to 20 %",
    "color, low contrast",
    "border 15 %",
    "scale 25 %",
];
/// Names of the transforms that put other pictures around the copy.
const AROUND: [&str; 2] = ["collage", "inset"];
/// Where the vocabulary is.
const VOCABULARY: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/recognition/src/vocabulary.bin");

pub(crate) fn run(words: &[String]) -> Outcome {
    let pictures = pictures()?;
    if words.iter().any(|it| it == "train") {
        let mut all = Vec::new();
        for file in &pictures.training {
            let gray = small(&open(file)?);
            all.extend(descriptions(gray.as_raw(), side(gray.width()), side(gray.height())));
        }
        return train::train(&all, VOCABULARY);
    }
    if words.iter().any(|it| it == "unrelated") {
        return unrelated(&pictures);
    }
    let mut library = Library::new(&pictures)?;
    library.grow(SOME)?;
    let chosen = library.chosen(COPIES);
    cost(&library, &chosen)?;
    library.grow(ALL)?;
    cost(&library, &chosen)?;
    if words.iter().any(|it| it == "cost") {
        return library.bounded(&chosen);
    }
    let hard = words.iter().any(|it| it == "hard");
    let mut oracle = Oracle::new()?;
    let mut tables = Vec::new();
    let mut unrelated = FalseMatches::default();
    for (name, transform) in TRANSFORMS {
        if hard && !HARD.contains(&name) {
            continue;
        }
        let row = recall(&library, &pictures.fillers, &chosen, (name, transform), &mut oracle)?;
        row.lookups.iter().for_each(|it| unrelated.add(it));
        report(SUITE, &row.text());
        tables.push(row);
    }
    unrelated.report(library.len());
    calibration::report_curve(&tables);
    oracle.compare(&tables)?;
    library.bounded(&chosen)
}

/// Looks up all pictures in several variants among all of them, to count false matches.
fn unrelated(pictures: &Pictures) -> Outcome {
    let parts = [&pictures.references, &pictures.training, &pictures.fillers];
    let references = parts.into_iter().flatten().cloned().collect();
    let all = Pictures { references, training: Vec::new(), fillers: Vec::new() };
    let library = Library::new(&all)?;
    let mut wrong = FalseMatches::default();
    for at in library.chosen(library.len()) {
        let picture = open(&library.files[at])?;
        let mut random = Random(at as u64);
        for (_, transform) in TRANSFORMS.iter().filter(|it| QUICK.contains(&it.0)) {
            let copy = small(&transform(&picture, &picture, &mut random));
            wrong.add(&library.look_up(&query(&copy), Some(at))?);
        }
    }
    wrong.report(library.len());
    Ok(())
}

/// What was found after one transform.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) lookups: Vec<Lookup>,
}

impl Row {
    /// The copies with at least this strength; without one, those that were candidates.
    fn found(&self, least: Option<Strength>) -> usize {
        let strong = |it: &&Lookup| it.own.is_some_and(|own| own.strength >= least);
        self.lookups.iter().filter(strong).count()
    }

    /// The same as a share in percent.
    pub(crate) fn share(&self, least: Option<Strength>) -> f64 {
        100.0 * count(self.found(least)) / count(self.lookups.len().max(1))
    }

    fn text(&self) -> String {
        let own: Vec<Match> = self.lookups.iter().map(|it| it.own.unwrap_or_default()).collect();
        let low = |of: fn(&Match) -> f32, percent: usize| {
            let mut all: Vec<f32> = own.iter().map(of).collect();
            all.sort_by(f32::total_cmp);
            all.get(all.len() * percent / 100).copied().unwrap_or_default()
        };
        let (least, most) = interval(self.found(Some(Strength::Weak)), self.lookups.len());
        format!(
            "| {} | {:.1} | {:.1} | {:.1} | {:.0} | {:.0} | {:.2} | {:.1} to {:.1} |",
            self.name,
            self.share(None),
            self.share(Some(Strength::Weak)),
            self.share(Some(Strength::Strong)),
            low(|it| it.score, 50),
            low(|it| it.score, 5),
            low(|it| it.spread, 5),
            100.0 * least,
            100.0 * most,
        )
    }
}

/// Transforms pictures and looks up the copies.
fn recall(
    library: &Library,
    fillers: &[PathBuf],
    chosen: &[usize],
    (name, transform): (&'static str, Transform),
    oracle: &mut Oracle,
) -> Outcome<Row> {
    let mut lookups = Vec::new();
    for at in chosen {
        let mut random = Random(*at as u64 * 77 + name.len() as u64 * 1_000_003);
        let file = &fillers[random.below(fillers.len())];
        let filler = open(file)?;
        let picture = open(&library.files[*at])?;
        let copy = small(&jpeg(&transform(&picture, &filler, &mut random), 85));
        oracle.add(name, &self::name(&library.files[*at]), &small(&picture), &copy)?;
        let mut found = library.look_up(&query(&copy), Some(*at))?;
        if AROUND.iter().any(|it| name.contains(it)) {
            found.name = format!("{} in {}", found.name, self::name(file));
        }
        lookups.push(found);
    }
    Ok(Row { name, lookups })
}

/// Reports the CPU time of each step.
fn cost(library: &Library, chosen: &[usize]) -> Outcome {
    let (mut described, mut read, mut searched, mut verified) =
        <(Steps, Steps, Steps, Steps)>::default();
    for at in chosen {
        let picture = small(&open(&library.files[*at])?);
        let (width, height) = (side(picture.width()), side(picture.height()));
        described.add(|| Ok(Described::of(picture.as_raw(), width, height)))?;
        let query = read.add(|| Ok(query(&picture)))?;
        let candidates = searched.add(|| library.candidates(&query))?;
        for candidate in candidates {
            let reference = library.reference(candidate.key)?;
            verified
                .add(|| Ok(grantor_recognition::compare(&query, candidate.mirrored, &reference)))?;
        }
    }
    let text = format!(
        "{} references, {} MB: a reference is described in {described}, a picture in {read}, \
         candidates are found in {searched}, one is verified in {verified}",
        library.len(),
        library.memory() >> 20,
    );
    report(SUITE, &text);
    Ok(())
}

/// The CPU times of one step.
#[derive(Default)]
struct Steps(Vec<Duration>);

impl Steps {
    fn add<T>(&mut self, step: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        let before = processor_time("self")?;
        let done = step();
        self.0.push(processor_time("self")?.saturating_sub(before));
        done
    }
}

impl std::fmt::Display for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut times = self.0.clone();
        times.sort_unstable();
        let at = |percent: usize| {
            let time = times.get(times.len() * percent / 100).copied().unwrap_or_default();
            time.as_secs_f64() * 1e3
        };
        let sum: Duration = times.iter().sum();
        let mean = sum.as_secs_f64() * 1e3 / count(times.len().max(1));
        write!(f, "{mean:.1} ms (mean; median {:.1}, p95 {:.1})", at(50), at(95))
    }
}

fn query(picture: &GrayImage) -> Query {
    Query::of(picture.as_raw(), side(picture.width()), side(picture.height()))
}

fn side(length: u32) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

/// The name of a file, for the report.
fn name(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
