//! Texts with links and other markup in them.

use grantor_messages::Value;
use maud::{Escaper, Markup, PreEscaped};
use std::fmt::Write as _;

/// Returns a text in the current language as markup. Values that are markup become part of it, all
/// others are escaped: `rich!("terms-accept", terms = html! { a href="/terms" { (text!("terms")) } })`.
macro_rules! rich {
    ($key:literal, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::view::rich::render($key, vec![$((stringify!($name), $crate::view::rich::Part::from($value))),+])
    };
}
pub(crate) use rich;

/// A value of a text.
pub(crate) enum Part<'a> {
    /// Markup.
    Markup(String),
    /// Text or a number.
    Value(Value<'a>),
}

impl From<Markup> for Part<'_> {
    fn from(markup: Markup) -> Self {
        Self::Markup(markup.into_string())
    }
}

impl<'a> From<&'a str> for Part<'a> {
    fn from(text: &'a str) -> Self {
        Self::Value(text.into())
    }
}

impl<'a> From<&'a String> for Part<'a> {
    fn from(text: &'a String) -> Self {
        Self::Value(text.as_str().into())
    }
}

impl From<String> for Part<'_> {
    fn from(text: String) -> Self {
        Self::Value(text.into())
    }
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl From<$number> for Part<'_> {
            fn from(number: $number) -> Self {
                Self::Value(number.into())
            }
        })+
    };
}

numbers!(u16, u32, u64, usize, i32, i64);

/// See [`rich!`].
pub(crate) fn render(key: &str, parts: Vec<(&'static str, Part<'_>)>) -> Markup {
    let (mut values, mut markups) = (Vec::with_capacity(parts.len()), vec![]);
    for (name, part) in parts {
        let value = match part {
            Part::Value(value) => value,
            Part::Markup(markup) => {
                let place = place(markups.len());
                markups.push(markup);
                place.into()
            }
        };
        values.push((name, value));
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = Escaper::new(&mut text).write_str(&grantor_messages::format(key, &values));
    for (at, markup) in markups.iter().enumerate() {
        text = text.replace(&place(at), markup);
    }
    PreEscaped(text)
}

/// What stands for markup until the text is escaped: characters that no text has.
fn place(number: usize) -> String {
    format!("\u{1}{number}\u{2}")
}

#[cfg(test)]
mod tests {
    use maud::html;

    #[test]
    fn markup_is_kept_and_text_is_escaped() {
        let link = html! { b { "3" } };
        let shown = rich!("example-rich", name = "<Ada>", link = link);
        assert_eq!(shown.into_string(), "&lt;Ada&gt; has <b>3</b> licenses.");
    }
}
