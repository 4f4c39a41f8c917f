//! List filters. The fields keep the current query parameters and show their errors. Where scripts
//! run, a change is submitted at once; without scripts there is a button.

use maud::{Markup, html};

use super::annotations::Annotations;
use super::field::options;
use crate::frame::Params;

/// The filter form of a simple list. Longer ones use [`super::list_filter::ListFilters`].
pub(crate) fn filters(action: &str, params: &Params, fields: Markup) -> Markup {
    let clear = grantor_messages::text!("view-filter-clear");
    html! {
        form.filters.simple role="search" method="get" action=(action) data-filter="" {
            (fields)
            (submit())
            @if params.has_filters() { a.button.small.plain href=(action) { (clear) } }
        }
    }
}

/// The buttons of a filter form: one that is shown without scripts, and one that is never shown, so
/// that the Enter key submits a form with several fields.
pub(super) fn submit() -> Markup {
    let label = grantor_messages::text!("view-filter-apply");
    html! {
        noscript { button.small { (label) } }
        button hidden { (label) }
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
            select id=(notes.id) name=(name) aria-label=(label) autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()] {
                (options(choices, params.raw(name).unwrap_or_default(), notes.has_error()))
            }
        },
    )
}

/// A text filter by name that suggests names where scripts run. `source` is the address of the
/// suggestions, up to the text.
pub(crate) fn name_box(name: &str, label: &str, source: &str, params: &Params) -> Markup {
    let notes = Annotations::of_filter(name, label, params);
    let list = format!("{}-suggestions", notes.id);
    wrap(
        &notes,
        html! {
            input type="text" id=(notes.id) name=(name) aria-label=(label) placeholder=(label)
                value=[params.raw(name)] maxlength="200" autocomplete="off" list=(list)
                data-parties=(source) autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
            datalist id=(list) {}
        },
    )
}

/// An amount of money.
pub(crate) fn amount_box(name: &str, label: &str, params: &Params) -> Markup {
    let notes = Annotations::of_filter(name, label, params);
    wrap(
        &notes,
        html! {
            input.amount type="text" inputmode="decimal" id=(notes.id) name=(name)
                aria-label=(label) placeholder=(label) value=[params.raw(name)] maxlength="20"
                autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
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
