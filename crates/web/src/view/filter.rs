//! List filters. The fields keep the current query parameters and show their errors.

use maud::{Markup, html};

use super::annotations::Annotations;
use super::field::options;
use crate::frame::Params;

/// The filter form. Where scripts run, changing a select submits it at once.
pub(crate) fn filters(action: &str, params: &Params, fields: Markup) -> Markup {
    html! {
        form.filters role="search" method="get" action=(action) {
            (fields)
            button.small { "Apply" }
            @if params.has_filters() { a.button.small.plain href=(action) { "Clear" } }
        }
    }
}

/// A search box.
pub(crate) fn search_box(name: &str, label: &str, params: &Params) -> Markup {
    text("search", name, label, label, params)
}

/// A text filter with an example as its placeholder.
pub(crate) fn text_box(name: &str, label: &str, example: &str, params: &Params) -> Markup {
    text("text", name, label, example, params)
}

fn text(kind: &str, name: &str, label: &str, example: &str, params: &Params) -> Markup {
    let notes = Annotations::of_filter(name, label, params);
    wrap(
        &notes,
        html! {
            input type=(kind) id=(notes.id) name=(name) aria-label=(label) placeholder=(example)
                value=[params.raw(name)] maxlength="200" autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
        },
    )
}

/// A select of values and labels, with a first option for any.
pub(crate) fn pick<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    any: &str,
    options: impl IntoIterator<Item = (V, L)>,
    params: &Params,
) -> Markup {
    let any = std::iter::once((String::new(), any.to_owned()));
    let options = options
        .into_iter()
        .map(|(value, word)| (value.as_ref().to_owned(), word.as_ref().to_owned()));
    one_of(name, label, any.chain(options), params)
}

/// A select of values and labels.
pub(crate) fn one_of<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    choices: impl IntoIterator<Item = (V, L)>,
    params: &Params,
) -> Markup {
    let notes = Annotations::of_filter(name, label, params);
    let choices: Vec<_> = choices.into_iter().collect();
    let choices = choices.iter().map(|(value, word)| (value.as_ref(), word.as_ref()));
    wrap(
        &notes,
        html! {
            select id=(notes.id) name=(name) aria-label=(label) data-auto="" autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()] {
                (options(choices, params.raw(name).unwrap_or_default(), notes.has_error()))
            }
        },
    )
}

/// A date filter. An invalid value is shown in a text input, since a date input would hide it.
pub(crate) fn day(name: &str, label: &str, params: &Params) -> Markup {
    day_or(name, label, None, params)
}

/// A date filter that shows another date if none was chosen.
pub(crate) fn day_or(name: &str, label: &str, other: Option<&str>, params: &Params) -> Markup {
    let value = params.raw(name).or(other);
    let notes = Annotations::of_filter(name, label, params);
    let kind = if notes.has_error() { "text" } else { "date" };
    wrap(
        &notes,
        html! {
            label.row {
                (label) " "
                input type=(kind) id=(notes.id) name=(name) value=[value]
                    autofocus[notes.is_first_error()]
                    aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
            }
        },
    )
}

/// Wraps an input together with its error, if it has one.
fn wrap(notes: &Annotations<'_>, input: Markup) -> Markup {
    html! { @if notes.has_error() { div { (input) (notes.messages()) } } @else { (input) } }
}

/// A hidden field that keeps a query parameter when the filters change.
pub(crate) fn hidden_param(name: &str, params: &Params) -> Markup {
    html! { @if let Some(value) = params.get(name) { input type="hidden" name=(name) value=(value); } }
}
