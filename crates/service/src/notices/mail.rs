//! Composing emails about notices. An email takes its notices in the unit of work that queues it,
//! so none is lost or mailed twice.

use std::fmt::Write as _;

use grantor_domain::id::{AdminId, UserId};
use grantor_domain::mail::Mail;
use grantor_domain::notice::{MAX_LISTED, Unsubscription};
use grantor_domain::template::{MailKind, Value};
use grantor_domain::{Result, Timestamp};
use grantor_storage::notice::pending::{self, MailGroup, PendingNotice};
use grantor_storage::notice::refusal;
use grantor_storage::notice::settings::{self, Digest};
use grantor_storage::{Changes, Tx, Waiter, admin, membership, user};
use uuid::Uuid;

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
    let told = reader.may_see(tx, taken)?;
    if told.is_empty() || refusal::find(tx, &reader.email_key)?.is_some() {
        return Ok(false);
    }
    let (kind, mail) = match (&digest, told.as_slice()) {
        (Some(digest), _) => {
            settings::record_digest(tx, person, at)?;
            let date = digest.schedule.date(at);
            (MailKind::Digest, several(tx, app, &reader, MailKind::Digest, &told, &date)?)
        }
        (None, [one]) => (one.mail, single(tx, &reader, one)?),
        (None, _) => {
            let kind = MailKind::SeveralNotices;
            (kind, several(tx, app, &reader, kind, &told, &told[0].summary)?)
        }
    };
    let scope = match digest {
        Some(_) => Unsubscription::Digest,
        None => Unsubscription::Kind(told[0].kind),
    };
    app.mailer.enqueue(tx, kind.name(), &with_footer(app, &reader, mail, scope))?;
    Ok(true)
}

/// The person whom an email goes to.
struct Reader {
    person: Uuid,
    email: String,
    email_key: String,
    fullname: String,
    is_staff: bool,
}

impl Reader {
    fn find(tx: &mut Tx<'_>, person: Uuid) -> Result<Option<Self>> {
        if let Some(user) = user::find(tx, UserId::from(person))? {
            let (email, email_key, fullname) = (user.email, user.email_key, user.fullname);
            return Ok(Some(Self { person, email, email_key, fullname, is_staff: false }));
        }
        let staff = admin::find(tx, AdminId::from(person))?.filter(|it| it.active);
        Ok(staff.map(|it| {
            let (email, email_key, fullname) = (it.email, it.email_key, it.fullname);
            Self { person, email, email_key, fullname, is_staff: true }
        }))
    }

    /// Leaves out notices of tenants that the person has left since.
    fn may_see(&self, tx: &mut Tx<'_>, taken: Vec<PendingNotice>) -> Result<Vec<PendingNotice>> {
        let mut known = vec![(None, self.is_staff)];
        let mut seen = Vec::with_capacity(taken.len());
        for notice in taken {
            let found = known.iter().find(|(tenant, _)| *tenant == notice.tenant);
            let may = match (found.map(|(_, may)| *may), notice.tenant) {
                (Some(may), _) => may,
                (None, None) => false,
                (None, Some(tenant)) => {
                    let user = UserId::from(self.person);
                    let may = membership::find_active(tx, tenant, user)?.is_some();
                    known.push((Some(tenant), may));
                    may
                }
            };
            if may {
                seen.push(notice);
            }
        }
        Ok(seen)
    }
}

/// An email about one notice.
fn single(tx: &mut Tx<'_>, reader: &Reader, notice: &PendingNotice) -> Result<Mail> {
    let variables = notice.mail.variables().iter();
    let values: Vec<Value<'_>> =
        variables.filter_map(|it| Some((it.name, notice.values.get(it.name)?.as_str()))).collect();
    compose::from_template(tx, notice.mail, &reader.email, Some(&reader.fullname), &values)
}

/// An email about several notices: the digest of a day, or a burst, which the subject begins.
fn several(
    tx: &mut Tx<'_>,
    app: &App,
    reader: &Reader,
    kind: MailKind,
    told: &[PendingNotice],
    word: &str,
) -> Result<Mail> {
    let noun = if told.len() == 1 { "notification" } else { "notifications" };
    let count = format!("{} {noun}", told.len());
    let shown = told.iter().take(MAX_LISTED);
    let mut items: Vec<_> =
        shown.map(|it| format!("{}\n{}{}", it.summary, app.public_url, it.link)).collect();
    if told.len() > MAX_LISTED {
        items.push(format!("and {} more", told.len() - MAX_LISTED));
    }
    let (items, link) = (items.join("\n\n"), format!("{}/app/notices", app.public_url));
    let of_kind = if kind == MailKind::Digest { ("date", word) } else { ("subject", word) };
    let values = [("count", &*count), ("items", &*items), ("link", &*link), of_kind];
    compose::from_template(tx, kind, &reader.email, Some(&reader.fullname), &values)
}

/// Adds how to unsubscribe. It is not part of the template, so that no text can leave it out.
fn with_footer(app: &App, reader: &Reader, mut mail: Mail, scope: Unsubscription) -> Mail {
    let link = unsubscribe::link(app, reader.person, scope);
    let what = match scope {
        Unsubscription::Kind(kind) => format!("emails like this one ({})", kind.label()),
        Unsubscription::Digest => "the daily digest".to_owned(),
    };
    let settings = format!("{}/app/profile/notifications", app.public_url);
    let mut text = format!("\n--\nTo stop {what}:\n{link}\n");
    let mut html = format!(
        "<p style=\"color:#5f6368;font-size:.85rem\">To stop {what}, \
         <a href=\"{link}\">unsubscribe</a>."
    );
    if !reader.is_staff {
        let _ = write!(text, "To choose what we email you:\n{settings}\n");
        let _ = write!(html, " <a href=\"{settings}\">Choose what we email you</a>.");
    }
    mail.text.push_str(&text);
    mail.html = mail.html.map(|it| match it.strip_suffix(HTML_END) {
        Some(body) => format!("{body}{html}</p>{HTML_END}"),
        None => it,
    });
    mail.unsubscribe = Some(link);
    mail
}
