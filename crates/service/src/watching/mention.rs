//! Mentions: visible to readers of a license of the talent, and confirmed or dismissed by those who
//! act for the talent.

mod restore;

use std::collections::BTreeMap;

use grantor_domain::audit::Resource;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{GrantId, ImageId, LicenseId, MentionId, SourceId, TenantId};
use grantor_domain::mention::{
    Decided, DecisionState, InboxQuery, MatchKind, Mention, MentionDecision, MentionQuery,
    MentionStatus, Review,
};
use grantor_domain::page::{Listing, Order, Page};
use grantor_domain::permission::{LicenseAct, PermissionRole};
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::license::reader::{self, Reader};
use grantor_storage::mention::inbox::{self, InboxFilter};
use grantor_storage::mention::visibility::{self, Visibility};
pub use grantor_storage::mention::{ListedMention, StoredMention};
use grantor_storage::mention::{decision, found_by};
pub use grantor_storage::record_index::MentionSearch;
use grantor_storage::record_index::search_mentions;
use grantor_storage::{Tx, image, mention};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::licensing::license::{LicenseRef, resolve};
use crate::log::change::FieldChanges;
use crate::organizations::rights;
use crate::undo::Reverse;
use crate::watching::case;
use crate::webhooks::event;
use crate::{App, Context};

pub(crate) use self::restore::MentionReverse;

/// A mention as the caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct MentionView {
    /// The mention.
    pub shown: ListedMention,
    /// The reason for the verdict that the caller may read.
    pub reason: String,
    /// Where it was found, by the name that the caller may read.
    pub place: String,
    /// The source that found it, if the caller's tenant watches it.
    pub source: Option<SourceId>,
    /// The grant that the verdict is based on, if the caller's tenant is a party of it.
    pub grant: Option<GrantId>,
    /// The caller's highest role on the licenses that list the mention.
    pub role: PermissionRole,
}

impl MentionView {
    fn new(shown: ListedMention, role: PermissionRole, reader: Reader) -> Self {
        let reason = shown.mention.reason_for(reader.tenant());
        let place = shown.place(reader.tenant()).to_owned();
        let source = shown.source_of(reader.tenant());
        let grant = shown.mention.grant_of(reader.tenant()).map(|it| it.id);
        Self { shown, reason, place, source, grant, role }
    }
}

/// Lists the mentions of a license.
pub async fn list(
    app: &App,
    reader: Reader,
    license: LicenseId,
    query: MentionQuery,
) -> Result<Listing<MentionView>> {
    app.store
        .read(move |tx| {
            let (id, role) = resolve(tx, reader, &LicenseRef::Id(license))?;
            let listing = mention::list(tx, id, &query)?;
            let mut listing = listing.map(|shown| MentionView::new(shown, role, reader));
            // A reader of this license may have a higher role on another license of the talent.
            if !role.may(LicenseAct::ReviewMentions) {
                for seen in &mut listing.items {
                    let other = visibility::granted_role(tx, reader, &seen.shown.mention)?;
                    seen.role = other.map_or(role, |it| it.max(role));
                }
            }
            Ok(listing)
        })
        .await
}

/// Counting of unreviewed mentions stops here: pages show "or more" from this number on.
pub const MAX_PENDING: u32 = 1_000;

/// Lists the mentions of all licenses the caller sees, or of one of them, newest first. A license
/// that the caller does not see is reported as not found.
pub async fn inbox(app: &App, reader: Reader, query: InboxQuery) -> Result<Listing<MentionView>> {
    let InboxQuery { status, verdict, license, page } = query;
    if let Some(license) = license {
        let (platform, from, to, order) = (None, None, None, Order::Desc);
        let query = MentionQuery { page, status, verdict, platform, from, to, order };
        return list(app, reader, license, query).await.map_err(|error| match error.kind() {
            ErrorKind::AccessDenied => Error::not_found("License"),
            _ => error,
        });
    }
    let wanted = InboxFilter { status, verdict };
    app.store
        .read(move |tx| {
            let found = inbox::list(tx, reader, wanted, page)?;
            let seen = load(tx, reader, &found.items)?;
            Ok(found.with_items(|_| seen))
        })
        .await
}

/// Lists the mentions of all licenses the caller sees that match a search of the console.
pub async fn search(
    app: &App,
    reader: Reader,
    search: MentionSearch,
    page: Page,
) -> Result<Listing<MentionView>> {
    app.store
        .read(move |tx| {
            let found = search_mentions(tx, reader, &search, page)?;
            let seen = load(tx, reader, &found.items)?;
            Ok(found.with_items(|_| seen))
        })
        .await
}

/// How many mentions the page of a source shows.
const SHOWN_OF_SOURCE: u32 = 20;

/// Lists the newest mentions that a source found and that the caller sees.
pub async fn found_by(app: &App, reader: Reader, source: SourceId) -> Result<Vec<MentionView>> {
    app.store
        .read(move |tx| {
            let ids = found_by::list(tx, source, SHOWN_OF_SOURCE)?;
            load(tx, reader, &ids)
        })
        .await
}

/// Counts the mentions that nobody has reviewed yet, up to [`MAX_PENDING`].
pub async fn count_pending(app: &App, reader: Reader) -> Result<u64> {
    app.store.read(move |tx| pending_in(tx, reader)).await
}

/// [`count_pending`] within an open transaction.
pub(crate) fn pending_in(tx: &mut Tx<'_>, reader: Reader) -> Result<u64> {
    let wanted = InboxFilter { status: Some(MentionStatus::New), verdict: None };
    Ok(inbox::count(tx, reader, wanted, MAX_PENDING)?.min(u64::from(MAX_PENDING)))
}

/// Loads these mentions in this order, as the caller sees them.
fn load(tx: &mut Tx<'_>, reader: Reader, ids: &[MentionId]) -> Result<Vec<MentionView>> {
    let mut found = mention::load(tx, ids)?;
    found.sort_by_key(|it| ids.iter().position(|id| *id == it.mention.id));
    let mut seen = Vec::with_capacity(found.len());
    for kept in found {
        // The caller may have lost access since the ids were listed.
        seen.extend(find_visible(tx, reader, kept)?);
    }
    Ok(seen)
}

/// The mention through the oldest license that lists it and that the caller sees.
pub(crate) fn find_visible(
    tx: &mut Tx<'_>,
    reader: Reader,
    kept: StoredMention,
) -> Result<Option<MentionView>> {
    let through = visibility::find(tx, reader, &kept)?;
    Ok(through
        .map(|Visibility { license, role }| MentionView::new(kept.through(license), role, reader)))
}

/// Returns one mention, if the caller sees a license that lists it.
pub async fn get(app: &App, reader: Reader, id: MentionId) -> Result<MentionView> {
    app.store
        .read(move |tx| {
            let found = mention::find(tx, id)?;
            get_visible(tx, reader, found)
        })
        .await
}

/// Lists the decisions about a mention, newest first, for those who review it.
pub async fn decisions(
    app: &App,
    reader: Reader,
    id: MentionId,
    page: Page,
) -> Result<Listing<MentionDecision>> {
    app.store
        .read(move |tx| {
            let found = mention::find(tx, id)?;
            get_visible(tx, reader, found)?.role.check(LicenseAct::ReviewMentions)?;
            Ok(decision::list(tx, id, page)?)
        })
        .await
}

/// The reference image that a mention was matched by, if the caller sees its license.
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

/// Decides about a mention: whether it is the talent, whether the use is allowed, or undoes that.
pub async fn decide(
    app: &App,
    context: &Context,
    reader: Reader,
    id: MentionId,
    decision: Review,
) -> Result<MentionView> {
    app.act(context, Decide { reader, id, decision }).await
}

/// The mention as the caller sees it. A mention that no license lists is not found.
pub(crate) fn get_visible(
    tx: &mut Tx<'_>,
    reader: Reader,
    found: Option<StoredMention>,
) -> Result<MentionView> {
    let kept = found.filter(|it| it.owner.is_some()).ok_or_else(|| Error::not_found("Mention"))?;
    let denied = || Error::new(ErrorKind::AccessDenied, "You don't have access to this license");
    find_visible(tx, reader, kept)?.ok_or_else(denied)
}

struct Decide {
    reader: Reader,
    id: MentionId,
    decision: Review,
}

impl Act for Decide {
    type Permit = (MentionView, TenantId);
    type Output = MentionView;
    const ACTION: &'static str = "mention.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        claim(unit, self.reader, self.id)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<MentionView>> {
        let (mut seen, owner) = permit;
        let mention = &mut seen.shown.mention;
        let before = mention.clone();
        let reviewed = self.decision.apply(mention)?;
        let (mut events, mut undo) = (vec![], None);
        if reviewed.changes(mention) {
            undo = MentionReverse::before(unit, mention)?;
            if reviewed.decides(mention) {
                let by = decider(unit);
                keep_decision(unit, mention, reviewed.state(), by.as_ref())?;
                mention.decided = by.filter(|_| reviewed.status != MentionStatus::New);
            }
            mention.status = reviewed.status;
            mention.allowed = reviewed.allowed;
            mention.note = reviewed.note;
            mention.version = mention.version.saturating_add(1);
            mention::update(unit.tx, mention, owner)?;
            case::close_undone(unit, mention)?;
            let oldest = visibility::oldest_license(unit.tx, mention)?;
            let oldest = oldest.map_or(seen.shown.license, |it| it.id);
            events = self::events(unit, EventType::MentionUpdated, &seen.shown, (owner, oldest))?;
        }
        let mention = &seen.shown.mention;
        let resource = resource(mention);
        let details = json!({ "status": mention.status, "allowed": mention.allowed });
        let changes = decision_changes(&before, mention);
        let mut done = Done::new(seen, resource, "A mention was reviewed");
        (done.details, done.tenant, done.events) = (details, Some(owner), events);
        let done = done.with_changes(changes);
        Ok(match undo {
            Some(undo) => done.undone_by(Reverse::Mention(undo)),
            None => done,
        })
    }
}

/// The old and new decision, without the note, which only reviewers may read.
fn decision_changes(before: &Mention, after: &Mention) -> FieldChanges {
    FieldChanges::default().field("status", before.status.name(), after.status.name()).field(
        "allowed",
        before.allowed,
        after.allowed,
    )
}

/// Locks a mention that the caller may review, and returns it with its owner.
fn claim(
    unit: &mut UnitOfWork<'_, '_>,
    reader: Reader,
    id: MentionId,
) -> Result<(MentionView, TenantId)> {
    let found = mention::claim(unit.tx, id)?;
    let owner = found.as_ref().and_then(|it| it.owner);
    let owner = owner.ok_or_else(|| Error::not_found("Mention"))?;
    let seen = get_visible(unit.tx, reader, found)?;
    seen.role.check(LicenseAct::ReviewMentions)?;
    let talent = seen.shown.mention.talent;
    rights::require_for_talent(unit, Right::ReviewMentions, (owner, talent))?;
    Ok((seen, owner))
}

/// Who decides now, with the name of the person or of the API client that acts for them. The
/// operator and the system have no account.
fn decider(unit: &UnitOfWork<'_, '_>) -> Option<Decided> {
    let by = unit.actor.user()?;
    Some(Decided { by, by_name: unit.actor.name().to_owned(), at: unit.now })
}

/// Adds a decision to the history of a mention, which is locked.
fn keep_decision(
    unit: &mut UnitOfWork<'_, '_>,
    mention: &Mention,
    to: DecisionState,
    by: Option<&Decided>,
) -> Result<()> {
    let by_name = by.map_or_else(|| unit.actor.name().to_owned(), |it| it.by_name.clone());
    let from = Some(mention.decision_state());
    let new = MentionDecision { from, to, by: by.map(|it| it.by), by_name, at: unit.now };
    Ok(decision::insert(unit.tx, mention.id, &new)?)
}

/// How the log names a mention.
#[must_use]
pub fn resource(mention: &Mention) -> Resource {
    let name = Some(mention.title.clone());
    Resource { kind: "mention", id: Some(mention.id.to_string()), name }
}

/// What only some of the recipients of an event may read.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Words {
    /// The reason for the verdict.
    reason: String,
    /// Where the mention was found.
    place: String,
    /// The source that found it.
    source: Option<SourceId>,
}

/// The events about a mention, without the note, which only reviewers may read. Every tenant
/// that sees the mention gets one event, through the oldest license that it sees; tenants with the
/// same oldest license share the event, except that only the parties of a grant read its number and
/// only the tenant of a source its ID and name.
/// The owner sees all licenses, so gets the oldest of all.
pub fn events(
    unit: &mut UnitOfWork<'_, '_>,
    kind: EventType,
    shown: &ListedMention,
    (owner, oldest): (TenantId, LicenseId),
) -> Result<Vec<NewEvent>> {
    let mention = &shown.mention;
    let words = |tenant| Words {
        reason: mention.reason_for(Some(tenant)),
        place: shown.place(Some(tenant)).to_owned(),
        source: shown.source_of(Some(tenant)),
    };
    let mut recipients = BTreeMap::from([((oldest, words(owner)), vec![owner])]);
    for (feed, license) in visibility::feeds(unit.tx, mention)? {
        if feed != owner {
            recipients.entry((license, words(feed))).or_default().push(feed);
        }
    }
    let event = |((license, words), recipients): ((LicenseId, Words), Vec<TenantId>)| NewEvent {
        kind,
        owner,
        license: Some(license),
        resource_version: mention.version,
        data: json!({
            "license_id": license,
            "mention": event::mention(shown, license, (&words.reason, &words.place), words.source),
        }),
        recipients,
        receiver: None,
    };
    Ok(recipients.into_iter().map(event).collect())
}
