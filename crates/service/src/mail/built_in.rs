//! The built-in mail templates, from the message files in each language. A message has Fluent
//! variables such as `{ $code }`, which become the variables of the template; `{ $link }` becomes a
//! link with the label of the kind's button.

use grantor_domain::template::{MailKind, Template, Value};
use grantor_domain::{Error, Result};
use grantor_messages::{Language, Value as MessageValue};

/// The variable that stands for the button.
const LINK: &str = "link";

/// Returns the built-in template of a kind. English stands in for a language whose message files
/// leave out what the template must contain.
pub fn template(kind: MailKind, language: Language) -> Result<Template> {
    let found = read(kind, language).or_else(|_| read(kind, Language::english()));
    found.map_err(|error| Error::internal(format!("the text of {kind}: {error}")))
}

/// The subject of the built-in template with its values.
pub(crate) fn subject(kind: MailKind, language: Language, values: &[Value<'_>]) -> String {
    let value = |name: &str| values.iter().find(|(it, _)| *it == name).map_or("", |it| it.1);
    let values: Vec<_> =
        kind.variables().iter().map(|it| (it.name, MessageValue::from(value(it.name)))).collect();
    language.format(&key(kind, "subject"), &values).replace(char::is_control, " ")
}

fn read(kind: MailKind, language: Language) -> Result<Template> {
    let placeholder = |name: &str| match name {
        LINK => format!("[{}]({{{{{LINK}}}}})", language.format(&key(kind, "button"), &[])),
        name => format!("{{{{{name}}}}}"),
    };
    let values: Vec<_> = kind
        .variables()
        .iter()
        .map(|it| (it.name, MessageValue::from(placeholder(it.name))))
        .collect();
    let text = |part| language.format(&key(kind, part), &values);
    Ok(Template::parse(kind, &text("subject"), &text("body"))?.in_language(language.code()))
}

/// The key of a part of a kind's text, such as `mail-password-reset-subject`.
fn key(kind: MailKind, part: &str) -> String {
    format!("mail-{}-{part}", kind.name().replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use grantor_domain::template::Variable;

    use super::*;

    #[test]
    fn every_text_has_all_variables_in_every_language() {
        for language in Language::all() {
            for kind in MailKind::ALL {
                let template = read(kind, language).unwrap();
                let (subject, body) = (template.subject(), template.body());
                let parsed = Template::parse(kind, subject, body).unwrap();
                assert_eq!(parsed.in_language(language.code()), template, "{kind} {language:?}");
                // The token of an invitation is in its link.
                let spoken = |it: &&Variable| it.needed || it.name != "token";
                for it in kind.variables().iter().filter(spoken) {
                    let place = format!("{{{{{}}}}}", it.name);
                    let used = subject.contains(&place) || body.contains(&place);
                    assert!(used, "{kind} {language:?} says nothing of {}", it.name);
                }
                let shown = template.sample();
                let all = format!("{}\n{}\n{}", shown.subject, shown.text, shown.html);
                assert!(!all.contains(['{', '}', '$']) && !all.contains("mail-"), "{all}");
                assert!(body.starts_with("{{greeting}}\n\n") && body.ends_with("\n\nGrantor"));
            }
        }
    }

    #[test]
    fn each_language_has_texts_of_its_own() {
        let [english, german] = ["en", "de"].map(|it| Language::find(it).unwrap());
        for kind in MailKind::ALL {
            let [one, other] = [english, german].map(|it| read(kind, it).unwrap());
            assert_ne!(one.body(), other.body(), "{kind}");
        }
    }

    #[test]
    fn a_text_is_what_staff_would_write() {
        let english = template(MailKind::PasswordReset, Language::english()).unwrap();
        assert_eq!(english.subject(), "{{code}} is your Grantor code");
        let body = "{{greeting}}\n\n\
            Enter this code to reset your password:\n\n\
            {{code}}\n\n\
            The code is valid for {{minutes}} minutes and can be used once. \
            We'll never ask you for it.\n\n\
            Or use this link, which is valid longer and doesn't require the code:\n\n\
            [Reset password]({{link}})\n\n\
            If you didn't request this, you can ignore this email.\n\n\
            Grantor";
        assert_eq!(english.body(), body);
        let german = template(MailKind::PasswordReset, Language::find("de").unwrap()).unwrap();
        assert_eq!(german.subject(), "{{code}} ist Ihr Grantor-Code");
        assert!(german.body().contains("\n\n[Passwort zurücksetzen]({{link}})\n\n"));
        assert!(german.sample().html.starts_with("<!DOCTYPE html><html lang=\"de\">"));
    }

    #[test]
    fn a_subject_stays_in_one_line() {
        let values = [("organization", "a\r\nBcc: b"), ("license", "{ $x } {{code}}")];
        let german = Language::find("de").unwrap();
        let line = subject(MailKind::RequestReceived, german, &values);
        assert_eq!(line, "a  Bcc: b hat { $x } {{code}} angefragt");
        let line = subject(MailKind::OfferBlocked, Language::english(), &[]);
        assert_eq!(line, "Your offer for  can't be accepted");
    }
}
