//! The label, hint and error around an input.

use std::borrow::Cow;

use maud::{Markup, html};

use super::marked::Mark;
use crate::frame::{FieldError, FormData, Params};

/// The id prefix of filters, since a form on the same page may have a field of the same name.
pub(super) const FILTER: &str = "by-";

/// The label, hint and error around an input.
pub(super) struct Annotations<'a> {
    pub(super) id: Cow<'a, str>,
    label: &'a str,
    hint: Option<&'a str>,
    error: Option<FieldError>,
}

impl<'a> Annotations<'a> {
    pub(super) fn of(
        name: &'a str,
        label: &'a str,
        hint: Option<&'a str>,
        entered: &FormData,
    ) -> Self {
        Self { id: name.into(), label, hint, error: entered.register(name, label) }
    }

    /// Returns the annotations of a filter.
    pub(super) fn of_filter(name: &'a str, label: &'a str, params: &Params) -> Self {
        let id = format!("{FILTER}{name}").into();
        Self { id, label, hint: None, error: params.register(name, label) }
    }

    pub(super) fn has_error(&self) -> bool {
        self.error.is_some()
    }

    /// Returns whether this is the first field on the page with an error.
    pub(super) fn is_first_error(&self) -> bool {
        self.error.as_ref().is_some_and(|it| it.first)
    }

    pub(super) fn aria_invalid(&self) -> Option<&'static str> {
        self.error.as_ref().map(|_| "true")
    }

    /// Returns the ids for `aria-describedby`.
    pub(super) fn described_by(&self) -> Option<String> {
        let error = self.error.as_ref().map(|_| format!("{}-wrong", self.id));
        let hint = self.hint.map(|_| format!("{}-hint", self.id));
        let all: Vec<_> = error.into_iter().chain(hint).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }

    pub(super) fn wrap(&self, mark: impl Into<Mark>, input: Markup) -> Markup {
        html! {
            div.field {
                label for=(self.id) { (self.label) (mark.into().sign()) }
                (input)
                (self.messages())
            }
        }
    }

    /// The label of a group of inputs. No attribute can say that one of a group is required.
    pub(super) fn legend(&self, mark: impl Into<Mark>) -> Markup {
        html! { legend { (self.label) (mark.into().group_sign()) } }
    }

    pub(super) fn messages(&self) -> Markup {
        html! {
            @if let Some(error) = &self.error {
                p.wrong id={ (self.id) "-wrong" } { (sentence(&error.message)) }
            }
            @if let Some(hint) = self.hint {
                p.hint id={ (self.id) "-hint" } { (hint) }
            }
        }
    }
}

/// Turns a domain message such as "is required" into a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
