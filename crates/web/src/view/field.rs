//! Fields of forms. Each shows what was entered, and beside it what is wrong with it.

use std::borrow::Cow;

use maud::{Markup, html};

use crate::frame::{Asked, Entered, Listed, Wrong};

/// A field of one line.
pub(crate) struct Field<'a> {
    name: &'a str,
    label: &'a str,
    kind: &'static str,
    hint: Option<&'a str>,
    required: bool,
    autocomplete: Option<&'static str>,
    inputmode: Option<&'static str>,
    placeholder: Option<&'a str>,
    longest: Option<u32>,
    focused: bool,
}

/// A field of one line. Its name is the one the domain refuses it under.
pub(crate) fn field<'a>(name: &'a str, label: &'a str) -> Field<'a> {
    Field {
        name,
        label,
        kind: "text",
        hint: None,
        required: false,
        autocomplete: None,
        inputmode: None,
        placeholder: None,
        longest: None,
        focused: false,
    }
}

impl<'a> Field<'a> {
    /// Of another kind: email, password, url, number, search, date, datetime-local.
    pub(crate) fn kind(mut self, kind: &'static str) -> Self {
        self.kind = kind;
        self
    }

    /// What helps to fill it.
    pub(crate) fn hint(mut self, hint: &'a str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// Must be filled.
    pub(crate) fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// What browsers may fill it with.
    pub(crate) fn autocomplete(mut self, with: &'static str) -> Self {
        self.autocomplete = Some(with);
        self
    }

    /// Which keys a phone shows.
    pub(crate) fn inputmode(mut self, mode: &'static str) -> Self {
        self.inputmode = Some(mode);
        self
    }

    /// An example, shown while it is empty.
    pub(crate) fn placeholder(mut self, example: &'a str) -> Self {
        self.placeholder = Some(example);
        self
    }

    /// The most characters it takes.
    pub(crate) fn longest(mut self, characters: u32) -> Self {
        self.longest = Some(characters);
        self
    }

    /// The one to begin with.
    pub(crate) fn focused(mut self) -> Self {
        self.focused = true;
        self
    }

    /// With what was entered. A password is never written into a page.
    pub(crate) fn of(self, entered: &Entered) -> Markup {
        let value = if self.kind == "password" { "" } else { entered.typed(self.name) };
        let marks = Marks::of(self.name, self.label, self.hint, entered);
        // Where something is wrong, one begins there.
        let focused = marks.first() || (self.focused && !entered.is_refused());
        marks.around(
            self.required,
            html! {
                input id=(self.name) name=(self.name) type=(self.kind) value=(value)
                    required[self.required] autocomplete=[self.autocomplete]
                    inputmode=[self.inputmode] placeholder=[self.placeholder]
                    maxlength=[self.longest] autofocus[focused]
                    aria-invalid=[marks.invalid()] aria-describedby=[marks.describers()];
            },
        )
    }
}

/// A text of several lines.
pub(crate) fn area(
    name: &str,
    label: &str,
    hint: Option<&str>,
    rows: u8,
    entered: &Entered,
) -> Markup {
    let marks = Marks::of(name, label, hint, entered);
    marks.around(
        false,
        html! {
            textarea id=(name) name=(name) rows=(rows) autofocus[marks.first()]
                aria-invalid=[marks.invalid()] aria-describedby=[marks.describers()] {
                (entered.typed(name))
            }
        },
    )
}

/// One of several. Each is its value and its word.
pub(crate) fn select<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    hint: Option<&str>,
    choices: &[(V, L)],
    entered: &Entered,
) -> Markup {
    let marks = Marks::of(name, label, hint, entered);
    let choices = choices.iter().map(|(value, word)| (value.as_ref(), word.as_ref()));
    marks.around(
        false,
        html! {
            select id=(name) name=(name) autofocus[marks.first()]
                aria-invalid=[marks.invalid()] aria-describedby=[marks.describers()] {
                (options(choices, entered.typed(name), marks.wrong.is_some()))
            }
        },
    )
}

/// What a list offers. What was chosen and is wrong stands there too: nothing is lost.
pub(super) fn options<'a>(
    choices: impl IntoIterator<Item = (&'a str, &'a str)>,
    chosen: &str,
    wrong: bool,
) -> Markup {
    let choices: Vec<_> = choices.into_iter().collect();
    let foreign = wrong && choices.iter().all(|(value, _)| *value != chosen);
    html! {
        @for (value, word) in choices {
            option value=(value) selected[value == chosen] { (word) }
        }
        @if foreign {
            option value=(chosen) selected { @if chosen.is_empty() { "Choose one" } @else { (chosen) } }
        }
    }
}

/// A box to tick; its value is `true`.
pub(crate) fn check(name: &str, label: &str, hint: Option<&str>, entered: &Entered) -> Markup {
    let marks = Marks::of(name, label, hint, entered);
    html! {
        div.field.tick {
            label {
                input id=(name) name=(name) type="checkbox" value="true"
                    checked[entered.has(name, "true")] autofocus[marks.first()]
                    aria-invalid=[marks.invalid()] aria-describedby=[marks.describers()];
                " " (label)
            }
            (marks.beside())
        }
    }
}

/// Several boxes under one name.
pub(crate) fn choices<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    hint: Option<&str>,
    options: &[(V, L)],
    entered: &Entered,
) -> Markup {
    let marks = Marks::of(name, label, hint, entered);
    html! {
        fieldset.field id=(name) aria-describedby=[marks.describers()] {
            legend { (label) }
            div.ticks {
                @for (index, (value, word)) in options.iter().enumerate() {
                    label {
                        input type="checkbox" name=(name) value=(value.as_ref())
                            checked[entered.has(name, value.as_ref())]
                            autofocus[index == 0 && marks.first()];
                        " " (word.as_ref())
                    }
                }
            }
            (marks.beside())
        }
    }
}

/// Fields that are one thing to the domain, such as two ways to name somebody.
pub(crate) fn group(name: &str, label: &str, entered: &Entered, fields: Markup) -> Markup {
    let marks = Marks::of(name, label, None, entered);
    let focusable = marks.first().then_some("-1");
    html! {
        fieldset.field id=(name) tabindex=[focusable] autofocus[marks.first()]
            aria-describedby=[marks.describers()] {
            legend { (label) }
            (marks.beside())
            div.stack { (fields) }
        }
    }
}

/// Pictures, chosen or dropped. The form must be sent as `multipart/form-data`: see [`picture_form`].
pub(crate) fn files(name: &str, label: &str, hint: &str, entered: &Entered) -> Markup {
    let marks = Marks::of(name, label, Some(hint), entered);
    marks.around(
        false,
        html! {
            div.drop data-drop="" {
                input id=(name) name=(name) type="file" multiple
                    accept="image/jpeg,image/png,image/webp" autofocus[marks.first()]
                    aria-invalid=[marks.invalid()] aria-describedby=[marks.describers()];
                p.quiet data-drop-words="" { "Choose files" }
                ul.chosen data-chosen="" {}
            }
        },
    )
}

/// A value nobody sees.
pub(crate) fn hidden(name: &str, value: &str) -> Markup {
    html! { input type="hidden" name=(name) value=(value); }
}

/// A form around its fields, with what is wrong on top and a button below.
pub(crate) fn form(action: &str, entered: &Entered, fields: Markup, button: &str) -> Markup {
    html! {
        form.form method="post" action=(action) novalidate {
            (wrongs(entered)) (fields)
            div.actions { button { (button) } }
        }
    }
}

/// The same, with pictures; a script shows how far they are.
pub(crate) fn picture_form(
    action: &str,
    entered: &Entered,
    fields: Markup,
    button: &str,
) -> Markup {
    html! {
        form.form method="post" action=(action) enctype="multipart/form-data" novalidate
            data-upload="" {
            (wrongs(entered)) (fields)
            progress max="100" value="0" aria-label="Upload" hidden data-progress="" {}
            div.actions { button { (button) } }
        }
    }
}

/// Why the form was refused, with a way to each field that is wrong.
pub(crate) fn wrongs(entered: &Entered) -> Markup {
    html! { @if let Some(message) = entered.message() { (reasons(message, &entered.wrongs(), "")) } }
}

/// Why something was refused. Where that is about one field, it is said once.
pub(super) fn reasons(message: &str, all: &[Listed], prefix: &str) -> Markup {
    let way = |it: &Listed, word: &str| html! { @if it.drawn { a href={ "#" (prefix) (it.name) } { (word) } } @else { (word) } };
    html! {
        div.notice.bad role="alert" {
            @match all {
                [one] if one.message == message => p { (way(one, message)) "." },
                all => {
                    p { (message) "." }
                    @if !all.is_empty() {
                        ul { @for it in all { li { (way(it, &it.label)) " " (it.message) "." } } }
                    }
                }
            }
        }
    }
}

/// What the ids of filters begin with: a form of the same page may have a field of the same name.
pub(super) const FILTER: &str = "by-";

/// What a field shows of itself beside its value.
pub(super) struct Marks<'a> {
    pub(super) id: Cow<'a, str>,
    label: &'a str,
    hint: Option<&'a str>,
    wrong: Option<Wrong>,
}

impl<'a> Marks<'a> {
    fn of(name: &'a str, label: &'a str, hint: Option<&'a str>, entered: &Entered) -> Self {
        Self { id: name.into(), label, hint, wrong: entered.draw(name, label) }
    }

    /// Of a filter.
    pub(super) fn asked(name: &'a str, label: &'a str, asked: &Asked) -> Self {
        let id = format!("{FILTER}{name}").into();
        Self { id, label, hint: None, wrong: asked.draw(name, label) }
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.wrong.is_some()
    }

    /// Whether it is the first that is wrong.
    pub(super) fn first(&self) -> bool {
        self.wrong.as_ref().is_some_and(|it| it.first)
    }

    pub(super) fn invalid(&self) -> Option<&'static str> {
        self.wrong.as_ref().map(|_| "true")
    }

    /// The ids of what describes it.
    pub(super) fn describers(&self) -> Option<String> {
        let wrong = self.wrong.as_ref().map(|_| format!("{}-wrong", self.id));
        let hint = self.hint.map(|_| format!("{}-hint", self.id));
        let all: Vec<_> = wrong.into_iter().chain(hint).collect();
        (!all.is_empty()).then(|| all.join(" "))
    }

    fn around(&self, required: bool, input: Markup) -> Markup {
        html! {
            div.field {
                label for=(self.id) {
                    (self.label) @if required { span.must aria-hidden="true" { " *" } }
                }
                (input)
                (self.beside())
            }
        }
    }

    pub(super) fn beside(&self) -> Markup {
        html! {
            @if let Some(wrong) = &self.wrong {
                p.wrong id={ (self.id) "-wrong" } { (sentence(&wrong.message)) }
            }
            @if let Some(hint) = self.hint {
                p.hint id={ (self.id) "-hint" } { (hint) }
            }
        }
    }
}

/// What the domain says of a field, as a sentence of its own.
fn sentence(wrong: &str) -> String {
    let mut letters = wrong.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use grantor_domain::Error;

    #[test]
    fn a_refused_field_keeps_its_value_and_says_why() {
        let entered = Entered::default().with("email", "<a@b>");
        let entered = entered.refused(&Error::field("email", "must be an address"));
        let drawn = field("email", "Email").kind("email").of(&entered).into_string();
        assert!(drawn.contains("value=\"&lt;a@b&gt;\""), "{drawn}");
        assert!(drawn.contains("aria-describedby=\"email-wrong\""), "{drawn}");
        assert!(drawn.contains("<p class=\"wrong\" id=\"email-wrong\">Must be an address.</p>"));
    }

    #[test]
    fn a_password_is_never_written_into_a_page() {
        let entered = Entered::default().with("password", "Secret-1");
        let drawn = field("password", "Password").kind("password").of(&entered).into_string();
        assert!(drawn.contains("value=\"\"") && !drawn.contains("Secret"), "{drawn}");
    }
}
