//! Letters about a mention, and the templates they are drafted from. The built-in templates are in the
//! message files, in each language. Placeholders such as `{talent}` stand for values, which are
//! inserted once, so that a value cannot contain another placeholder.

use strum::{VariantArray, VariantNames};

use crate::email::Email;
use crate::enum_names::enum_names;
use crate::error::{Error, Fields, Result};
use crate::text::TextRule;

/// The rule for subjects.
pub const SUBJECT: TextRule = TextRule::name(1, 200);
/// The rule for texts.
pub const TEXT: TextRule = TextRule::paragraphs(1, 10_000);

/// The placeholders of a template.
pub const PLACEHOLDERS: [&str; 6] =
    ["talent", "url", "title", "organization", "evidence_link", "person"];

/// The placeholder that every text must contain.
const EVIDENCE: &str = "{evidence_link}";

enum_names!(LetterKind);

/// What a letter asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum LetterKind {
    /// That the content is taken down.
    Takedown,
    /// That the publisher buys a license.
    LicenseOffer,
}

impl LetterKind {
    /// The name for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Takedown => "Takedown request",
            Self::LicenseOffer => "License offer",
        }
    }
}

/// The values of the placeholders.
#[derive(Clone, Copy, Debug)]
pub struct LetterValues<'a> {
    /// The name of the talent.
    pub talent: &'a str,
    /// The address of the content.
    pub url: &'a str,
    /// The title of the content.
    pub title: &'a str,
    /// The name of the sender's organization.
    pub organization: &'a str,
    /// The link to the evidence.
    pub evidence_link: &'a str,
    /// The name of the sender.
    pub person: &'a str,
}

impl<'a> LetterValues<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        Some(match name {
            "talent" => self.talent,
            "url" => self.url,
            "title" => self.title,
            "organization" => self.organization,
            "evidence_link" => self.evidence_link,
            "person" => self.person,
            _ => return None,
        })
    }
}

/// A template of letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterTemplate {
    /// What the letters ask for.
    pub kind: LetterKind,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
}

impl LetterTemplate {
    /// Parses a template; the error names every mistake.
    pub fn parse(kind: LetterKind, subject: &str, text: &str) -> Result<Self> {
        let mut fields = Fields::default();
        let subject = SUBJECT.parse(subject).and_then(known);
        let subject = fields.take("subject", subject);
        let text = TEXT.parse(text).and_then(known).and_then(with_evidence);
        let text = fields.take("text", text);
        fields.finish()?;
        let parsed = subject.zip(text).map(|(subject, text)| Self { kind, subject, text });
        parsed.ok_or_else(|| Error::validation("The template is not valid"))
    }

    /// Drafts a letter: the subject and the text with the values inserted.
    #[must_use]
    pub fn draft(&self, values: &LetterValues<'_>) -> (String, String) {
        let subject = fill(&self.subject, values).replace(char::is_control, " ");
        let subject = subject.trim().chars().take(SUBJECT.max).collect();
        (subject, fill(&self.text, values))
    }
}

/// A letter to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLetter {
    /// The recipient.
    pub to: Email,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
}

impl NewLetter {
    /// Parses the members of a request body; the error names every invalid or missing one.
    pub fn parse(to: Option<&str>, subject: Option<&str>, text: Option<&str>) -> Result<Self> {
        let mut fields = Fields::default();
        let to = fields.require("to", to, Email::parse);
        let subject = fields.require("subject", subject, |it| SUBJECT.parse(it));
        let text = fields.require("text", text, |it| TEXT.parse(it));
        fields.finish()?;
        let parsed = to.zip(subject).zip(text);
        let ((to, subject), text) =
            parsed.ok_or_else(|| Error::validation("The letter is not valid"))?;
        Ok(Self { to, subject, text })
    }
}

/// Splits a text at its placeholders: what precedes each one, and its name.
fn parts(text: &str) -> (Vec<(&str, &str)>, &str) {
    let (mut parts, mut rest) = (vec![], text);
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        parts.push((before, name));
        rest = after;
    }
    (parts, rest)
}

fn fill(text: &str, values: &LetterValues<'_>) -> String {
    let (parts, rest) = parts(text);
    let mut filled = String::with_capacity(text.len());
    for (before, name) in parts {
        filled.push_str(before);
        filled.push_str(values.get(name).unwrap_or_default());
    }
    filled.push_str(rest);
    filled
}

/// Refuses unknown placeholders.
fn known(text: String) -> Result<String, String> {
    let (parts, rest) = parts(&text);
    let unknown = parts.iter().map(|(_, name)| *name).find(|it| !PLACEHOLDERS.contains(it));
    let all = || PLACEHOLDERS.map(|it| format!("{{{it}}}")).join(", ");
    if let Some(name) = unknown {
        return Err(format!("has an unknown placeholder {{{name}}}; use {}", all()));
    }
    if rest.contains('{') {
        return Err(format!("has a {{ without a }}; use {}", all()));
    }
    Ok(text)
}

fn with_evidence(text: String) -> Result<String, String> {
    if text.contains(EVIDENCE) { Ok(text) } else { Err(format!("must contain {EVIDENCE}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: LetterValues<'static> = LetterValues {
        talent: "Maya Chen",
        url: "https://loopwell.example/winter",
        title: "{person} of the\nwinter",
        organization: "Quillfeather Talent",
        evidence_link: "https://grantor.example/evidence/abc",
        person: "Ada",
    };

    #[test]
    fn names_are_the_same_on_every_way() {
        for kind in LetterKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }

    #[test]
    fn values_are_not_filled_again_and_cannot_break_the_subject() {
        let template = LetterTemplate {
            kind: LetterKind::Takedown,
            subject: "{title} by {person}".to_owned(),
            text: "{title}".to_owned(),
        };
        let (subject, text) = template.draft(&VALUES);
        assert_eq!(subject, "{person} of the winter by Ada");
        assert_eq!(text, "{person} of the\nwinter");
        let long = "x".repeat(1_000);
        let (subject, _) = template.draft(&LetterValues { title: &long, ..VALUES });
        assert_eq!(subject.len(), SUBJECT.max);
    }

    #[test]
    fn mistakes_in_a_template_are_named() {
        let parse = |subject: &str, text: &str| {
            let error = LetterTemplate::parse(LetterKind::Takedown, subject, text).unwrap_err();
            error.fields().clone()
        };
        let all = "{talent}, {url}, {title}, {organization}, {evidence_link}, {person}";
        let found = parse("{name}", "Hello {person}");
        assert_eq!(found["subject"], format!("has an unknown placeholder {{name}}; use {all}"));
        assert_eq!(found["text"], "must contain {evidence_link}");
        let found = parse(" ", "{evidence_link} {person");
        assert_eq!(found["subject"], "must be 1 to 200 characters");
        assert_eq!(found["text"], format!("has a {{ without a }}; use {all}"));
    }

    #[test]
    fn every_invalid_member_of_a_letter_is_named() {
        let error = NewLetter::parse(None, None, None).unwrap_err();
        assert_eq!(error.fields().values().collect::<Vec<_>>(), ["is required"; 3]);
        let error = NewLetter::parse(Some("?"), Some("a\nb"), Some(" ")).unwrap_err();
        assert_eq!(error.fields().keys().collect::<Vec<_>>(), ["subject", "text", "to"]);
        let letter = NewLetter::parse(Some("a@b.example"), Some(" Hi "), Some("x\r\ny")).unwrap();
        assert_eq!((&*letter.subject, &*letter.text), ("Hi", "x\ny"));
    }
}
