//! Mentions, shown to who sees their license and decided on by who acts for the talent.

use grantor_domain::audit::Resource;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{LicenseId, MentionId};
use grantor_domain::license::License;
use grantor_domain::mention::{Decision, InboxQuery, Mention, MentionQuery, MentionStatus};
use grantor_domain::page::{Listing, Order};
use grantor_domain::permission::{LicenseAct, PermissionRole};
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::license::reader::{self, Reader};
pub use grantor_storage::mention::Shown;
use grantor_storage::mention::inbox::{self, Wanted};
use grantor_storage::{Tx, license, mention, permission};
use serde_json::json;

use crate::act::{Act, Desk, Done};
use crate::license::{Named, resolve};
use crate::{App, Context, event, reach};

/// A mention as one caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The mention.
    pub shown: Shown,
    /// What the caller is to its license.
    pub role: PermissionRole,
}

/// The mentions of a license the caller sees.
pub async fn list(
    app: &App,
    reader: Reader,
    license: LicenseId,
    query: MentionQuery,
) -> Result<Listing<Seen>> {
    app.store
        .read(move |tx| {
            let (id, role) = resolve(tx, reader, &Named::Id(license))?;
            Ok(mention::list(tx, id, &query)?.map(|shown| Seen { shown, role }))
        })
        .await
}

/// Counting what waits ends here: a page says "more" from there on.
pub const MOST_WAITING: u32 = 1_000;

/// The mentions of all licenses the caller sees, or of one of them, newest first. A license that
/// the caller does not see is as unknown as one that never was.
pub async fn inbox(app: &App, reader: Reader, query: InboxQuery) -> Result<Listing<Seen>> {
    let InboxQuery { status, verdict, license, page } = query;
    if let Some(license) = license {
        let (platform, from, to, order) = (None, None, None, Order::Desc);
        let query = MentionQuery { page, status, verdict, platform, from, to, order };
        return list(app, reader, license, query).await.map_err(|error| match error.kind() {
            ErrorKind::AccessDenied => Error::not_found("License"),
            _ => error,
        });
    }
    let wanted = Wanted { status, verdict };
    app.store
        .read(move |tx| {
            let found = inbox::list(tx, reader, wanted, page)?;
            let seen = load(tx, reader, &found.items)?;
            Ok(found.with_items(|_| seen))
        })
        .await
}

/// How many of them wait for a decision; [`MOST_WAITING`] stands for as many or more.
pub async fn waiting(app: &App, reader: Reader) -> Result<u64> {
    app.store.read(move |tx| count_waiting(tx, reader)).await
}

/// The same within a read of more.
pub(crate) fn count_waiting(tx: &mut Tx<'_>, reader: Reader) -> Result<u64> {
    let wanted = Wanted { status: Some(MentionStatus::New), verdict: None };
    Ok(inbox::count(tx, reader, wanted, MOST_WAITING)?.min(u64::from(MOST_WAITING)))
}

/// These mentions in this order, as the caller sees them.
fn load(tx: &mut Tx<'_>, reader: Reader, found: &[(MentionId, LicenseId)]) -> Result<Vec<Seen>> {
    let ids: Vec<_> = found.iter().map(|it| it.0).collect();
    let mut shown = mention::load(tx, &ids)?;
    shown.sort_by_key(|it| ids.iter().position(|id| *id == it.mention.id));
    let mut seen = Vec::with_capacity(shown.len());
    for shown in shown {
        // Whoever just lost sight of it is not shown it.
        if let Some(entry) = reader::find(tx, reader, shown.mention.license)? {
            seen.push(Seen { shown, role: entry.role });
        }
    }
    Ok(seen)
}

/// One mention, if the caller sees its license.
pub async fn get(app: &App, reader: Reader, id: MentionId) -> Result<Seen> {
    app.store
        .read(move |tx| {
            let found = mention::find(tx, id)?;
            see(tx, reader, found)
        })
        .await
}

/// Confirms or dismisses a mention.
pub async fn decide(
    app: &App,
    context: &Context,
    reader: Reader,
    id: MentionId,
    decision: Decision,
) -> Result<Seen> {
    app.act(context, Decide { reader, id, decision }).await
}

/// What a caller may see of what was found. A mention of a license that is gone is gone with it.
pub(crate) fn see(tx: &mut Tx<'_>, reader: Reader, found: Option<Shown>) -> Result<Seen> {
    let unknown = || Error::not_found("Mention");
    let shown = found.ok_or_else(unknown)?;
    match resolve(tx, reader, &Named::Id(shown.mention.license)) {
        Ok((_, role)) => Ok(Seen { shown, role }),
        Err(error) if *error.kind() == ErrorKind::NotFound => Err(unknown()),
        Err(error) => Err(error),
    }
}

struct Decide {
    reader: Reader,
    id: MentionId,
    decision: Decision,
}

impl Act for Decide {
    type Grant = (Seen, License);
    type Output = Seen;
    const ACTION: &'static str = "mention.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let found = mention::claim(desk.tx, self.id)?;
        let seen = see(desk.tx, self.reader, found)?;
        seen.role.check(LicenseAct::DecideMentions)?;
        let license = license::find(desk.tx, seen.shown.mention.license)?;
        let license = license.ok_or_else(|| Error::not_found("Mention"))?.license;
        reach::within_license(desk, Right::DecideMentions, &license)?;
        Ok((seen, license))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Seen>> {
        let (mut seen, license) = grant;
        let mention = &mut seen.shown.mention;
        let mut events = vec![];
        if self.decision.changes(mention.status, &mention.note) {
            mention.status = self.decision.status;
            if let Some(note) = &self.decision.note {
                mention.note = note.clone();
            }
            mention.version = mention.version.saturating_add(1);
            mention::update(desk.tx, mention)?;
            events.push(tell(desk, EventType::MentionUpdated, &seen.shown, &license)?);
        }
        let mention = &seen.shown.mention;
        let resource = resource(mention);
        let details = json!({ "status": mention.status });
        let mut done = Done::new(seen, resource, "A mention was decided on");
        (done.details, done.tenant, done.events) = (details, Some(license.tenant), events);
        Ok(done)
    }
}

pub(crate) fn resource(mention: &Mention) -> Resource {
    let name = Some(mention.title.clone());
    Resource { kind: "mention", id: Some(mention.id.to_string()), name }
}

/// What is told of a mention; the note stays with those who decide.
pub(crate) fn tell(
    desk: &mut Desk<'_, '_>,
    kind: EventType,
    shown: &Shown,
    license: &License,
) -> Result<NewEvent> {
    Ok(NewEvent {
        kind,
        owner: license.tenant,
        license: Some(license.id),
        resource_version: shown.mention.version,
        data: json!({ "license_id": license.id, "mention": event::mention(shown) }),
        recipients: permission::tenants(desk.tx, license)?,
        receiver: None,
    })
}
