//! Free text: what may stand in a line or a paragraph, and when two words are the same.

/// The text of one line, without the white space around it.
pub(crate) fn parse_one_line(text: &str, max: usize) -> Result<String, String> {
    let text = text.trim();
    if text.chars().all(is_joiner) || text.chars().count() > max {
        Err(format!("must be 1 to {max} characters"))
    } else if text.chars().any(is_hidden) {
        Err("must not contain control characters".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// The text of any number of lines, which may be empty. Every line break is kept as one `\n`,
/// however the caller's machine writes it.
pub(crate) fn parse_lines(text: &str, max: usize) -> Result<String, String> {
    let text = text.trim().replace("\r\n", "\n").replace('\r', "\n");
    if text.chars().count() > max {
        Err(format!("must be at most {max} characters"))
    } else if text.chars().any(|it| breaks_text(it) && !matches!(it, '\n' | '\t')) {
        Err("must not contain control characters other than line breaks and tabs".to_owned())
    } else {
        Ok(text)
    }
}

/// Short lines, of which those that fold to the same count once: the first as it was written.
pub(crate) fn parse_distinct<T: AsRef<str>>(
    lines: &[T],
    most: usize,
    max: usize,
) -> Result<Vec<String>, String> {
    let mut kept: Vec<String> = Vec::new();
    for line in lines {
        let line = parse_one_line(line.as_ref(), max).map_err(|error| format!("each {error}"))?;
        if kept.iter().all(|it| fold_words(it) != fold_words(&line)) {
            if kept.len() == most {
                return Err(format!("must hold at most {most}"));
            }
            kept.push(line);
        }
    }
    Ok(kept)
}

/// Control characters, and those that break or turn a line or show nothing: one could make two
/// names look alike. The two joiners stay, because Persian, Hindi and others are written with them.
pub(crate) fn is_hidden(it: char) -> bool {
    it.is_control()
        || matches!(it, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}'..='\u{200F}')
        || matches!(it, '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
        || matches!(it, '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// What does harm in a paragraph: controls, and what turns the text after it around. Soft hyphens
/// and the like come with text that was pasted, and do none.
fn breaks_text(it: char) -> bool {
    it.is_control() || matches!(it, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The zero-width joiners, which change how letters are drawn and not which they are.
pub(crate) fn is_joiner(it: char) -> bool {
    matches!(it, '\u{200C}' | '\u{200D}')
}

/// Lower case, without joiners. By single characters: a word's last sigma must not differ from the
/// others.
pub(crate) fn fold_case(word: &str) -> String {
    word.chars().filter(|it| !is_joiner(*it)).flat_map(fold_char).collect()
}

/// Lower case, by way of upper case so that ß, ẞ and SS are one.
pub(crate) fn fold_char(letter: char) -> impl Iterator<Item = char> {
    letter.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// What tells texts apart that people set beside each other: neither case nor spacing.
pub(crate) fn fold_words(text: &str) -> String {
    text.split_whitespace().map(fold_case).collect::<Vec<_>>().join(" ")
}

/// Declares texts that exist only when their own `parse` takes them, and travel as strings.
macro_rules! texts {
    ($($name:ident),* $(,)?) => {$(
        impl $name {
            /// The text as it is kept.
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
    use super::*;

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(parse_one_line(" a b\n", 3).as_deref(), Ok("a b"));
        assert_eq!(parse_one_line("ééé", 3).as_deref(), Ok("ééé"));
        for bad in ["", " \n", "\u{200D}", "abcd"] {
            assert_eq!(parse_one_line(bad, 3).unwrap_err(), "must be 1 to 3 characters", "{bad:?}");
        }
        for bad in ["a\nb", "a\0b", "a\u{202E}b", "\u{200B}"] {
            let error = "must not contain control characters";
            assert_eq!(parse_one_line(bad, 3).unwrap_err(), error, "{bad:?}");
        }
    }

    #[test]
    fn lines_may_break_and_be_none() {
        for (given, kept) in
            [("", ""), (" \n", ""), ("a\r\n\tb\rc", "a\n\tb\nc"), ("a\u{AD}b", "a\u{AD}b")]
        {
            assert_eq!(parse_lines(given, 7).as_deref(), Ok(kept));
        }
        assert_eq!(parse_lines("abc", 2).unwrap_err(), "must be at most 2 characters");
        for bad in ["a\0", "\u{1b}[1m", "a\u{2028}b"] {
            let error = "must not contain control characters other than line breaks and tabs";
            assert_eq!(parse_lines(bad, 9).unwrap_err(), error, "{bad:?}");
        }
    }

    #[test]
    fn folding_sees_neither_case_nor_spacing() {
        for (one, other) in [("Big  STRAẞE", "big strasse"), ("ΟΔΟΣ", "οδος"), ("ſ", "S")]
        {
            assert_eq!(fold_words(one), fold_words(other));
        }
        assert_ne!(fold_words("a b"), fold_words("ab"));
    }
}
