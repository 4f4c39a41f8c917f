//! Composing emails about notices. An email takes its notices in the unit of work that queues it,
//! so none is lost or mailed twice.

use std::fmt::Write as _;

use grantor_domain::mail::Mail;
use grantor_domain::notice::{MAX_LISTED, Unsubscription};
use grantor_domain::template::{MailKind, Value, escape};
use grantor_domain::{Result, Timestamp};
use grantor_storage::notice::pending::{self, MailGroup};
use grantor_storage::notice::refusal;
use grantor_storage::notice::settings::{self, Digest};
use grantor_storage::{Changes, Tx, Waiter};

use super::reader::{Item, Reader};
use super::unsubscribe;
use crate::App;
use crate::mail::compose;

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
        (Some(digest), _) => {
            settings::record_digest(tx, person, at)?;
            let date = digest.schedule.date(at);
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
    let (notice, person) = (&item.notice, &reader.person);
    let link = format!("{}{}", app.public_url, reader.link(item));
    let value = |name: &'static str| match name {
        "link" => Some(("link", &*link)),
        _ => Some((name, notice.values.get(name)?.as_str())),
    };
    let variables = notice.mail.variables().iter();
    let values: Vec<Value<'_>> = variables.filter_map(|it| value(it.name)).collect();
    let (email, name) = (&*person.email, Some(&*person.fullname));
    let mail = compose::from_template(tx, notice.mail, email, name, &values)?;
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
    let noun = if told.len() == 1 { "notification" } else { "notifications" };
    let count = format!("{} {noun}", told.len());
    let shown = told.iter().take(MAX_LISTED);
    let mut items: Vec<_> = shown
        .map(|it| format!("{}\n{}{}", reader.line(it), app.public_url, reader.link(it)))
        .collect();
    if told.len() > MAX_LISTED {
        items.push(format!("and {} more", told.len() - MAX_LISTED));
    }
    let (items, link) = (items.join("\n\n"), format!("{}{}", app.public_url, reader.list(told)));
    let of_kind = if kind == MailKind::Digest { ("date", word) } else { ("subject", word) };
    let values = [("count", &*count), ("items", &*items), ("link", &*link), of_kind];
    let (email, name) = (&*reader.person.email, Some(&*reader.person.fullname));
    compose::from_template(tx, kind, email, name, &values)
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
    let link = unsubscribe::link(app, reader.person.id, scope);
    let what = match scope {
        Unsubscription::Kind(kind) => format!("emails like this one ({})", kind.label()),
        Unsubscription::Digest => "the daily digest".to_owned(),
    };
    let settings = format!("{}{}", app.public_url, reader.settings());
    let mut text = "\n--\n".to_owned();
    let mut html = "<p style=\"color:#5f6368;font-size:.85rem\">".to_owned();
    if let Some(about) = about {
        let _ = writeln!(text, "This email is about {about}.");
        let _ = write!(html, "This email is about {}. ", escape(about));
    }
    let _ = write!(text, "To stop {what}:\n{link}\nTo choose what we email you:\n{settings}\n");
    let _ = write!(
        html,
        "To stop {what}, <a href=\"{link}\">unsubscribe</a>. \
         <a href=\"{settings}\">Choose what we email you</a>."
    );
    mail.text.push_str(&text);
    mail.html = mail.html.map(|it| match it.strip_suffix(HTML_END) {
        Some(body) => format!("{body}{html}</p>{HTML_END}"),
        None => it,
    });
    mail.unsubscribe = Some(link);
    mail
}
