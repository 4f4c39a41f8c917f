//! Fields of forms. Each shows what was entered, and beside it what is wrong with it.

use maud::{Markup, html};

use crate::frame::Entered;

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
        let value = if self.kind == "password" { "" } else { entered.get(self.name) };
        let wrong = entered.wrong(self.name);
        around(
            self.name,
            self.label,
            self.hint,
            wrong,
            self.required,
            html! {
                input id=(self.name) name=(self.name) type=(self.kind) value=(value)
                    required[self.required] autocomplete=[self.autocomplete]
                    inputmode=[self.inputmode] placeholder=[self.placeholder]
                    maxlength=[self.longest] autofocus[self.focused]
                    aria-invalid=[wrong.map(|_| "true")]
                    aria-describedby=[describers(self.name, self.hint, wrong)];
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
    let wrong = entered.wrong(name);
    around(
        name,
        label,
        hint,
        wrong,
        false,
        html! {
            textarea id=(name) name=(name) rows=(rows) aria-invalid=[wrong.map(|_| "true")]
                aria-describedby=[describers(name, hint, wrong)] { (entered.get(name)) }
        },
    )
}

/// One of several. Each is its value and its word.
pub(crate) fn select<V: AsRef<str>, L: AsRef<str>>(
    name: &str,
    label: &str,
    hint: Option<&str>,
    options: &[(V, L)],
    entered: &Entered,
) -> Markup {
    let wrong = entered.wrong(name);
    around(
        name,
        label,
        hint,
        wrong,
        false,
        html! {
            select id=(name) name=(name) aria-invalid=[wrong.map(|_| "true")]
                aria-describedby=[describers(name, hint, wrong)] {
                @for (value, word) in options {
                    option value=(value.as_ref()) selected[entered.get(name) == value.as_ref()] {
                        (word.as_ref())
                    }
                }
            }
        },
    )
}

/// A box to tick; its value is `true`.
pub(crate) fn check(name: &str, label: &str, hint: Option<&str>, entered: &Entered) -> Markup {
    let wrong = entered.wrong(name);
    html! {
        div.field.tick {
            label {
                input id=(name) name=(name) type="checkbox" value="true"
                    checked[entered.has(name, "true")]
                    aria-describedby=[describers(name, hint, wrong)];
                " " (label)
            }
            (beside(name, hint, wrong))
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
    let wrong = entered.wrong(name);
    html! {
        fieldset.field id=(name) aria-describedby=[describers(name, hint, wrong)] {
            legend { (label) }
            div.ticks {
                @for (value, word) in options {
                    label {
                        input type="checkbox" name=(name) value=(value.as_ref())
                            checked[entered.has(name, value.as_ref())];
                        " " (word.as_ref())
                    }
                }
            }
            (beside(name, hint, wrong))
        }
    }
}

/// Pictures, chosen or dropped. The form must be sent as `multipart/form-data`: see [`picture_form`].
pub(crate) fn files(name: &str, label: &str, hint: &str, entered: &Entered) -> Markup {
    let wrong = entered.wrong(name);
    around(
        name,
        label,
        Some(hint),
        wrong,
        false,
        html! {
            div.drop data-drop="" {
                input id=(name) name=(name) type="file" multiple
                    accept="image/jpeg,image/png,image/webp"
                    aria-invalid=[wrong.map(|_| "true")]
                    aria-describedby=[describers(name, Some(hint), wrong)];
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
    html! {
        @if let Some(message) = entered.message() {
            div.notice.bad role="alert" {
                p { (message) "." }
                @if !entered.problems().is_empty() {
                    ul {
                        @for (name, message) in entered.problems() {
                            li { a href={ "#" (name) } { (spoken(name)) } " " (message) "." }
                        }
                    }
                }
            }
        }
    }
}

/// `appearanceFee` as people say it.
pub(crate) fn spoken(name: &str) -> String {
    // Where the label is another word.
    let label = match name {
        "appearanceFee" => "Fee",
        "territories" => "Where",
        "validFrom" => "Holds from",
        "expiresAt" => "End",
        "fullname" => "Full name",
        "canCrawl" => "Watch for it",
        "grantee" | "grantee.userEmail" | "grantee.organizationId" => "Whom to share with",
        "cardId" => "Card",
        "subscriptionId" => "Plan",
        _ => "",
    };
    if !label.is_empty() {
        return label.to_owned();
    }
    let mut words = String::new();
    for letter in name.replace(['.', '_'], " ").chars() {
        if letter.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    let mut letters = words.chars();
    letters.next().map(|it| it.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn around(
    name: &str,
    label: &str,
    hint: Option<&str>,
    wrong: Option<&str>,
    required: bool,
    input: Markup,
) -> Markup {
    html! {
        div.field {
            label for=(name) {
                (label) @if required { span.must aria-hidden="true" { " *" } }
            }
            (input)
            (beside(name, hint, wrong))
        }
    }
}

fn beside(name: &str, hint: Option<&str>, wrong: Option<&str>) -> Markup {
    html! {
        @if let Some(wrong) = wrong {
            p.wrong id={ (name) "-wrong" } { (sentence(wrong)) }
        }
        @if let Some(hint) = hint {
            p.hint id={ (name) "-hint" } { (hint) }
        }
    }
}

/// What the domain says of a field, as a sentence of its own.
fn sentence(wrong: &str) -> String {
    let mut letters = wrong.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

fn describers(name: &str, hint: Option<&str>, wrong: Option<&str>) -> Option<String> {
    match (wrong, hint) {
        (Some(_), Some(_)) => Some(format!("{name}-wrong {name}-hint")),
        (Some(_), None) => Some(format!("{name}-wrong")),
        (None, Some(_)) => Some(format!("{name}-hint")),
        (None, None) => None,
    }
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

    #[test]
    fn names_of_the_wire_are_spoken() {
        assert_eq!(spoken("appearanceFee"), "Fee");
        assert_eq!(spoken("feePer"), "Fee per");
        assert_eq!(spoken("contact.email"), "Contact email");
    }
}
