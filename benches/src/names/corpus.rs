//! Generated names and texts, the same in every run.

use std::collections::HashSet;

/// A random number generator with a fixed seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(((self.0 >> 33) * end as u64) >> 31).unwrap_or(0)
    }

    /// Returns low numbers far more often than high ones, like the frequency of words.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a random number need not be exact"
    )]
    fn rank(&mut self, end: usize) -> usize {
        let part = self.below(1 << 20) as f64 / f64::from(1 << 20);
        ((end as f64).powf(part) as usize).clamp(1, end) - 1
    }
}

const ONSETS: [&str; 30] = [
    "b", "c", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z", "br",
    "ch", "cl", "dr", "fr", "gr", "pr", "sh", "st", "th", "tr", "",
];
const VOWELS: [&str; 10] = ["a", "e", "i", "o", "u", "ai", "ea", "ie", "oo", "y"];
const CODAS: [&str; 10] = ["", "n", "r", "s", "l", "m", "t", "nd", "ck", "x"];
const SYLLABLES: usize = 3_000;

/// The words of texts. The most common ones have one syllable.
const VOCABULARY: usize = 50_000;
const GIVEN: usize = 30_000;
const SURNAMES: usize = 250_000;

fn push_syllable(word: &mut String, number: usize) {
    // Consecutive numbers must not be neighbors in the alphabet.
    let number = number * 1_009 % SYLLABLES;
    word.push_str(ONSETS[number % 30]);
    word.push_str(VOWELS[number / 30 % 10]);
    word.push_str(CODAS[number / 300]);
}

/// The word with this number: one syllable, two from `SYLLABLES` on, or three.
fn word(number: usize) -> String {
    let mut word = String::new();
    let mut rest = number;
    push_syllable(&mut word, rest % SYLLABLES);
    while rest >= SYLLABLES {
        rest /= SYLLABLES;
        push_syllable(&mut word, rest % SYLLABLES);
    }
    word
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// A given name. One in thirty is also an everyday word, like Mark or Rose.
fn given(random: &mut Random) -> String {
    let number = random.rank(GIVEN);
    let number = if number % 30 == 7 { number } else { 2 * VOCABULARY + number * 7 };
    capital(&word(number))
}

fn surname(random: &mut Random) -> String {
    capital(&word(20 * VOCABULARY + random.below(SURNAMES) * 23))
}

/// Names of one to three words, some with a hyphen. No name ends with an everyday word, so that a
/// match outside the planted names is an error.
pub(crate) fn names(count: usize) -> Vec<String> {
    let everyday: HashSet<String> = (0..VOCABULARY).map(|it| capital(&word(it))).collect();
    let ends_well =
        |it: &String| it.rsplit([' ', '-']).next().is_some_and(|it| !everyday.contains(it));
    let mut random = Random(1);
    let one = || match random.below(100) {
        0..2 => capital(&word(SYLLABLES * SYLLABLES * 3 + random.below(1 << 24))),
        2..80 => format!("{} {}", given(&mut random), surname(&mut random)),
        80..95 => {
            let (first, second) = (given(&mut random), given(&mut random));
            format!("{first} {second} {}", surname(&mut random))
        }
        _ => {
            let first = given(&mut random);
            format!("{first} {}-{}", surname(&mut random), surname(&mut random))
        }
    };
    std::iter::repeat_with(one).filter(ends_well).take(count).collect()
}

/// Adds everyday words, each followed by a space.
pub(crate) fn push_words(text: &mut String, random: &mut Random, count: usize) {
    for _ in 0..count {
        text.push_str(&word(random.rank(VOCABULARY)));
        text.push(' ');
    }
}

/// Folded text of about this size, in which one word in a thousand starts a name.
pub(crate) fn plain(names: &[String], size: usize) -> String {
    let mut random = Random(2);
    let mut text = String::with_capacity(size + 10_000);
    while text.len() < size {
        push_words(&mut text, &mut random, 999);
        let name = &names[random.below(names.len())];
        text.push_str(&name.to_lowercase().replace('-', " "));
        text.push(' ');
    }
    text
}

/// The same words with sentences, capitals and line breaks.
pub(crate) fn written(plain: &str) -> String {
    let mut text = String::with_capacity(plain.len() * 2);
    for (number, word) in plain.split(' ').filter(|it| !it.is_empty()).enumerate() {
        let begins = number % 13 == 0 || number % 17 == 0;
        text.push_str(&if begins { capital(word) } else { word.to_owned() });
        text.push_str(match number % 13 {
            12 if number % 5 == 0 => ".\n\n",
            12 => ". ",
            5 => ", ",
            _ => " ",
        });
    }
    text
}

/// An HTML page with these words.
pub(crate) fn page(written: &str) -> String {
    let mut html =
        "<!doctype html><html><head><style>p { color: red }</style></head><body>".to_owned();
    for (number, paragraph) in written.split("\n\n").enumerate() {
        let marked = paragraph.replacen(", ", ", <a href=\"/p/1?a=b&amp;c=d\">see</a> &amp; ", 1);
        html.extend(["<p class=\"text\" id=\"p", &number.to_string(), "\">", &marked, "</p>\n"]);
    }
    html
}
