//! Mentions, shown to who sees a license that lists them, and decided on by who acts for the talent.

use std::collections::BTreeMap;

use grantor_domain::audit::Resource;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{ImageId, LicenseId, MentionId, TenantId};
use grantor_domain::mention::{
    Decision, InboxQuery, MatchKind, Mention, MentionQuery, MentionStatus,
};
use grantor_domain::page::{Listing, Order};
use grantor_domain::permission::{LicenseAct, PermissionRole};
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::license::reader::{self, Reader};
use grantor_storage::mention::inbox::{self, Wanted};
use grantor_storage::mention::through::{self, Through};
pub use grantor_storage::mention::{Kept, Shown};
use grantor_storage::{Tx, image, mention};
use serde_json::json;

use crate::act::{Act, Desk, Done};
use crate::license::{Named, resolve};
use crate::{App, Context, event, reach};

/// A mention as one caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The mention.
    pub shown: Shown,
    /// What the caller is to the licenses that list it: the greatest role.
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
            let mut listing = mention::list(tx, id, &query)?.map(|shown| Seen { shown, role });
            // Who only reads this license may act for the talent by another.
            if !role.may(LicenseAct::DecideMentions) {
                for seen in &mut listing.items {
                    let other = through::granted_role(tx, reader, &seen.shown.mention)?;
                    seen.role = other.map_or(role, |it| it.max(role));
                }
            }
            Ok(listing)
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
fn load(tx: &mut Tx<'_>, reader: Reader, ids: &[MentionId]) -> Result<Vec<Seen>> {
    let mut found = mention::load(tx, ids)?;
    found.sort_by_key(|it| ids.iter().position(|id| *id == it.mention.id));
    let mut seen = Vec::with_capacity(found.len());
    for kept in found {
        // Whoever just lost sight of it is not shown it.
        seen.extend(look(tx, reader, kept)?);
    }
    Ok(seen)
}

/// A mention as the caller sees it, through the oldest license that they see and that lists it.
pub(crate) fn look(tx: &mut Tx<'_>, reader: Reader, kept: Kept) -> Result<Option<Seen>> {
    let through = through::find(tx, reader, &kept)?;
    Ok(through.map(|Through { license, role }| Seen { shown: kept.through(license), role }))
}

/// One mention, if the caller sees a license that lists it.
pub async fn get(app: &App, reader: Reader, id: MentionId) -> Result<Seen> {
    app.store
        .read(move |tx| {
            let found = mention::find(tx, id)?;
            see(tx, reader, found)
        })
        .await
}

/// The reference image that a mention was known by, while the caller sees a license that has it.
pub async fn reference(app: &App, reader: Reader, mention: &Mention) -> Result<Option<ImageId>> {
    let id = mention.found.term.parse::<ImageId>().ok();
    let Some(id) = id.filter(|_| mention.found.kind == MatchKind::Image) else { return Ok(None) };
    app.store
        .read(move |tx| {
            let Some(found) = image::find(tx, id)? else { return Ok(None) };
            Ok(reader::find(tx, reader, found.license)?.map(|_| id))
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

/// What a caller may see of what was found. A mention that no license lists is gone.
pub(crate) fn see(tx: &mut Tx<'_>, reader: Reader, found: Option<Kept>) -> Result<Seen> {
    let kept = found.filter(|it| it.owner.is_some()).ok_or_else(|| Error::not_found("Mention"))?;
    let denied = || Error::new(ErrorKind::AccessDenied, "You have no permission on this license");
    look(tx, reader, kept)?.ok_or_else(denied)
}

struct Decide {
    reader: Reader,
    id: MentionId,
    decision: Decision,
}

impl Act for Decide {
    type Grant = (Seen, TenantId);
    type Output = Seen;
    const ACTION: &'static str = "mention.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        let found = mention::claim(desk.tx, self.id)?;
        let owner = found.as_ref().and_then(|it| it.owner);
        let owner = owner.ok_or_else(|| Error::not_found("Mention"))?;
        let seen = see(desk.tx, self.reader, found)?;
        seen.role.check(LicenseAct::DecideMentions)?;
        let talent = seen.shown.mention.talent;
        reach::within_talent(desk, Right::DecideMentions, (owner, talent))?;
        Ok((seen, owner))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Seen>> {
        let (mut seen, owner) = grant;
        let mention = &mut seen.shown.mention;
        let mut events = vec![];
        if self.decision.changes(mention.status, &mention.note) {
            mention.status = self.decision.status;
            if let Some(note) = &self.decision.note {
                mention.note = note.clone();
            }
            mention.version = mention.version.saturating_add(1);
            mention::update(desk.tx, mention, owner)?;
            let oldest = through::oldest(desk.tx, mention)?;
            let oldest = oldest.map_or(seen.shown.license, |it| it.id);
            events = tell(desk, EventType::MentionUpdated, &seen.shown, (owner, oldest))?;
        }
        let mention = &seen.shown.mention;
        let resource = resource(mention);
        let details = json!({ "status": mention.status });
        let mut done = Done::new(seen, resource, "A mention was decided on");
        (done.details, done.tenant, done.events) = (details, Some(owner), events);
        Ok(done)
    }
}

pub(crate) fn resource(mention: &Mention) -> Resource {
    let name = Some(mention.title.clone());
    Resource { kind: "mention", id: Some(mention.id.to_string()), name }
}

/// What is told of a mention; the note stays with those who decide. Everybody who sees the mention hears
/// of it once, by the oldest license that they see and that lists it: those who share that license share
/// an event. The owner sees all, so theirs is the oldest of all.
pub(crate) fn tell(
    desk: &mut Desk<'_, '_>,
    kind: EventType,
    shown: &Shown,
    (owner, oldest): (TenantId, LicenseId),
) -> Result<Vec<NewEvent>> {
    let mention = &shown.mention;
    let mut hearing = BTreeMap::from([(oldest, vec![owner])]);
    for (feed, license) in through::feeds(desk.tx, mention)? {
        if feed != owner {
            hearing.entry(license).or_default().push(feed);
        }
    }
    let event = |(license, recipients): (LicenseId, Vec<TenantId>)| NewEvent {
        kind,
        owner,
        license: Some(license),
        resource_version: mention.version,
        data: json!({ "license_id": license, "mention": event::mention(shown, license) }),
        recipients,
        receiver: None,
    };
    Ok(hearing.into_iter().map(event).collect())
}
