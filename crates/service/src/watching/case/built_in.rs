//! The built-in templates of letters, from the message files in each language. Fluent variables
//! such as `{ $talent }` become the placeholders of the template.

use grantor_domain::case::{LetterKind, LetterTemplate, PLACEHOLDERS};
use grantor_domain::{Error, Result};
use grantor_messages::{Language, Value};

/// Returns the built-in template of a kind. English stands in for a language whose message files
/// leave out what the template must contain.
pub(super) fn template(kind: LetterKind, language: Language) -> Result<LetterTemplate> {
    let found = read(kind, language).or_else(|_| read(kind, Language::english()));
    found.map_err(|error| Error::internal(format!("the text of {kind}: {error}")))
}

fn read(kind: LetterKind, language: Language) -> Result<LetterTemplate> {
    let values = PLACEHOLDERS.map(|it| (it, Value::from(format!("{{{it}}}"))));
    let name = kind.name().replace('_', "-");
    let text = |part| language.format(&format!("mail-letter-{name}-{part}"), &values);
    LetterTemplate::parse(kind, &text("subject"), &text("text"))
}

#[cfg(test)]
mod tests {
    use grantor_domain::case::LetterValues;

    use super::*;

    const VALUES: LetterValues<'static> = LetterValues {
        talent: "Maya Chen",
        url: "https://loopwell.example/winter",
        title: "Ten faces of the winter",
        organization: "Quillfeather Talent",
        evidence_link: "https://grantor.example/evidence/abc",
        person: "Ada",
    };

    #[test]
    fn every_letter_links_the_evidence_in_every_language() {
        for language in Language::all() {
            for kind in LetterKind::ALL {
                let template = read(kind, language).unwrap();
                let (subject, text) = template.draft(&VALUES);
                let all = format!("{subject}\n{text}");
                assert!(subject.contains(VALUES.talent) && text.contains(VALUES.evidence_link));
                assert!(text.contains(VALUES.url) && text.contains(VALUES.title));
                assert!(text.ends_with("Ada\nQuillfeather Talent"), "{kind} {language:?}");
                assert!(!all.contains(['{', '}', '$']) && !all.contains("mail-letter"), "{all}");
            }
        }
    }

    #[test]
    fn each_language_has_texts_of_its_own() {
        let letters = ["en", "de"].map(|code| {
            let language = Language::find(code).unwrap();
            LetterKind::ALL.map(|kind| template(kind, language).unwrap().subject)
        });
        let english =
            ["Please remove {talent} from your page", "A license for your use of {talent}"];
        let german = [
            "Bitte entfernen Sie {talent} von Ihrer Seite",
            "Eine Lizenz für Ihre Nutzung von {talent}",
        ];
        assert_eq!(letters, [english, german].map(|it| it.map(str::to_owned)));
    }
}
