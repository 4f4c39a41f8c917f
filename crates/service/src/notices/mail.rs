//! Composing emails about notices, in the language of each person. An email takes its notices in
//! the unit of work that queues it, so none is lost or mailed twice.

use std::fmt::Write as _;

use grantor_domain::mail::Mail;
use grantor_domain::notice::{MAX_LISTED, Unsubscription};
use grantor_domain::template::{MailKind, escape};
use grantor_domain::{Result, Timestamp};
use grantor_messages::{Language, Value};
use grantor_storage::notice::pending::{self, MailGroup};
use grantor_storage::notice::refusal;
use grantor_storage::notice::settings::{self, Digest};
use grantor_storage::{Changes, Tx, Waiter};

use super::reader::{Item, Reader};
use super::unsubscribe;
use crate::App;
use crate::mail::compose;
use crate::mail::phrase::{MailValue, Phrase, date_words, plain};

/// How many due notices one pass looks at.
const AT_ONCE: u32 = 500;
/// The end of every rendered email, before which the footer goes.
const HTML_END: &str = "</body></html>";

/// Composes every email that is due at that time and returns their number.
pub async fn compose_due(app: &App, at: Timestamp) -> Result<u64> {
    let mut composed = 0;
    loop {
        let groups: Result<Vec<MailGroup>> =
            app.store.read(move |tx| Ok(pending::due_groups(tx, at, AT_ONCE)?)).await;
        let groups = groups?;
        if groups.is_empty() {
            return Ok(composed);
        }
        let mut failure = None;
        for group in groups {
            match compose_one(app, group, at).await {
                Ok(done) => composed += u64::from(done),
                // The emails to others do not wait for it.
                Err(error) => failure = Some(error),
            }
        }
        if let Some(error) = failure {
            return Err(error);
        }
    }
}

/// Composes one email, unless another node has taken its notices.
async fn compose_one(app: &App, group: MailGroup, at: Timestamp) -> Result<bool> {
    let (own, after) = (app.clone(), app.clone());
    let work = move |tx: &mut Tx<'_>| compose_in(tx, &own, group, at);
    let after = move |changes: &Changes| after.after_commit(changes);
    app.store.write_for(&Waiter::default(), work, after).await
}

fn compose_in(tx: &mut Tx<'_>, app: &App, group: MailGroup, at: Timestamp) -> Result<bool> {
    let person = group.person();
    let digest = match group {
        MailGroup::Now(..) => None,
        MailGroup::Digest(_) => Some(settings::claim_digest(tx, person)?),
    };
    if let Some(Digest { schedule, last }) = &digest
        && !schedule.allows(at, *last)
    {
        // A notice was written while the digest of this day was composed.
        pending::reschedule(tx, person, schedule.next(at, *last))?;
        return Ok(false);
    }
    let taken = pending::take(tx, group)?;
    let Some(reader) = Reader::find(tx, person)? else { return Ok(false) };
    let told = reader.items(taken);
    if told.is_empty() || refusal::find(tx, &reader.person.email_key)?.is_some() {
        return Ok(false);
    }
    let (kind, mail) = match (&digest, told.as_slice()) {
        (Some(_), _) => {
            settings::record_digest(tx, person, at)?;
            let date = date_words(&reader.locale, at);
            (MailKind::Digest, several(tx, app, &reader, MailKind::Digest, &told, &date)?)
        }
        (None, [one]) => (one.notice.mail, single(tx, app, &reader, one)?),
        (None, _) => {
            let (kind, first) = (MailKind::SeveralNotices, reader.line(&told[0]));
            (kind, several(tx, app, &reader, kind, &told, &first)?)
        }
    };
    let scope = match digest {
        Some(_) => Unsubscription::Digest,
        None => Unsubscription::Kind(told[0].notice.kind),
    };
    let about = reader.organizations(&told);
    let mail = with_footer(app, &reader, mail, scope, about.as_deref());
    app.mailer.enqueue(tx, kind.name(), &mail)?;
    Ok(true)
}

/// An email about one notice.
fn single(tx: &mut Tx<'_>, app: &App, reader: &Reader, item: &Item) -> Result<Mail> {
    let notice = &item.notice;
    let link = format!("{}{}", app.public_url, reader.link(item));
    let value = |name: &'static str| match name {
        "link" => Some(plain("link", &link)),
        _ => Some(plain(name, notice.values.get(name)?)),
    };
    let variables = notice.mail.variables().iter();
    let values: Vec<MailValue<'_>> = variables.filter_map(|it| value(it.name)).collect();
    let mail = compose::in_locale(tx, notice.mail, &reader.locale, reader.recipient(), &values)?;
    Ok(Mail { subject: reader.named(item, &mail.subject), ..mail })
}

/// An email about several notices: the digest of a day, or a burst, which the subject begins.
fn several(
    tx: &mut Tx<'_>,
    app: &App,
    reader: &Reader,
    kind: MailKind,
    told: &[Item],
    word: &str,
) -> Result<Mail> {
    let count = ("count", Phrase::with("mail-count", "count", told.len()));
    let shown = told.iter().take(MAX_LISTED);
    let mut items: Vec<_> = shown
        .map(|it| format!("{}\n{}{}", reader.line(it), app.public_url, reader.link(it)))
        .collect();
    if told.len() > MAX_LISTED {
        items.push(Phrase::with("mail-more", "count", told.len() - MAX_LISTED).say(&reader.locale));
    }
    let (items, link) = (items.join("\n\n"), format!("{}{}", app.public_url, reader.list(told)));
    let of_kind = if kind == MailKind::Digest { "date" } else { "subject" };
    let values = [count, plain("items", &items), plain("link", &link), plain(of_kind, word)];
    compose::in_locale(tx, kind, &reader.locale, reader.recipient(), &values)
}

/// Adds how to unsubscribe, and the organization that the email is about if the person is in
/// several. It is not part of the template, so that no text can leave it out.
fn with_footer(
    app: &App,
    reader: &Reader,
    mut mail: Mail,
    scope: Unsubscription,
    about: Option<&str>,
) -> Mail {
    let language = reader.locale.language;
    let link = unsubscribe::link(app, reader.person.id, scope);
    let settings = format!("{}{}", app.public_url, reader.settings());
    let mut text = "\n--\n".to_owned();
    let mut html = "<p style=\"color:#5f6368;font-size:.85rem\">".to_owned();
    if let Some(about) = about {
        let said = |about: &str| {
            language.format("mail-footer-about", &[("organizations", Value::from(about))])
        };
        let _ = writeln!(text, "{}", said(about));
        let _ = write!(html, "{} ", said(&escape(about)));
    }
    let footer = |key: &str, unsubscribe: &str, settings: &str| {
        let values = [
            ("what", Value::from(stopped(language, scope))),
            ("unsubscribe", Value::from(unsubscribe)),
            ("settings", Value::from(settings)),
        ];
        language.format(key, &values)
    };
    let _ = writeln!(text, "{}", footer("mail-footer-text", &link, &settings));
    let anchor = |url: &str, key| format!("<a href=\"{url}\">{}</a>", language.text(key));
    let unsubscribe = anchor(&link, "mail-footer-unsubscribe");
    let settings = anchor(&settings, "mail-footer-settings");
    html.push_str(&footer("mail-footer-html", &unsubscribe, &settings));
    mail.text.push_str(&text);
    mail.html = mail.html.map(|it| match it.strip_suffix(HTML_END) {
        Some(body) => format!("{body}{html}</p>{HTML_END}"),
        None => it,
    });
    mail.unsubscribe = Some(link);
    mail
}

/// What the link of the footer stops.
fn stopped(language: Language, scope: Unsubscription) -> String {
    match scope {
        Unsubscription::Kind(kind) => {
            let label = language.named("mail-kind", kind.name()).unwrap_or(kind.label());
            language.format("mail-footer-kind", &[("kind", Value::from(label))])
        }
        Unsubscription::Digest => language.text("mail-footer-digest").to_owned(),
    }
}
