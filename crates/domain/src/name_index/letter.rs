//! How each character is folded: to letters or to a separator.
//!
//! Letters are decomposed (as for NFKC), case-folded and stripped of accents. Letters without a
//! decomposition are mapped too: ł to l, ø to o, đ to d, æ to ae; ß becomes ss by case folding.

use std::sync::LazyLock;

use unicode_normalization::char::{
    canonical_combining_class, decompose_compatible, is_combining_mark,
};

use crate::text::{fold_char, is_hidden, is_joiner};

/// One unit of folded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A letter that forms a word with its neighbors.
    Letter(char),
    /// A mark that belongs to the previous letter and is significant.
    Mark(char),
    /// A letter that is a word by itself, because its script has no spaces.
    Alone(char),
    /// An accent, which is ignored.
    Accent,
    /// A separator allowed between the words of a name: whitespace, hyphens and dashes.
    Space,
    /// Any other separator.
    Break,
    /// Joins two parts of a word, or ends a quotation.
    Apostrophe,
    /// Ends an initial or a sentence.
    Period,
}

/// Computed once, for the characters that make up most texts.
static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// The units of the characters below `Table::END`, concatenated.
pub(super) struct Table {
    units: Vec<Unit>,
    starts: Vec<u32>,
}

impl Table {
    const END: u32 = 0x1_0000;

    fn new() -> Self {
        let (mut units, mut starts) = (Vec::new(), vec![0]);
        for code in 0..Self::END {
            // Surrogates are not characters and have no units.
            if let Some(letter) = char::from_u32(code) {
                push_units(letter, &mut units);
            }
            starts.push(u32::try_from(units.len()).unwrap_or(u32::MAX));
        }
        Self { units, starts }
    }

    /// The shared table.
    pub(super) fn get() -> &'static Self {
        &TABLE
    }

    /// Calls `take` for each unit of a character.
    pub(super) fn each(&self, letter: char, mut take: impl FnMut(Unit)) {
        let code = letter as usize;
        if let (Some(start), Some(end)) = (self.starts.get(code), self.starts.get(code + 1)) {
            self.units[*start as usize..*end as usize].iter().copied().for_each(take);
        } else {
            let mut units = Vec::new();
            push_units(letter, &mut units);
            units.into_iter().for_each(&mut take);
        }
    }
}

/// Whether a character is a visible part of a name.
pub(super) fn is_shown(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || is_combining_mark(letter)
}

fn push_units(letter: char, units: &mut Vec<Unit>) {
    // Checked before decomposition, which would turn some of these into spaces and accents.
    if is_apostrophe(letter) {
        units.push(Unit::Apostrophe);
    } else if letter == '\u{2029}' {
        units.push(Unit::Break);
    } else if letter.is_whitespace() {
        units.push(Unit::Space);
    } else if !is_invisible(letter) {
        decompose_compatible(letter, |part| push_part(part, units));
    }
}

/// Folds a part of a decomposed character. Case folding may decompose it further.
fn push_part(part: char, units: &mut Vec<Unit>) {
    if let Some(plain) = plainly(part) {
        units.extend(plain.chars().map(Unit::Letter));
        return;
    }
    for folded in fold_char(part) {
        decompose_compatible(folded, |it| match plainly(it) {
            Some(plain) => units.extend(plain.chars().map(Unit::Letter)),
            None if is_invisible(it) => {}
            None => units.push(unit(it)),
        });
    }
}

/// Classifies a folded and decomposed character.
fn unit(letter: char) -> Unit {
    match letter {
        '.' => Unit::Period,
        _ if is_apostrophe(letter) => Unit::Apostrophe,
        _ if is_combining_mark(letter) && is_accent(letter) => Unit::Accent,
        _ if is_combining_mark(letter) || is_inner_jamo(letter) => Unit::Mark(letter),
        _ if stands_alone(letter) => Unit::Alone(letter),
        '_' => Unit::Letter(letter),
        _ if letter.is_alphanumeric() => Unit::Letter(letter),
        _ if letter.is_whitespace() || is_dash(letter) => Unit::Space,
        _ => Unit::Break,
    }
}

/// Whether a mark is optional. Vowel signs are not, nor are viramas (class 9), the voicing marks of
/// kana (8), and the Thai and Lao vowels below the line (103, 118).
fn is_accent(mark: char) -> bool {
    match canonical_combining_class(mark) {
        0 => !mark.is_alphabetic(),
        8 | 9 | 103 | 118 => false,
        _ => true,
    }
}

/// Maps letters with a stroke and ligatures to plain letters.
fn plainly(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ł' | 'Ł' => "l",
        'ø' | 'Ø' => "o",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'ħ' | 'Ħ' => "h",
        'ŧ' | 'Ŧ' => "t",
        'þ' | 'Þ' => "th",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        _ => return None,
    })
}

/// All characters used as an apostrophe, as in O'Neill.
fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '`' | '´' | '‘' | '’' | '‛' | '′' | '‵' | '＇' | 'ꞌ' | 'Ꞌ')
        || matches!(letter, 'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | 'ʾ' | 'ʿ' | 'ˈ')
}

/// Hyphens, dashes, and the dots between the parts of a foreign name.
fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2E3A}' | '\u{2E3B}')
        || matches!(letter, '\u{58A}' | '\u{5BE}' | '\u{2043}' | '\u{301C}' | '\u{30A0}')
        || matches!(letter, '·' | '\u{2022}' | '\u{2027}' | '・')
}

/// Characters that neither show nor separate: soft hyphens, joiners, direction marks and the Arabic
/// tatweel.
fn is_invisible(letter: char) -> bool {
    is_joiner(letter) || letter == '\u{640}' || !letter.is_control() && is_hidden(letter)
}

/// Korean letters, in syllables or single.
pub(super) fn is_hangul(letter: char) -> bool {
    matches!(letter, '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}' | '\u{A960}'..='\u{A97C}')
        || matches!(letter, '\u{AC00}'..='\u{D7FB}' | '\u{FFA0}'..='\u{FFDC}')
}

/// The vowels and final consonants of decomposed Korean syllables.
fn is_inner_jamo(letter: char) -> bool {
    matches!(letter, '\u{1160}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FB}')
}

/// Letters of scripts without spaces: Han, Hiragana, Katakana, Bopomofo, Thai, Lao, Khmer and
/// Myanmar. Also the initial consonants of Korean syllables, because particles follow a name
/// without a space; `edge` decides which ones may.
fn stands_alone(letter: char) -> bool {
    letter.is_alphanumeric()
        && matches!(letter, '\u{1100}'..='\u{115F}' | '\u{A960}'..='\u{A97C}' |
            '\u{E01}'..='\u{E4E}' | '\u{E81}'..='\u{EDF}' | '\u{1000}'..='\u{109F}'
            | '\u{1780}'..='\u{17D3}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}'
            | '\u{3031}'..='\u{312F}' | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}'
            | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{A9E0}'..='\u{A9FE}'
            | '\u{AA60}'..='\u{AA7F}' | '\u{F900}'..='\u{FAFF}' | '\u{1AFF0}'..='\u{1B16F}'
            | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(letter: char) -> Vec<Unit> {
        let mut units = Vec::new();
        Table::get().each(letter, |it| units.push(it));
        units
    }

    #[test]
    fn every_character_folds_to_what_folds_to_itself() {
        // Characters above these have no other form.
        for character in ('\0'..='\u{1FFFF}').chain('\u{2F800}'..='\u{2FA1F}') {
            for unit in units(character) {
                if let Unit::Letter(it) | Unit::Mark(it) | Unit::Alone(it) = unit {
                    assert_eq!(units(it), [unit], "{character:?}");
                }
            }
        }
    }

    #[test]
    fn characters_are_what_they_are_to_a_reader() {
        let letters = |it: &str| it.chars().map(Unit::Letter).collect::<Vec<_>>();
        for (character, expected) in [
            ('É', vec![Unit::Letter('e'), Unit::Accent]),
            ('ß', letters("ss")),
            ('Ǽ', [letters("ae"), vec![Unit::Accent]].concat()),
            ('ﬃ', letters("ffi")),
            ('Ø', letters("o")),
            ('_', letters("_")),
            ('が', vec![Unit::Alone('か'), Unit::Mark('\u{3099}')]),
            ('한', vec![Unit::Alone('ᄒ'), Unit::Mark('ᅡ'), Unit::Mark('ᆫ')]),
            ('ŉ', vec![Unit::Apostrophe, Unit::Letter('n')]),
            ('´', vec![Unit::Apostrophe]),
            ('\u{ad}', vec![]),
            ('\u{a0}', vec![Unit::Space]),
            ('\u{2011}', vec![Unit::Space]),
            ('\0', vec![Unit::Break]),
            ('😀', vec![Unit::Break]),
        ] {
            assert_eq!(units(character), expected, "{character:?}");
        }
    }
}
