//! Marks of required fields, and the fields that take one. A single-line field has its own way to be
//! required.

use grantor_messages::text;
use maud::{Markup, Render, html};

use super::annotations::Annotations;
use super::field::options;
use super::rich::rich;
use crate::frame::FormData;

/// How a field is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Not at all: it may be left empty.
    Optional,
    /// As required.
    Required,
    /// As required in some cases, which a text names, such as `with a fee`.
    RequiredIf(&'static str),
}

impl From<bool> for Mark {
    fn from(required: bool) -> Self {
        if required { Self::Required } else { Self::Optional }
    }
}

impl Mark {
    /// The mark after a label.
    pub(super) fn sign(self) -> Markup {
        html! {
            @match self {
                Self::Optional => {}
                Self::Required => span.must aria-hidden="true" { " *" },
                Self::RequiredIf(when) => span.quiet {
                    " " (text!("view-field-required-if", when = when))
                },
            }
        }
    }

    /// The mark after the legend of a group, which no attribute says is required.
    pub(super) fn group_sign(self) -> Markup {
        html! {
            (self.sign())
            @if self.is_required() { span.hidden { " " (text!("view-field-required")) } }
        }
    }

    pub(super) fn is_required(self) -> bool {
        self == Self::Required
    }
}

/// The note above a form with required fields.
pub(crate) fn required_note() -> Markup {
    let mark = html! { span.must { "*" } };
    html! { p.quiet { (rich!("view-field-required-note", mark = mark)) } }
}

/// A multi-line field.
pub(crate) fn marked_area(
    mark: Mark,
    name: &str,
    label: &str,
    hint: Option<&str>,
    rows: u8,
    entered: &FormData,
) -> Markup {
    let notes = Annotations::of(name, label, hint, entered);
    notes.wrap(
        mark,
        html! {
            textarea id=(name) name=(name) rows=(rows) required[mark.is_required()]
                autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()] {
                (entered.raw(name))
            }
        },
    )
}

/// A select of values and labels.
pub(crate) fn marked_select<V: AsRef<str>, L: AsRef<str>>(
    mark: Mark,
    name: &str,
    label: &str,
    hint: Option<&str>,
    choices: &[(V, L)],
    entered: &FormData,
) -> Markup {
    let notes = Annotations::of(name, label, hint, entered);
    let choices = choices.iter().map(|(value, word)| (value.as_ref(), word.as_ref()));
    notes.wrap(
        mark,
        html! {
            select id=(name) name=(name) required[mark.is_required()]
                autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()] {
                (options(choices, entered.raw(name), notes.has_error()))
            }
        },
    )
}

/// A group of checkboxes with the same name.
pub(crate) fn marked_choices<V: AsRef<str>, L: Render>(
    mark: Mark,
    name: &str,
    label: &str,
    hint: Option<&str>,
    options: &[(V, L)],
    entered: &FormData,
) -> Markup {
    let notes = Annotations::of(name, label, hint, entered);
    html! {
        fieldset.field id=(name) aria-describedby=[notes.described_by()] {
            (notes.legend(mark))
            div.ticks {
                @for (index, (value, word)) in options.iter().enumerate() {
                    label {
                        input type="checkbox" name=(name) value=(value.as_ref())
                            checked[entered.has(name, value.as_ref())]
                            autofocus[index == 0 && notes.is_first_error()];
                        " " (word)
                    }
                }
            }
            (notes.messages())
        }
    }
}

/// A checkbox that must be checked. Its value is `true`.
pub(crate) fn required_checkbox(name: &str, label: &str, entered: &FormData) -> Markup {
    let notes = Annotations::of(name, label, None, entered);
    html! {
        div.field.tick {
            label {
                input id=(name) name=(name) type="checkbox" value="true" required
                    checked[entered.has(name, "true")] autofocus[notes.is_first_error()]
                    aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
                " " (label) (Mark::Required.sign())
            }
            (notes.messages())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_says_when_a_field_is_required() {
        let entered = FormData::default();
        let drawn = |mark| marked_area(mark, "a", "A", None, 2, &entered).into_string();
        assert!(!drawn(Mark::Optional).contains("required"));
        let required = drawn(Mark::Required);
        assert!(required.contains("<span class=\"must\" aria-hidden=\"true\"> *</span>"));
        assert!(required.contains("rows=\"2\" required"), "{required}");
        let sometimes = drawn(Mark::RequiredIf("with a fee"));
        assert!(sometimes.contains("(required with a fee)"), "{sometimes}");
        assert!(!sometimes.contains("rows=\"2\" required"), "{sometimes}");
        let group = marked_choices(Mark::Required, "a", "A", None, &[("b", "B")], &entered);
        assert!(group.into_string().contains("(required)"));
    }
}
