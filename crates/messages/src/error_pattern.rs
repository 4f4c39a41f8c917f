//! Errors in the language of a page. The domain and the service write them in English. The English
//! messages of `error.ftl` are their patterns: what a text has in place of a variable becomes the value
//! of the variable.

use std::collections::HashMap;
use std::sync::OnceLock;

use fluent_bundle::FluentResource;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};

static PATTERNS: OnceLock<ErrorPatterns> = OnceLock::new();

/// The errors that can be translated.
pub(crate) struct ErrorPatterns {
    /// The keys of errors without variables, by their texts.
    plain: HashMap<String, String>,
    /// The others; those with the longest texts come first, since they say the most.
    open: Vec<ErrorPattern>,
}

/// An error with variables.
struct ErrorPattern {
    key: String,
    pieces: Vec<Piece>,
}

enum Piece {
    Text(String),
    Variable(String),
}

/// An error that was found.
pub(crate) struct FoundError<'a> {
    /// The key of its message.
    pub(crate) key: &'static str,
    /// The values of its variables.
    pub(crate) values: Vec<(&'static str, &'a str)>,
}

impl ErrorPatterns {
    /// The patterns of the built-in messages.
    pub(crate) fn get(messages: impl FnOnce() -> &'static str) -> &'static Self {
        PATTERNS.get_or_init(|| Self::read(messages()))
    }

    fn read(messages: &str) -> Self {
        // A test reads all built-in files, so this does not fail.
        let parsed = FluentResource::try_new(messages.to_owned()).unwrap_or_else(|(it, _)| it);
        let (mut plain, mut open) = (HashMap::new(), vec![]);
        for entry in parsed.entries() {
            let Entry::Message(message) = entry else { continue };
            let Some(pieces) = message.value.as_ref().and_then(pieces_of) else { continue };
            let key = message.id.name.to_owned();
            match &*pieces {
                [Piece::Text(text)] => drop(plain.insert(text.clone(), key)),
                _ => open.push(ErrorPattern { key, pieces }),
            }
        }
        open.sort_by_key(|it: &ErrorPattern| std::cmp::Reverse(it.text_length()));
        Self { plain, open }
    }

    /// Finds the message of an error.
    pub(crate) fn find<'a>(&'static self, text: &'a str) -> Option<FoundError<'a>> {
        if let Some(key) = self.plain.get(text) {
            return Some(FoundError { key, values: vec![] });
        }
        self.open.iter().find_map(|it| {
            let values = it.values_in(text)?;
            Some(FoundError { key: &it.key, values })
        })
    }
}

impl ErrorPattern {
    fn text_length(&self) -> usize {
        let length = |it: &Piece| match it {
            Piece::Text(text) => text.len(),
            Piece::Variable(_) => 0,
        };
        self.pieces.iter().map(length).sum()
    }

    /// Returns the values that the variables have in a text, or `None` if it is another error.
    fn values_in<'a>(&'static self, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
        let (mut values, mut rest, mut variable) = (vec![], text, None::<&'static str>);
        for (index, piece) in self.pieces.iter().enumerate() {
            let text = match piece {
                Piece::Variable(name) => {
                    variable = Some(name.as_str());
                    continue;
                }
                Piece::Text(text) => text,
            };
            let Some(name) = variable.take() else {
                rest = rest.strip_prefix(text.as_str())?;
                continue;
            };
            let is_last = index + 1 == self.pieces.len();
            let at = if is_last {
                rest.strip_suffix(text.as_str())?.len()
            } else {
                rest.find(text.as_str())?
            };
            values.push((name, &rest[..at]));
            rest = &rest[at + text.len()..];
        }
        match variable {
            Some(name) => values.push((name, rest)),
            None if rest.is_empty() => {}
            None => return None,
        }
        values.iter().all(|(_, value)| !value.is_empty()).then_some(values)
    }
}

/// The pieces of a message; `None` if it is more than text and variables.
fn pieces_of(pattern: &Pattern<&str>) -> Option<Vec<Piece>> {
    let mut pieces: Vec<Piece> = vec![];
    for element in &pattern.elements {
        let text = match element {
            PatternElement::TextElement { value } => value,
            PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
                InlineExpression::StringLiteral { value } => value,
                InlineExpression::VariableReference { id } => {
                    pieces.push(Piece::Variable(id.name.to_owned()));
                    continue;
                }
                _ => return None,
            },
            PatternElement::Placeable { .. } => return None,
        };
        match pieces.last_mut() {
            Some(Piece::Text(before)) => before.push_str(text),
            _ => pieces.push(Piece::Text((*text).to_owned())),
        }
    }
    Some(pieces)
}
