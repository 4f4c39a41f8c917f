//! Names planted in texts in every way people write them. All must be found, and nothing else.

use std::collections::HashSet;
use std::ops::Range;

use grantor_domain::name_index::{Folded, NameIndex};

use super::corpus::{Random, push_words};
use super::{Key, key};
use crate::measure::report;

const EACH: usize = 5_000;

/// A person's key and the position of the name.
type Occurrence = (Key, Range<usize>);

/// Writes a name into a text. Returns the written text and the part of it that is the name.
type Write = fn(&str, &mut Random) -> (String, Range<usize>);

/// The ways to write a name, and whether the name must be found.
const KINDS: [(&str, bool, Write); 9] = [
    ("plain", true, |name, _| whole(name.to_owned())),
    ("accents", true, |name, random| whole(accented(name, random))),
    ("case", true, |name, random| {
        whole(if random.below(2) == 0 { name.to_uppercase() } else { name.to_lowercase() })
    }),
    ("line breaks", true, |name, random| whole(respaced(name, ["\n", "\r\n   ", " \t\n"], random))),
    ("hyphens and other spaces", true, |name, random| {
        whole(respaced(name, ["-", "\u{a0}", " – "], random))
    }),
    ("punctuation around", true, |name, random| {
        let around = [("“", "”,"), ("(", ")"), ("", "'s"), ("d’", ""), ("", "."), ("@", "!")];
        within(name, around[random.below(around.len())])
    }),
    ("soft hyphens and direction marks", true, |name, _| {
        whole(format!("{}\u{ad}{}\u{200e}{}", &name[..2], &name[2..3], &name[3..]))
    }),
    ("inside longer words", false, |name, random| {
        // No name contains a q.
        let around = [("Jaq", ""), ("", "qs"), ("q", "q"), ("", "2"), ("_", ""), ("", "q\u{301}")];
        within(name, around[random.below(around.len())])
    }),
    ("across sentences", false, |name, _| whole(name.replace(' ', ". "))),
];

/// Plants names of each kind and reports how many were found.
pub(super) fn run(names: &[String], index: &NameIndex<Key>) {
    for (kind, is_name, write) in KINDS {
        let mut random = Random(3);
        let (mut text, mut planted) = (String::new(), Vec::new());
        while planted.len() < EACH {
            let number = random.below(names.len());
            // A name that must not be found must not contain a shorter name either.
            let parts = names[number].split([' ', '-']).count();
            if parts == 1 || !is_name && parts > 2 {
                continue;
            }
            push_words(&mut text, &mut random, 20);
            let (words, range) = write(&names[number], &mut random);
            planted.push((key(number), text.len() + range.start..text.len() + range.end));
            text.push_str(&words);
            text.push_str(" , ");
        }
        let text = Folded::of_text(text);
        let found = index.find(&text).map(|it| (it.key, it.range)).collect();
        report_kind(kind, is_name, &found, &planted);
    }
}

#[expect(clippy::cast_precision_loss, reason = "the number is only printed")]
fn report_kind(kind: &str, is_name: bool, found: &HashSet<Occurrence>, planted: &[Occurrence]) {
    let seen = planted.iter().filter(|it| found.contains(it)).count();
    // Several people may have a planted name, and it may contain a shorter one.
    let contains = |outer: &Occurrence, it: &Occurrence| {
        outer.1.start <= it.1.start && it.1.end <= outer.1.end
    };
    let expected = |it: &Occurrence| is_name && planted.iter().any(|outer| contains(outer, it));
    let wrong = found.iter().filter(|it| !expected(it)).count();
    let share = seen as f64 / planted.len() as f64 * 100.0;
    let total = planted.len();
    report("names", &format!("{kind}: {share:.2} % of {total} found, {wrong} false matches"));
}

fn whole(text: String) -> (String, Range<usize>) {
    let range = 0..text.len();
    (text, range)
}

fn within(name: &str, (before, after): (&str, &str)) -> (String, Range<usize>) {
    (format!("{before}{name}{after}"), before.len()..before.len() + name.len())
}

/// Adds accents to some letters, precomposed or combining.
fn accented(name: &str, random: &mut Random) -> String {
    let accent = |it: char, random: &mut Random| match (it, random.below(3)) {
        ('a', 0) => "á".to_owned(),
        ('e', 0) => "ë".to_owned(),
        ('o', 0) => "ø".to_owned(),
        ('l', 0) => "ł".to_owned(),
        ('a' | 'e' | 'i' | 'o' | 'u' | 'n', 1) => format!("{it}\u{301}"),
        _ => it.to_string(),
    };
    name.chars().map(|it| accent(it, random)).collect()
}

fn respaced(name: &str, spaces: [&str; 3], random: &mut Random) -> String {
    name.replace(' ', spaces[random.below(3)])
}
