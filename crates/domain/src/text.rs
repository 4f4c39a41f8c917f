//! Rules for free text, and case-insensitive comparison.

use std::fmt::Write as _;
use std::sync::LazyLock;

/// A rule for a text. Parsers and the API documentation both use it, so that they always agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRule {
    /// The minimum number of visible characters.
    pub min: usize,
    /// The maximum number of characters, including surrounding whitespace, which is trimmed.
    pub max: usize,
    form: Form,
}

/// Which characters a text may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One line without invisible characters.
    Line,
    /// One line without control characters.
    Name,
    /// Multiple lines without control characters other than line breaks and tabs.
    Lines,
}

impl TextRule {
    /// A single-line label.
    #[must_use]
    pub const fn line(min: usize, max: usize) -> Self {
        Self { min, max, form: Form::Line }
    }

    /// A single-line name or free text about a person.
    #[must_use]
    pub const fn name(min: usize, max: usize) -> Self {
        Self { min, max, form: Form::Name }
    }

    /// An optional multi-line text.
    #[must_use]
    pub const fn lines(max: usize) -> Self {
        Self { min: 0, max, form: Form::Lines }
    }

    /// A multi-line text with a minimum length.
    #[must_use]
    pub const fn paragraphs(min: usize, max: usize) -> Self {
        Self { min, max, form: Form::Lines }
    }

    /// Validates and trims a text. Every line break becomes a line feed.
    pub fn parse(self, text: &str) -> Result<String, String> {
        let Self { min, max, form } = self;
        let kept = text.trim();
        let seen = kept.chars().filter(|it| !it.is_whitespace() && !is_joiner(*it)).count();
        if seen < min || text.chars().count() > max {
            return Err(match min {
                0 => format!("must be at most {max} characters"),
                _ => format!("must be {min} to {max} characters"),
            });
        }
        if kept.chars().any(|it| form.refuses(it)) {
            return Err(form.refusal().to_owned());
        }
        Ok(match form {
            Form::Lines => kept.replace("\r\n", "\n").replace('\r', "\n"),
            Form::Line | Form::Name => kept.to_owned(),
        })
    }

    /// A regular expression (ECMA-262, Unicode mode, as required by JSON Schema) that matches
    /// exactly the valid texts of at most the maximum length.
    #[must_use]
    pub fn pattern(self) -> String {
        let around = white_space();
        let Classes { refused, unseen } = self.form.classes();
        let mut pattern = format!("^[{around}]*[^{refused}]*");
        for _ in 0..self.min {
            let _ = write!(pattern, "[^{unseen}][^{refused}]*");
        }
        pattern + &format!("[{around}]*$")
    }
}

impl Form {
    fn refuses(self, it: char) -> bool {
        match self {
            Self::Line => is_hidden(it),
            Self::Name => breaks_text(it),
            Self::Lines => breaks_text(it) && !matches!(it, '\n' | '\r' | '\t'),
        }
    }

    fn classes(self) -> &'static Classes {
        static OF_LINE: LazyLock<Classes> = LazyLock::new(|| Classes::of(Form::Line));
        static OF_NAME: LazyLock<Classes> = LazyLock::new(|| Classes::of(Form::Name));
        static OF_LINES: LazyLock<Classes> = LazyLock::new(|| Classes::of(Form::Lines));
        match self {
            Self::Line => &OF_LINE,
            Self::Name => &OF_NAME,
            Self::Lines => &OF_LINES,
        }
    }

    const fn refusal(self) -> &'static str {
        match self {
            Self::Line | Self::Name => "must not contain control characters",
            Self::Lines => "must not contain control characters other than line breaks and tabs",
        }
    }
}

/// The character classes of a form, for regular expressions.
struct Classes {
    refused: String,
    /// Characters that are refused or invisible.
    unseen: String,
}

impl Classes {
    fn of(form: Form) -> Self {
        let unseen = |it: char| form.refuses(it) || it.is_whitespace() || is_joiner(it);
        Self { refused: class(|it| form.refuses(it)), unseen: class(unseen) }
    }
}

/// Whitespace as a regular expression character class, without brackets.
#[must_use]
pub fn white_space() -> &'static str {
    static CLASS: LazyLock<String> = LazyLock::new(|| class(char::is_whitespace));
    &CLASS
}

/// Matches a character that is neither whitespace nor a joiner, so that there is something to
/// search for.
#[must_use]
pub fn holds_words() -> String {
    format!("[^{}]", class(|it| it.is_whitespace() || is_joiner(it)))
}

/// The matching characters as a regular expression character class, without brackets.
fn class(is: impl Fn(char) -> bool) -> String {
    let mut spans: Vec<(char, char)> = Vec::new();
    // The planes in between contain only visible characters.
    for it in ('\0'..='\u{FFFF}').chain('\u{E0000}'..='\u{E0FFF}').filter(|it| is(*it)) {
        match spans.last_mut() {
            Some((_, last)) if u32::from(*last) + 1 == u32::from(it) => *last = it,
            _ => spans.push((it, it)),
        }
    }
    let escape = |it: char| match u32::from(it) {
        code @ ..=0xFFFF => format!("\\u{code:04X}"),
        // Engines do not agree on an escape for characters outside the BMP.
        _ => it.to_string(),
    };
    let span = |(first, last): (char, char)| {
        if first == last { escape(first) } else { format!("{}-{}", escape(first), escape(last)) }
    };
    spans.into_iter().map(span).collect()
}

/// Parses a list of short texts; of those that differ only in case and spacing, the first is kept.
pub(crate) fn parse_distinct<T: AsRef<str>>(
    lines: &[T],
    max: usize,
    rule: TextRule,
) -> Result<Vec<String>, String> {
    if lines.len() > max {
        return Err(format!("must contain at most {max} items"));
    }
    let mut kept: Vec<String> = Vec::new();
    for line in lines {
        let line = rule.parse(line.as_ref()).map_err(|error| format!("each {error}"))?;
        if kept.iter().all(|it| fold_words(it) != fold_words(&line)) {
            kept.push(line);
        }
    }
    Ok(kept)
}

/// Control characters and invisible characters, which could make two names look alike. The two
/// joiners are allowed, because Persian, Hindi and other languages need them.
pub(crate) fn is_hidden(it: char) -> bool {
    it.is_control()
        || matches!(it, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}'..='\u{200F}')
        || matches!(it, '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
        || matches!(it, '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Characters that are harmful in a paragraph: control characters and those that change the text
/// direction. Harmless ones, such as soft hyphens in pasted text, are allowed.
fn breaks_text(it: char) -> bool {
    it.is_control() || matches!(it, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The zero-width joiners, which only change how letters are rendered.
pub(crate) fn is_joiner(it: char) -> bool {
    matches!(it, '\u{200C}' | '\u{200D}')
}

/// Case-folds a word and removes joiners. Character by character, so that a final sigma equals
/// other sigmas.
pub(crate) fn fold_case(word: &str) -> String {
    word.chars().filter(|it| !is_joiner(*it)).flat_map(fold_char).collect()
}

/// Case-folds a character, via upper case so that ß, ẞ and SS are equal.
pub(crate) fn fold_char(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// Folds a text for comparison: ignores case and spacing.
pub(crate) fn fold_words(text: &str) -> String {
    // Words that consist only of joiners are dropped.
    let words = text.split_whitespace().map(fold_case).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// A text as a sentence: with a period at its end, unless it is empty or ends otherwise.
#[must_use]
pub fn with_period(text: &str) -> String {
    let text = text.trim_end();
    let closed = text.trim_end_matches(['"', '\'', ')', '\u{201D}', '\u{2019}']);
    let ended = closed.is_empty() || closed.ends_with(['.', '!', '?', '\u{2026}']);
    if ended { text.to_owned() } else { format!("{text}.") }
}

/// Implements string conversions for text types with a `parse` function.
macro_rules! texts {
    ($($name:ident),* $(,)?) => {$(
        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                Self::parse(&text).map_err(|error| error.to_string())
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.as_str().to_owned()
            }
        }
    )*};
}
pub(crate) use texts;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    /// Texts of characters that rules treat differently: letters, whitespace, joiners and invisible
    /// ones.
    fn texts() -> impl Strategy<Value = String> {
        let odd = prop::sample::select(vec![
            'a',
            'é',
            '李',
            ' ',
            '\n',
            '\r',
            '\t',
            '\u{B}',
            '\u{85}',
            '\u{A0}',
            '\u{2028}',
            '\u{3000}',
            '\u{200C}',
            '\u{200B}',
            '\u{AD}',
            '\u{202E}',
            '\u{2066}',
            '\u{FEFF}',
            '\u{E0041}',
            '\u{1F600}',
            '\0',
        ]);
        let any = prop_oneof![6 => odd, 1 => any::<char>()];
        prop::collection::vec(any, 0..6).prop_map(|it| it.into_iter().collect())
    }

    /// Compiled once, so that more texts can be tested.
    static PATTERNS: LazyLock<(Regex, Vec<(TextRule, Regex)>)> = LazyLock::new(|| {
        let compile = |pattern: String| Regex::new(&pattern).unwrap();
        let rules = [
            TextRule::line(0, 9),
            TextRule::line(1, 9),
            TextRule::line(2, 9),
            TextRule::name(0, 9),
            TextRule::name(2, 9),
            TextRule::lines(9),
        ];
        (compile(holds_words()), rules.map(|rule| (rule, compile(rule.pattern()))).to_vec())
    });

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn the_pattern_and_the_parser_agree(text in texts()) {
            let (words, rules) = &*PATTERNS;
            prop_assert_eq!(words.is_match(&text), !fold_words(&text).is_empty());
            for (rule, pattern) in rules {
                prop_assert_eq!(pattern.is_match(&text), rule.parse(&text).is_ok(), "{:?}", rule);
            }
        }
    }

    #[test]
    fn a_sentence_ends_with_a_period() {
        for (text, sentence) in [
            ("Booked in June", "Booked in June."),
            ("Booked in June. ", "Booked in June."),
            ("Which month?", "Which month?"),
            ("Booked (in June)", "Booked (in June)."),
            ("\u{201C}No.\u{201D}", "\u{201C}No.\u{201D}"),
            ("", ""),
        ] {
            assert_eq!(with_period(text), sentence);
        }
    }

    #[test]
    fn a_line_is_one_line() {
        let parse = |text| TextRule::line(1, 5).parse(text);
        assert_eq!(parse(" a b\n").as_deref(), Ok("a b"));
        assert_eq!(parse("ééééé").as_deref(), Ok("ééééé"));
        for bad in ["", " \n", "\u{200D}", "\u{200D} \u{200D}", "abcdef", "abcde "] {
            assert_eq!(parse(bad).unwrap_err(), "must be 1 to 5 characters", "{bad:?}");
        }
        for bad in ["a\nb", "a\0b", "a\u{202E}b", "\u{200B}"] {
            let error = "must not contain control characters";
            assert_eq!(parse(bad).unwrap_err(), error, "{bad:?}");
        }
    }

    #[test]
    fn lines_may_break_and_be_none() {
        for (given, kept) in
            [("", ""), (" \n", ""), ("a\r\n\tb\rc", "a\n\tb\nc"), ("a\u{AD}b", "a\u{AD}b")]
        {
            assert_eq!(TextRule::lines(7).parse(given).as_deref(), Ok(kept));
        }
        assert_eq!(TextRule::lines(2).parse("abc").unwrap_err(), "must be at most 2 characters");
        for bad in ["a\0", "\u{1b}[1m", "a\u{2028}b"] {
            let error = "must not contain control characters other than line breaks and tabs";
            assert_eq!(TextRule::lines(9).parse(bad).unwrap_err(), error, "{bad:?}");
        }
    }

    #[test]
    fn folding_sees_neither_case_nor_spacing() {
        for (one, other) in [("Big  STRAẞE", "big strasse"), ("ΟΔΟΣ", "οδος"), ("ſ", "S")]
        {
            assert_eq!(fold_words(one), fold_words(other));
        }
        assert_ne!(fold_words("a b"), fold_words("ab"));
        assert_eq!(fold_words("\u{200D} \u{200D} a"), "a");
    }
}
