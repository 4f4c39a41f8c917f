//! Mail templates, which staff can change (contract section 5). The built-in texts are in the message
//! files, in each language.
//!
//! A template consists of paragraphs separated by empty lines. `{{name}}` stands for a value. A
//! paragraph that consists only of a code, a token or `[label]({{link}})` is highlighted. Values
//! are inserted after the template was parsed and are always plain text, so they cannot add HTML or
//! paragraphs.

mod account;
mod kind;
mod licensing;
mod notices;
mod security;
mod variable;

use std::fmt::Write as _;

pub use self::kind::MailKind;
use self::variable::ACCEPT_TOKEN;
pub use self::variable::Variable;
use crate::error::{Fields, Result};
use crate::text::TextRule;

/// The rule for subjects.
pub const SUBJECT: TextRule = TextRule::name(1, 200);
/// The rule for bodies.
pub const BODY: TextRule = TextRule::paragraphs(1, 10_000);

/// The language of templates unless they say another one.
const ENGLISH: &str = "en";

/// The subject and body of one kind of mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    kind: MailKind,
    subject: String,
    body: String,
    /// The code of the language, for programs that read the mail aloud.
    language: &'static str,
}

/// The name and value of a variable.
pub type Value<'a> = (&'static str, &'a str);

/// A mail with its values inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The subject line.
    pub subject: String,
    /// The plain-text body.
    pub text: String,
    /// The HTML body.
    pub html: String,
}

impl Template {
    /// Parses a template; the error names every mistake.
    pub fn parse(kind: MailKind, subject: &str, body: &str) -> Result<Self> {
        let mut fields = Fields::default();
        let mut read = |name, rule: TextRule, text| {
            let text = rule.parse(text).and_then(|it| known(kind, &it).map(|()| it));
            fields.take(name, text).unwrap_or_default()
        };
        let (subject, body) = (read("subject", SUBJECT, subject), read("body", BODY, body));
        let missing =
            kind.variables().iter().find(|it| it.needed && !names(&body).contains(&it.name));
        if let Some(Variable { name, .. }) = missing {
            fields.add("body", format!("must contain {{{{{name}}}}}"));
        }
        // The link of an invitation has its token, so that either is enough.
        let invites = kind.variables().contains(&ACCEPT_TOKEN);
        if invites && !names(&body).iter().any(|it| ["link", "token"].contains(it)) {
            fields.add("body", "must contain {{link}}");
        }
        fields.finish()?;
        Ok(Self { kind, subject, body, language: ENGLISH })
    }

    /// Sets the code of the language.
    #[must_use]
    pub fn in_language(self, language: &'static str) -> Self {
        Self { language, ..self }
    }

    /// The kind of mail.
    #[must_use]
    pub fn kind(&self) -> MailKind {
        self.kind
    }

    /// The subject as written.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The body as written.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Renders the mail with sample values, for a preview.
    #[must_use]
    pub fn sample(&self) -> Rendered {
        let samples: Vec<_> = self.kind.variables().iter().map(|it| (it.name, it.sample)).collect();
        self.render(&samples)
    }

    /// Renders the mail with the given values; variables without a value are left empty.
    #[must_use]
    pub fn render(&self, values: &[Value<'_>]) -> Rendered {
        let mut text = String::new();
        let mut html = format!("<!DOCTYPE html><html lang=\"{}\">{BODY_TAG}", self.language);
        for paragraph in self.body.split("\n\n").map(str::trim).filter(|it| !it.is_empty()) {
            let (plain, shown) = rendered(paragraph, values);
            let _ = write!(text, "{plain}\n\n");
            html.push_str(&shown);
        }
        html.push_str("</body></html>");
        let subject = fill(&self.subject, values).replace(char::is_control, " ");
        Rendered { subject, text: text.trim_end().to_owned() + "\n", html }
    }
}

const BODY_TAG: &str = "<body style=\"font-family:sans-serif;color:#1b1b1f;max-width:32rem;\
    margin:2rem auto;padding:0 1rem\">";

/// Renders a paragraph as plain text and as HTML.
fn rendered(paragraph: &str, values: &[Value<'_>]) -> (String, String) {
    let plain = fill(paragraph, values);
    if let Some((label, url)) = link(paragraph) {
        let (label, url) = (fill(label, values), fill(url, values));
        let html = format!(
            "<p><a href=\"{}\" style=\"font-size:1.2rem;font-weight:bold\">{}</a></p>",
            escape(&url),
            escape(&label)
        );
        return (format!("{label}:\n{url}"), html);
    }
    match paragraph {
        "{{code}}" => {
            let style = "font-size:2rem;letter-spacing:.3rem;font-weight:bold";
            let html = format!("<p style=\"{style}\">{}</p>", escape(&plain));
            (format!("    {plain}"), html)
        }
        "{{token}}" => {
            let html = format!("<p><code>{}</code></p>", escape(&plain));
            (plain, html)
        }
        _ => {
            let html = format!("<p>{}</p>", escape(&plain).replace('\n', "<br>"));
            (plain, html)
        }
    }
}

/// The label and URL of a paragraph that consists only of a link.
fn link(paragraph: &str) -> Option<(&str, &str)> {
    let (label, url) = paragraph.strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
    let leads = url == "{{link}}" || url.starts_with("https://");
    (leads && !label.is_empty() && !url.contains(char::is_whitespace)).then_some((label, url))
}

/// Inserts the values in one pass, so that variables inside of values are not replaced.
fn fill(text: &str, values: &[Value<'_>]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, name, after)) = next(rest) {
        filled.push_str(before);
        let value = values.iter().find(|(it, _)| *it == name);
        filled.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    filled + rest
}

/// The text before the next variable, its name, and the text after it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name.trim(), after))
}

/// The names of all variables in a text.
fn names(text: &str) -> Vec<&str> {
    let mut rest = text;
    std::iter::from_fn(|| {
        let (_, name, after) = next(rest)?;
        rest = after;
        Some(name)
    })
    .collect()
}

/// Checks that every variable is known for this kind of mail.
fn known(kind: MailKind, text: &str) -> Result<(), String> {
    let places = text.matches("{{").count();
    let names = names(text);
    let allowed = || {
        let all: Vec<_> =
            kind.variables().iter().map(|it| format!("{{{{{}}}}}", it.name)).collect();
        all.join(", ")
    };
    if names.len() != places || text.matches("}}").count() != places {
        return Err(format!("has an unclosed variable; available variables: {}", allowed()));
    }
    let unknown = |name: &&str| kind.variables().iter().all(|it| it.name != *name);
    match names.into_iter().find(unknown) {
        Some(name) => {
            let name: String = name.chars().take(40).collect();
            Err(format!("uses the unknown variable {name}; available variables: {}", allowed()))
        }
        None => Ok(()),
    }
}

/// Escapes a text for HTML. Values may come from strangers.
#[must_use]
pub fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut safe, character| {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
        safe
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_says_its_language() {
        let parsed = Template::parse(MailKind::Registration, "{{code}}", "{{code}}").unwrap();
        let starts = |it: &Template, with: &str| it.render(&[]).html.starts_with(with);
        assert!(starts(&parsed, "<!DOCTYPE html><html lang=\"en\"><body style=\"font-family:"));
        assert!(starts(&parsed.in_language("de"), "<!DOCTYPE html><html lang=\"de\"><body "));
    }

    #[test]
    fn values_are_text_and_nothing_else() {
        let template =
            Template::parse(MailKind::PasswordChanged, "For {{email}}", "{{greeting}}").unwrap();
        let evil = "<b onload='x'>\n\n[a](https://x)\n\n{{email}}&\"";
        let mail = template.render(&[("greeting", evil), ("email", "a\r\nBcc: b")]);
        assert_eq!(mail.subject, "For a  Bcc: b");
        assert_eq!(mail.text, format!("{evil}\n"));
        assert!(mail.html.contains("&lt;b onload=&#39;x&#39;&gt;<br><br>[a](https://x)"));
        assert!(mail.html.contains("{{email}}&amp;&quot;"), "{}", mail.html);
    }

    #[test]
    fn codes_and_links_stand_out() {
        let body = "Hello,\n\n[Sign in]({{link}})\n\n{{code}}\n\nTwo\nlines";
        let template = Template::parse(MailKind::MagicLink, "Your way in", body).unwrap();
        let mail = template.render(&[("link", "https://a.test/?b&c"), ("code", "012345")]);
        let text = "Hello,\n\nSign in:\nhttps://a.test/?b&c\n\n    012345\n\nTwo\nlines\n";
        assert_eq!(mail.text, text);
        assert!(mail.html.contains("href=\"https://a.test/?b&amp;c\""), "{}", mail.html);
        assert!(mail.html.contains("Two<br>lines"), "{}", mail.html);
    }

    #[test]
    fn what_would_not_arrive_as_meant_is_named() {
        let cases = [
            ("", "{{code}}", "subject", "must be 1 to 200 characters"),
            ("a\nb", "{{code}}", "subject", "must not contain control characters"),
            ("Code", "", "body", "must be 1 to 10000 characters"),
            ("Code", "no code", "body", "must contain {{code}}"),
            ("Code", "{{code}} {{token}}", "body", "uses the unknown variable token; available"),
            ("Code", "{{code}} {{", "body", "has an unclosed variable"),
            ("Code", "{{code}} }}", "body", "has an unclosed variable"),
            ("Code", "{{code}}\u{7}", "body", "must not contain control characters"),
        ];
        for (subject, body, field, message) in cases {
            let error = Template::parse(MailKind::Registration, subject, body).unwrap_err();
            assert!(error.fields()[field].starts_with(message), "{subject:?} {body:?} {error:?}");
        }
    }

    #[test]
    fn an_invitation_can_be_accepted_by_its_link_or_its_token() {
        for way in ["{{link}}", "{{token}}"] {
            assert!(Template::parse(MailKind::TeamInvitation, "Join", way).is_ok(), "{way}");
        }
        let error = Template::parse(MailKind::TeamInvitation, "Join", "{{team}}").unwrap_err();
        assert_eq!(error.fields()["body"], "must contain {{link}}");
    }
}
