//! Form fields. Each shows the submitted value and its error.

use grantor_domain::text::with_period;
use grantor_messages::text;
use maud::{Markup, Render, html};

use super::annotations::Annotations;
use super::marked::{Mark, marked_area, marked_choices, marked_select};
use crate::frame::{ErrorItem, FormData};

/// A single-line field.
pub(crate) struct Field<'a> {
    name: &'a str,
    label: &'a str,
    kind: &'static str,
    hint: Option<&'a str>,
    mark: Mark,
    autocomplete: Option<&'static str>,
    inputmode: Option<&'static str>,
    placeholder: Option<&'a str>,
    max_length: Option<u32>,
    autofocus: bool,
}

/// Creates a single-line field. Its name is the field name of the domain's errors.
pub(crate) fn field<'a>(name: &'a str, label: &'a str) -> Field<'a> {
    Field {
        name,
        label,
        kind: "text",
        hint: None,
        mark: Mark::Optional,
        autocomplete: None,
        inputmode: None,
        placeholder: None,
        max_length: None,
        autofocus: false,
    }
}

impl<'a> Field<'a> {
    /// Sets the input type, such as `email` or `password`.
    pub(crate) fn kind(mut self, kind: &'static str) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the hint below the field.
    pub(crate) fn hint(mut self, hint: &'a str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// Marks the field as required.
    pub(crate) fn required(mut self) -> Self {
        self.mark = Mark::Required;
        self
    }

    /// Marks the field as required in some cases, which a text names.
    pub(crate) fn required_if(mut self, when: &'static str) -> Self {
        self.mark = Mark::RequiredIf(when);
        self
    }

    /// Sets the `autocomplete` attribute.
    pub(crate) fn autocomplete(mut self, with: &'static str) -> Self {
        self.autocomplete = Some(with);
        self
    }

    /// Sets the `inputmode` attribute.
    pub(crate) fn inputmode(mut self, mode: &'static str) -> Self {
        self.inputmode = Some(mode);
        self
    }

    /// Sets the placeholder.
    pub(crate) fn placeholder(mut self, example: &'a str) -> Self {
        self.placeholder = Some(example);
        self
    }

    /// Sets the maximum number of characters.
    pub(crate) fn max_length(mut self, characters: u32) -> Self {
        self.max_length = Some(characters);
        self
    }

    /// Focuses the field when the page opens.
    pub(crate) fn autofocus(mut self) -> Self {
        self.autofocus = true;
        self
    }

    /// Renders the field with the submitted value. Passwords are never written into a page.
    pub(crate) fn of(self, entered: &FormData) -> Markup {
        let value = if self.kind == "password" { "" } else { entered.raw(self.name) };
        let notes = Annotations::of(self.name, self.label, self.hint, entered);
        // The first field with an error takes the focus.
        let autofocus = notes.is_first_error() || (self.autofocus && !entered.has_errors());
        notes.wrap(
            self.mark,
            html! {
                input id=(self.name) name=(self.name) type=(self.kind) value=(value)
                    required[self.mark.is_required()] autocomplete=[self.autocomplete]
                    inputmode=[self.inputmode] placeholder=[self.placeholder]
                    maxlength=[self.max_length] autofocus[autofocus]
                    aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
            },
        )
    }
}

/// A multi-line field.
pub(crate) fn area(
    name: &str,
    label: &str,
    hint: Option<&str>,
    rows: u8,
    entered: &FormData,
) -> Markup {
    marked_area(Mark::Optional, name, label, hint, rows, entered)
}

/// A select of values and labels.
pub(crate) fn select<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    hint: Option<&str>,
    choices: &[(V, L)],
    entered: &FormData,
) -> Markup {
    marked_select(Mark::Optional, name, label, hint, choices, entered)
}

/// The options of a select. An invalid submitted value is kept as an extra option.
pub(super) fn options<'a>(
    choices: impl IntoIterator<Item = (&'a str, &'a str)>,
    chosen: &str,
    invalid: bool,
) -> Markup {
    let choices: Vec<_> = choices.into_iter().collect();
    let foreign = invalid && choices.iter().all(|(value, _)| *value != chosen);
    html! {
        @for (value, word) in choices {
            option value=(value) selected[value == chosen] { (word) }
        }
        @if foreign {
            option value=(chosen) selected {
                @if chosen.is_empty() { (text!("view-field-choose")) } @else { (chosen) }
            }
        }
    }
}

/// A checkbox whose value is `true`.
pub(crate) fn checkbox(name: &str, label: &str, hint: Option<&str>, entered: &FormData) -> Markup {
    let notes = Annotations::of(name, label, hint, entered);
    html! {
        div.field.tick {
            label {
                input id=(name) name=(name) type="checkbox" value="true"
                    checked[entered.has(name, "true")] autofocus[notes.is_first_error()]
                    aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
                " " (label)
            }
            (notes.messages())
        }
    }
}

/// A group of checkboxes with the same name.
pub(crate) fn choices<V: AsRef<str>, L: Render>(
    name: &str,
    label: &str,
    hint: Option<&str>,
    options: &[(V, L)],
    entered: &FormData,
) -> Markup {
    marked_choices(Mark::Optional, name, label, hint, options, entered)
}

/// A group of fields that the domain treats as one, such as two ways to name a grantee.
pub(crate) fn group(name: &str, label: &str, entered: &FormData, fields: Markup) -> Markup {
    let notes = Annotations::of(name, label, None, entered);
    let focusable = notes.is_first_error().then_some("-1");
    html! {
        fieldset.field id=(name) tabindex=[focusable] autofocus[notes.is_first_error()]
            aria-describedby=[notes.described_by()] {
            legend { (label) }
            (notes.messages())
            div.stack { (fields) }
        }
    }
}

/// An image upload field, for use in an [`upload_form`].
pub(crate) fn files(name: &str, label: &str, hint: &str, entered: &FormData) -> Markup {
    let notes = Annotations::of(name, label, Some(hint), entered);
    notes.wrap(
        false,
        html! {
            div.drop data-drop="" {
                input id=(name) name=(name) type="file" multiple
                    accept="image/jpeg,image/png,image/webp" autofocus[notes.is_first_error()]
                    aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
                p.quiet data-drop-words=(text!("view-files-drop"))
                    data-page-words=(text!("view-files-drop-anywhere")) {
                    (text!("view-files-choose"))
                }
                p.wrong role="alert" hidden data-drop-wrong=""
                    data-not=(text!("view-files-not", names = "{names}")) {}
                ul.chosen data-chosen="" {}
            }
        },
    )
}

/// A hidden value.
pub(crate) fn hidden(name: &str, value: &str) -> Markup {
    html! { input type="hidden" name=(name) value=(value); }
}

/// A form with an error summary on top and a button below.
pub(crate) fn form(action: &str, entered: &FormData, fields: Markup, button: &str) -> Markup {
    html! {
        form.form method="post" action=(action) novalidate {
            (error_summary(entered)) (fields)
            div.actions { button { (button) } }
        }
    }
}

/// A form that uploads images. A script shows the progress.
pub(crate) fn upload_form(
    action: &str,
    entered: &FormData,
    fields: Markup,
    button: &str,
) -> Markup {
    html! {
        form.form method="post" action=(action) enctype="multipart/form-data" novalidate
            data-upload="" {
            (error_summary(entered)) (fields)
            progress max="100" value="0" aria-label=(text!("view-field-progress")) hidden
                data-progress="" {}
            div.actions { button { (button) } }
        }
    }
}

/// The error summary of a form, with a link to each invalid field.
pub(crate) fn error_summary(entered: &FormData) -> Markup {
    html! { @if let Some(message) = entered.message() { (errors(message, &entered.errors(), "")) } }
}

/// An error summary. If the message is that of its only field, it is shown once.
pub(super) fn errors(message: &str, all: &[ErrorItem], prefix: &str) -> Markup {
    let link = |it: &ErrorItem, text: &str| {
        html! { @if it.on_page { a href={ "#" (prefix) (it.name) } { (text) } } @else { (text) } }
    };
    // Most messages continue the label, and some are sentences of their own.
    let between =
        |it: &ErrorItem| if it.message.starts_with(char::is_uppercase) { ": " } else { " " };
    html! {
        div.notice.bad role="alert" {
            @match all {
                [one] if one.message == message => p { (link(one, &with_period(message))) },
                all => {
                    p { (with_period(message)) }
                    @if !all.is_empty() {
                        ul { @for it in all { li { (link(it, &it.label)) (between(it)) (with_period(&it.message)) } } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grantor_domain::Error;

    #[test]
    fn a_refused_field_keeps_its_value_and_says_why() {
        let entered = FormData::default().with("email", "<a@b>");
        let entered = entered.with_error(&Error::field("email", "must be an address"));
        let drawn = field("email", "Email").kind("email").of(&entered).into_string();
        assert!(drawn.contains("value=\"&lt;a@b&gt;\""), "{drawn}");
        assert!(drawn.contains("aria-describedby=\"email-wrong\""), "{drawn}");
        assert!(drawn.contains("<p class=\"wrong\" id=\"email-wrong\">Must be an address.</p>"));
    }

    #[test]
    fn a_password_is_never_written_into_a_page() {
        let entered = FormData::default().with("password", "Secret-1");
        let drawn = field("password", "Password").kind("password").of(&entered).into_string();
        assert!(drawn.contains("value=\"\"") && !drawn.contains("Secret"), "{drawn}");
    }
}
