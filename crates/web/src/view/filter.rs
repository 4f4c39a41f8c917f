//! What narrows a list: a form that asks, whose fields keep what was asked.

use maud::{Markup, html};

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
    html! {
        input type="search" id=(name) name=(name) aria-label=(label) placeholder=(label)
            value=[asked.get(name)] maxlength="100";
    }
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
    one_of(name, label, any.chain(options), asked.get(name))
}

/// One of these; what changes asks at once where scripts run.
pub(crate) fn one_of<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    options: impl IntoIterator<Item = (V, L)>,
    chosen: Option<&str>,
) -> Markup {
    html! {
        select id=(name) name=(name) aria-label=(label) data-auto="" {
            @for (value, word) in options {
                option value=(value.as_ref()) selected[chosen.unwrap_or_default() == value.as_ref()] {
                    (word.as_ref())
                }
            }
        }
    }
}

/// A day.
pub(crate) fn day(name: &str, label: &str, asked: &Asked) -> Markup {
    html! { label.row { (label) " " input type="date" id=(name) name=(name) value=[asked.get(name)]; } }
}

/// What is asked along, where it is: whose list it is.
pub(crate) fn kept(name: &str, asked: &Asked) -> Markup {
    html! { @if let Some(value) = asked.get(name) { input type="hidden" name=(name) value=(value); } }
}
