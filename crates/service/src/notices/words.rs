//! What notices say in the language of a page. A notice is written in the language that its person
//! had then. What it is made of is stored, so that a page in another language can say the same.

use grantor_domain::notice::Notice;
use grantor_domain::template::{MailKind, Value};
use grantor_messages::Language;

use crate::mail::built_in;

/// Returns the line of a notice in a language. A line that is not made of the current texts stays
/// as it was written.
#[must_use]
pub fn in_language(notice: &Notice, language: Language) -> String {
    let written = Language::all().find(|it| say(notice, *it, *it) == notice.summary);
    match written {
        Some(from) if from != language => say(notice, from, language),
        _ => notice.summary.clone(),
    }
}

/// The line of a notice whose values are in one language, in another one.
fn say(notice: &Notice, from: Language, to: Language) -> String {
    let variables = notice.mail.variables().iter();
    let values = variables.filter_map(|it| {
        let value = notice.values.get(it.name)?;
        Some((it.name, reworded(notice.mail, it.name, value, from, to)))
    });
    let values: Vec<_> = values.collect();
    let said: Vec<Value<'_>> = values.iter().map(|(name, it)| (*name, &**it)).collect();
    built_in::subject(notice.mail, to, &said)
}

fn reworded(mail: MailKind, name: &str, value: &str, from: Language, to: Language) -> String {
    if from == to {
        return value.to_owned();
    }
    if name == "error" {
        return to.error(value).into_owned();
    }
    let word = words_of(mail).iter().copied().find(|&key| from.text(key) == value);
    word.map_or(value, |key| to.text(key)).to_owned()
}

/// The keys of the words that stand in the line of a kind.
const fn words_of(mail: MailKind) -> &'static [&'static str] {
    match mail {
        MailKind::MentionFound => &[
            "mail-verdict-licensed",
            "mail-verdict-unlicensed",
            "mail-verdict-needs-review",
            "mail-verdict-in-review",
        ],
        MailKind::RequestDeclined => &["mail-declined-request", "mail-declined-offer"],
        MailKind::RequestWithdrawn => &["mail-withdrawn-request", "mail-withdrawn-offer"],
        MailKind::RequestLapsed => &["mail-lapsed-request", "mail-lapsed-offer"],
        MailKind::SourceFailing => &["mail-error-unfinished"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use grantor_domain::Timestamp;
    use grantor_domain::notice::NoticeKind;

    use super::*;

    fn notice(mail: MailKind, values: &[(&str, &str)], summary: &str) -> Notice {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let values: BTreeMap<_, _> = values.iter().map(owned).collect();
        Notice {
            id: uuid::Uuid::nil().into(),
            kind: NoticeKind::Request,
            mail,
            values,
            summary: summary.to_owned(),
            link: "/app".to_owned(),
            created_at: Timestamp::from_secs(0),
            read_at: None,
        }
    }

    #[test]
    fn an_old_notice_is_in_the_language_of_the_page() {
        let [english, german] = ["en", "de"].map(|it| Language::find(it).unwrap());
        let found = [("talent", "Ada"), ("site", "Wire"), ("verdict", "unlicensed")];
        let line = "Ada was found on Wire (unlicensed)";
        let found = notice(MailKind::MentionFound, &found, line);
        assert_eq!(in_language(&found, english), line);
        let words = german.text("mail-verdict-unlicensed");
        let shown = in_language(&found, german);
        assert!(shown.contains(&format!("({words})")) && shown != line, "{shown}");
        let back = notice(
            MailKind::MentionFound,
            &[("talent", "Ada"), ("site", "Wire"), ("verdict", words)],
            &shown,
        );
        assert_eq!(in_language(&back, english), line);
    }

    #[test]
    fn a_line_of_other_words_stays() {
        let german = Language::find("de").unwrap();
        let odd = notice(MailKind::RequestReceived, &[], "Somerville asked for Winter");
        assert_eq!(in_language(&odd, german), "Somerville asked for Winter");
    }
}
