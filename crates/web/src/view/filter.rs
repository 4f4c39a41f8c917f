//! What narrows a list: a form that asks, whose fields keep what was asked, and say what is wrong
//! with it.

use maud::{Markup, html};

use super::field::{Marks, options};
use crate::frame::Asked;

/// The form. Fields that change ask at once where scripts run; a button does so everywhere.
pub(crate) fn filters(action: &str, asked: &Asked, fields: Markup) -> Markup {
    html! {
        form.filters role="search" method="get" action=(action) {
            (fields)
            button.small { "Show" }
            @if asked.narrows() { a.button.small.plain href=(action) { "Clear" } }
        }
    }
}

/// A text to find.
pub(crate) fn find(name: &str, label: &str, asked: &Asked) -> Markup {
    text("search", name, label, label, asked)
}

/// A text that is one exactly; an example is shown while it is empty.
pub(crate) fn exactly(name: &str, label: &str, example: &str, asked: &Asked) -> Markup {
    text("text", name, label, example, asked)
}

fn text(kind: &str, name: &str, label: &str, example: &str, asked: &Asked) -> Markup {
    let marks = Marks::asked(name, label, asked);
    around(
        &marks,
        html! {
            input type=(kind) id=(marks.id) name=(name) aria-label=(label) placeholder=(example)
                value=[asked.typed(name)] maxlength="200" autofocus[marks.first()]
                aria-invalid=[marks.invalid()] aria-describedby=[marks.describers()];
        },
    )
}

/// One of several, or any. Each is its value and its word.
pub(crate) fn pick<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    any: &str,
    options: impl IntoIterator<Item = (V, L)>,
    asked: &Asked,
) -> Markup {
    let any = std::iter::once((String::new(), any.to_owned()));
    let options = options
        .into_iter()
        .map(|(value, word)| (value.as_ref().to_owned(), word.as_ref().to_owned()));
    one_of(name, label, any.chain(options), asked)
}

/// One of these; what changes asks at once where scripts run.
pub(crate) fn one_of<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    choices: impl IntoIterator<Item = (V, L)>,
    asked: &Asked,
) -> Markup {
    let marks = Marks::asked(name, label, asked);
    let choices: Vec<_> = choices.into_iter().collect();
    let choices = choices.iter().map(|(value, word)| (value.as_ref(), word.as_ref()));
    around(
        &marks,
        html! {
            select id=(marks.id) name=(name) aria-label=(label) data-auto="" autofocus[marks.first()]
                aria-invalid=[marks.invalid()] aria-describedby=[marks.describers()] {
                (options(choices, asked.typed(name).unwrap_or_default(), marks.is_wrong()))
            }
        },
    )
}

/// A day. What is none stands there as a text: a field for days would not show it.
pub(crate) fn day(name: &str, label: &str, asked: &Asked) -> Markup {
    let marks = Marks::asked(name, label, asked);
    let kind = if marks.is_wrong() { "text" } else { "date" };
    around(
        &marks,
        html! {
            label.row {
                (label) " "
                input type=(kind) id=(marks.id) name=(name) value=[asked.typed(name)]
                    autofocus[marks.first()]
                    aria-invalid=[marks.invalid()] aria-describedby=[marks.describers()];
            }
        },
    )
}

/// A filter stands in its row as it is, but where something is to be said beside it.
fn around(marks: &Marks<'_>, input: Markup) -> Markup {
    html! { @if marks.is_wrong() { div { (input) (marks.beside()) } } @else { (input) } }
}

/// What is asked along, where it is: whose list it is.
pub(crate) fn kept(name: &str, asked: &Asked) -> Markup {
    html! { @if let Some(value) = asked.get(name) { input type="hidden" name=(name) value=(value); } }
}
