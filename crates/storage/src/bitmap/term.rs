//! Terms that several indexes use: words by their beginnings, moments, and amounts.
//!
//! A scope separates the terms of one kind of record from those of the others in the same index.

use grantor_domain::Timestamp;
use grantor_domain::day::{DayPart, DayRange};
use grantor_domain::license::Amount;
use grantor_domain::search::{FindQuery, find_words};

use super::posting::end_of;
use super::query::TermRange;
use super::{BitmapQuery, Group};

/// Beginnings of up to this many letters have their own term. Longer ones are ranges of words,
/// which have few words each.
const LETTERS: usize = 4;

/// How texts are split into words. With another version, the next start indexes all records again.
pub(crate) const WORDS: &str = "2";

/// How exactly moments can be sorted: by year, month, day, hour and minute.
pub(crate) const MOMENT_LEVELS: usize = 5;
/// How exactly moments can be filtered: by year, month and day.
pub(crate) const DAY_LEVELS: usize = 3;
/// The text of a moment at each level, as a part of its RFC 3339 form.
const MOMENT_ENDS: [usize; MOMENT_LEVELS] = [4, 7, 10, 13, 16];

/// The terms of the words of a text in a field.
pub(crate) fn words(scope: &str, field: char, text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for word in find_words(text) {
        let ends = word.char_indices().map(|(at, letter)| at + letter.len_utf8());
        terms.extend(ends.take(LETTERS).map(|end| format!("{scope}p{field}:{}", &word[..end])));
        if word.chars().nth(LETTERS).is_some() {
            terms.push(whole_word(scope, field, &word));
        }
    }
    terms
}

/// The term of a whole word in a field. Only words of more than [`LETTERS`] letters have one.
pub(crate) fn whole_word(scope: &str, field: char, word: &str) -> String {
    format!("{scope}q{field}:{word}")
}

/// A field with its scope.
pub(crate) type Field<'a> = (&'a str, char);

/// Requires that each word of a search begins a word in one of these fields. `also` returns other
/// terms that do for a word.
pub(crate) fn require_words(
    query: &mut BitmapQuery,
    fields: &[Field<'_>],
    search: &FindQuery,
    also: impl Fn(&str) -> Option<String>,
) {
    for word in search.words() {
        let group = begun(fields, word);
        query.require(match also(word) {
            Some(term) => group.or(term),
            None => group,
        });
    }
}

/// The words that begin with these letters, in any of these fields.
fn begun(fields: &[Field<'_>], letters: &str) -> Group {
    let Some((end, _)) = letters.char_indices().nth(LETTERS) else {
        return Group::of(fields.iter().map(|(scope, field)| format!("{scope}p{field}:{letters}")));
    };
    fields.iter().fold(Group::default(), |group, (scope, field)| {
        let from = format!("{scope}q{field}:{letters}");
        let wider = Some(format!("{scope}p{field}:{}", &letters[..end]));
        group.or_within(TermRange { to: end_of(&from), from, wider })
    })
}

/// The terms of a moment, from its year to the given level.
pub(crate) fn moment(scope: &str, facet: char, at: Timestamp, levels: usize) -> Vec<String> {
    let text = at.to_string();
    let parts = MOMENT_ENDS.iter().take(levels).filter_map(|end| text.get(..*end));
    parts.zip(1..).map(|(part, level)| format!("{scope}{facet}{level}:{part}")).collect()
}

/// The term of the moments in a year.
pub(crate) fn year(scope: &str, facet: char, year: u16) -> String {
    format!("{scope}{facet}1:{year:04}")
}

/// The records whose moment is in a range of days.
pub(crate) fn days(scope: &str, facet: char, range: DayRange) -> Group {
    range.parts().into_iter().fold(Group::default(), |group, part| match part {
        DayPart::Years(first, last) => {
            let from = first.map(|it| format!("{it:04}")).unwrap_or_default();
            let to = last.map_or_else(|| "~".to_owned(), |it| format!("{it:04}~"));
            group.or_within(TermRange {
                from: format!("{scope}{facet}1:{from}"),
                to: format!("{scope}{facet}1:{to}"),
                wider: None,
            })
        }
        DayPart::Month(month) => group.or(format!("{scope}{facet}2:{month}")),
        DayPart::Day(day) => group.or(format!("{scope}{facet}3:{day}")),
    })
}

/// The terms of an amount: the amount itself, and its number of digits with the first two of them.
pub(crate) fn amount(scope: &str, amount: Amount) -> [String; 2] {
    let hundredths = amount.hundredths();
    [exact(scope, hundredths), format!("{scope}fb:{}", magnitude(hundredths))]
}

/// The records whose amount is in a range, both ends included.
pub(crate) fn amounts(scope: &str, (from, to): (Amount, Amount)) -> Group {
    let (from, to) = (from.hundredths(), to.hundredths());
    let between = |from: i64, to: i64| TermRange {
        from: exact(scope, from),
        to: exact(scope, to.saturating_add(1)),
        wider: None,
    };
    if to < from {
        return Group::default();
    }
    let (low, high) = (magnitude(from), magnitude(to));
    if low == high {
        return Group::default().or_within(between(from, to));
    }
    Group::default()
        .or_within(between(from, last_like(from)))
        .or_within(TermRange {
            from: format!("{scope}fb:{low}~"),
            to: format!("{scope}fb:{high}"),
            wider: None,
        })
        .or_within(between(first_like(to), to))
}

fn exact(scope: &str, hundredths: i64) -> String {
    format!("{scope}fa:{hundredths:015}")
}

/// The number of digits and the first two of them, which sort like the amounts. There are few.
fn magnitude(hundredths: i64) -> String {
    let digits = hundredths.to_string();
    let first: String = digits.chars().chain(std::iter::once('0')).take(2).collect();
    format!("{:02}{first}", digits.len())
}

/// The unit of the second digit of an amount.
fn unit(hundredths: i64) -> i64 {
    let digits = u32::try_from(hundredths.to_string().len()).unwrap_or(0);
    10_i64.saturating_pow(digits.saturating_sub(2))
}

/// The smallest amount of the same magnitude.
fn first_like(hundredths: i64) -> i64 {
    hundredths - hundredths % unit(hundredths)
}

/// The largest amount of the same magnitude.
fn last_like(hundredths: i64) -> i64 {
    first_like(hundredths).saturating_add(unit(hundredths) - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use grantor_domain::day::Day;
    use proptest::prelude::*;

    use super::*;

    fn has(group: Group, terms: impl IntoIterator<Item = String>) -> bool {
        let mut query = BitmapQuery::default();
        query.require(group);
        query.matches(&terms.into_iter().collect::<BTreeSet<_>>())
    }

    #[test]
    fn words_are_found_by_their_beginnings() {
        let terms = words("x.", 't', "Zoë Lindqvist");
        let expected = [
            "x.pt:z",
            "x.pt:zo",
            "x.pt:zoe",
            "x.pt:l",
            "x.pt:li",
            "x.pt:lin",
            "x.pt:lind",
            "x.qt:lindqvist",
        ];
        assert_eq!(terms, expected);
        let finds = |search: &str, fields: &[Field<'_>]| {
            let mut query = BitmapQuery::default();
            let search = FindQuery::parse(search).unwrap().unwrap();
            require_words(&mut query, fields, &search, |_| None);
            query.matches(&words("x.", 't', "Zoë Lindqvist").into_iter().collect())
        };
        for yes in ["z", "zoe", "lind", "lindq", "lindqvist zo"] {
            assert!(finds(yes, &[("x.", 'o'), ("x.", 't')]), "{yes}");
        }
        for no in ["zoek", "lindx", "lindqvister", "vist"] {
            assert!(!finds(no, &[("x.", 'o'), ("x.", 't')]), "{no}");
        }
        assert!(!finds("zoe", &[("x.", 'o')]), "another field");
        for search in ["zoe", "lindqvist"] {
            assert!(!finds(search, &[("y.", 't')]), "another scope");
        }
    }

    #[test]
    fn moments_are_found_by_their_days() {
        let at = Timestamp::parse("2026-03-05T12:34:56Z").unwrap();
        let terms = moment("", 'c', at, MOMENT_LEVELS);
        let expected =
            ["c1:2026", "c2:2026-03", "c3:2026-03-05", "c4:2026-03-05T12", "c5:2026-03-05T12:34"];
        assert_eq!(terms, expected);
        assert_eq!(year("", 'c', 2026), expected[0]);
        let day = |text: &str| (!text.is_empty()).then(|| Day::parse(text).unwrap());
        for (from, until, expected) in [
            ("2026-03-05", "2026-03-05", true),
            ("2026-03-06", "", false),
            ("", "2026-03-04", false),
            ("", "2026-03-05", true),
            ("2025-01-01", "", true),
            ("2027-01-01", "", false),
            ("2026-03-01", "2026-03-31", true),
            ("2026-01-01", "2026-12-31", true),
        ] {
            let range = DayRange { from: day(from), until: day(until) };
            assert_eq!(has(days("", 'c', range), terms.clone()), expected, "{from} {until}");
        }
    }

    proptest! {
        #[test]
        fn amounts_are_found_in_their_ranges(
            at in 0_i64..2_000_000,
            from in 0_i64..2_000_000,
            width in 0_i64..500_000,
        ) {
            let of = |it| Amount::from_hundredths(it).unwrap();
            let group = amounts("", (of(from), of(from + width)));
            prop_assert_eq!(has(group, amount("", of(at))), (from..=from + width).contains(&at));
        }
    }

    #[test]
    fn the_largest_amounts_are_amounts_too() {
        let all = amounts("", (Amount::ZERO, Amount::MAX));
        assert!(has(all, amount("", Amount::MAX)));
        let all = amounts("", (Amount::ZERO, Amount::MAX));
        assert!(has(all, amount("", Amount::ZERO)));
        assert!(!has(amounts("", (Amount::MAX, Amount::ZERO)), amount("", Amount::ZERO)));
    }
}
