//! Searching for a million names in one pass: the speed, the memory, and how many planted names are
//! found.

pub(crate) mod corpus;
mod planted;

use grantor_domain::name_index::{Folded, NameIndex, plain_text};

use crate::measure::{Outcome, clock, median, processor_time, report};

const NAMES: usize = 1_000_000;
const ROUNDS: usize = 6;
/// The bytes of each measured text, and of the pages it is split into.
const SIZE: usize = 16 << 20;
const PAGE: usize = 64 << 10;

type Key = [u8; 16];

/// Runs the suite.
pub(crate) fn run() -> Outcome {
    let names = corpus::names(NAMES);
    let started = clock();
    let mut index =
        NameIndex::build(names.iter().enumerate().map(|(at, it)| (key(at), it.clone())));
    let built = started.elapsed().as_secs_f64();
    let size = index.memory() >> 20;
    report("names", &format!("{} names: built in {built:.1} s, {size} MiB", index.len()));
    change(&mut index, &names)?;

    let plain = corpus::plain(&names, SIZE);
    let written = corpus::written(&plain);
    let html = corpus::page(&written);
    let folded: Vec<_> = pages(&plain).into_iter().map(Folded::of_text).collect();
    let find = |text: &Folded| index.find(text).count();
    speed("match only, folded ASCII", &folded, |it| it.plain().len(), find)?;
    let whole = |text: &&str| find(&Folded::of_text(*text));
    speed("fold and match, folded ASCII", &pages(&plain), |it| it.len(), whole)?;
    speed("fold and match, as written", &pages(&written), |it| it.len(), whole)?;
    let greek = in_greek(&written);
    speed("fold and match, Greek letters", &pages(&greek), |it| it.len(), whole)?;
    speed("strip HTML", &pages(&html), |it| it.len(), |it| plain_text(it).len())?;
    let stripped = |text: &&str| find(&Folded::of_html(text));
    speed("strip, fold and match HTML", &pages(&html), |it| it.len(), stripped)?;
    for hostile in ["<", "&", "<a b='", "<!--", "<p>"] {
        let text = [hostile.repeat((10 << 20) / hostile.len())];
        speed(&format!("strip 10 MiB of {hostile}"), &text, String::len, |it| {
            plain_text(it).len()
        })?;
    }
    planted::run(&names, &index);
    Ok(())
}

fn key(number: usize) -> Key {
    (number as u128).to_le_bytes()
}

/// Measures the update of a person's names.
fn change(index: &mut NameIndex<Key>, names: &[String]) -> Outcome {
    let count: u16 = 10_000;
    let people = || names.iter().zip(names.iter().rev()).take(count.into()).enumerate();
    let before = processor_time("self")?;
    for (number, (name, alias)) in people() {
        index.set(key(number), [name.as_str(), alias.as_str()]);
    }
    for (number, (name, _)) in people() {
        index.set(key(number), [name.as_str()]);
    }
    let spent = processor_time("self")?.saturating_sub(before);
    let each = spent.as_secs_f64() / f64::from(2 * count);
    report("names", &format!("{:.1} µs per update of a person's names", each * 1e6));
    Ok(())
}

/// Splits a long text into pages.
fn pages(text: &str) -> Vec<&str> {
    let (mut pages, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (page, after) = rest.split_at(rest.floor_char_boundary(PAGE));
        pages.push(page);
        rest = after;
    }
    pages
}

/// The same words in an alphabet that is not ASCII.
fn in_greek(text: &str) -> String {
    let alphabet: Vec<char> = "αβγδεζηθικλμνξοπρστυφχψωάέ".chars().collect();
    let letter = |it: char| u32::from(it).checked_sub(u32::from('a')).map(|it| it as usize);
    text.chars()
        .map(|it| letter(it).and_then(|at| alphabet.get(at)).copied().unwrap_or(it))
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "the number is only printed")]
fn speed<T>(
    what: &str,
    texts: &[T],
    size: impl Fn(&T) -> usize,
    work: impl Fn(&T) -> usize,
) -> Outcome {
    let megabytes = texts.iter().map(size).sum::<usize>() as f64 / 1e6;
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let before = processor_time("self")?;
        std::hint::black_box(texts.iter().map(&work).sum::<usize>());
        let spent = processor_time("self")?.saturating_sub(before);
        rounds.push(megabytes / spent.as_secs_f64());
    }
    report("names", &format!("{what}: {:.0} MB/s per core", median(rounds)));
    Ok(())
}
