//! Cases: what is done about a confirmed mention that is not allowed (contract-2 section 25). Those
//! who review the mention work on its case: they comment, send letters and set the status, and the
//! address is looked at every day (`look.rs`).

mod assignee;
mod built_in;
mod by_hand;
mod change;
mod evidence;
mod letter;
mod look;
mod open;
mod restore;
mod template;

use grantor_domain::audit::Resource;
use grantor_domain::case::{
    Case, CaseComment, CaseQuery, LetterKind, LetterTemplate, LetterValues,
};
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{MentionId, TenantId};
use grantor_domain::mention::{Mention, MentionStatus, Verdict};
use grantor_domain::page::{Listing, Page};
use grantor_domain::permission::LicenseAct;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::Language;
pub use grantor_storage::case::{CaseRecord, ListedCase, StoredLetter};
use grantor_storage::license::reader::Reader;
use grantor_storage::mention::visibility;
use grantor_storage::mention::{ListedMention, StoredMention};
pub use grantor_storage::record_index::CaseSearch;
use grantor_storage::record_index::search_cases;
use grantor_storage::{Tx, case, mention, tenant, user};
use serde_json::json;

pub use self::assignee::list as list_assignees;
pub(crate) use self::change::close_undone;
pub use self::change::{change, comment};
pub(crate) use self::evidence::sealed_for;
pub use self::evidence::{EvidenceLink, SharedEvidence, SharedPicture, open_link, open_picture};
pub use self::letter::send as send_letter;
pub use self::look::look_due;
pub(crate) use self::look::seen_again;
pub use self::open::open;
pub(crate) use self::restore::{CaseReverse, reopen, status_of};
pub use self::template::{
    TemplateChange, TemplateView, change as change_template, get as get_template,
    list as list_templates, restore as restore_template,
};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::notices::CaseWorkers;
use crate::organizations::rights;
use crate::watching::mention::{self as mentions, MentionView, get_visible};
use crate::{App, Context};

/// The author of comments that Grantor writes.
const OWN_NAME: &str = "Grantor";

/// A case as the caller sees it. It cannot be printed, because whoever knows the address of its
/// evidence can open it.
#[derive(Clone, PartialEq)]
pub struct CaseView {
    /// The case.
    pub record: CaseRecord,
    /// The mention.
    pub mention: MentionView,
    /// The comments, oldest first.
    pub comments: Vec<CaseComment>,
    /// The letters, oldest first.
    pub letters: Vec<StoredLetter>,
    /// The link to the evidence that letters contain; `None` if the case is closed.
    pub evidence_url: Option<String>,
    /// A draft of each kind of letter, from the tenant's templates.
    pub drafts: Vec<Draft>,
}

/// A letter that was not sent yet.
#[derive(Clone, PartialEq, Eq)]
pub struct Draft {
    /// What it asks for.
    pub kind: LetterKind,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
    /// Why it may be wrong to send it.
    pub warning: Option<String>,
}

/// Returns the case of a mention.
pub async fn get(app: &App, caller: TenantCaller, id: MentionId) -> Result<CaseView> {
    find(app, caller, id).await?.ok_or_else(not_found)
}

/// Returns the case of a mention, if it has one.
pub async fn find(app: &App, caller: TenantCaller, id: MentionId) -> Result<Option<CaseView>> {
    let (own, language) = (app.clone(), Language::current());
    app.store
        .read(move |tx| {
            let found = mention::find(tx, id)?;
            let seen = reviewable(tx, caller.reader(), found)?;
            let Some(record) = case::find(tx, id)? else { return Ok(None) };
            view(tx, &own, (caller, language), seen, record).map(Some)
        })
        .await
}

/// Lists the cases of the tenant's talents, and those that the tenant opened for talents of others.
pub async fn list(
    app: &App,
    caller: TenantCaller,
    query: CaseQuery,
) -> Result<Listing<ListedCase>> {
    Ok(app.store.read(move |tx| case::list(tx, caller.tenant, &query)).await?)
}

/// Lists the tenant's cases that match a search of the console.
pub async fn search(
    app: &App,
    caller: TenantCaller,
    search: CaseSearch,
    page: Page,
) -> Result<Listing<ListedCase>> {
    app.store.read(move |tx| Ok(search_cases(tx, caller.tenant, &search, page)?)).await
}

/// How many open cases are counted: pages show "99+" from there on.
const OPEN_SHOWN: u32 = 100;

/// Counts the tenant's cases in which somebody has to act, up to a bound.
pub async fn count_open(app: &App, caller: TenantCaller) -> Result<u64> {
    let tenant = caller.tenant;
    app.store.lookup(move |tx| Ok(case::count_open(tx, tenant, OPEN_SHOWN)?)).await
}

/// Checks that a mention can have a case, and says what to do if it cannot.
pub fn check_mention(mention: &Mention) -> Result<()> {
    if mention.status != MentionStatus::Confirmed {
        let message = "Only a confirmed mention can have a case. Confirm the mention first.";
        return Err(Error::conflict(message));
    }
    match mention.allowed {
        Some(false) => Ok(()),
        Some(true) => {
            let message = "The use is marked as allowed. Mark it as not allowed first.";
            Err(Error::conflict(message))
        }
        None => {
            let message = "A case is for a use that is not allowed. Mark it as not allowed first.";
            Err(Error::conflict(message))
        }
    }
}

/// A case that is locked, for somebody who can change it.
struct ClaimedCase {
    seen: MentionView,
    owner: TenantId,
    record: CaseRecord,
}

impl ClaimedCase {
    /// The result of a change of the case, logged for the owner of the talent.
    fn done(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: TenantCaller,
        message: &'static str,
    ) -> Result<Done<CaseView>> {
        let Self { seen, owner, record } = self;
        let resource = resource(&record.case, &seen.shown.mention);
        let language = unit.language.unwrap_or_else(Language::english);
        let output = view(unit.tx, unit.app, (caller, language), seen, record)?;
        let mut done = Done::new(output, resource, message);
        done.tenant = Some(owner);
        Ok(done)
    }
}

/// Locks a mention and its case.
fn claim(
    unit: &mut UnitOfWork<'_, '_>,
    caller: TenantCaller,
    id: MentionId,
) -> Result<ClaimedCase> {
    let (seen, owner) = claim_mention(unit, caller, id)?;
    let record = case::claim(unit.tx, id)?.ok_or_else(not_found)?;
    Ok(ClaimedCase { seen, owner, record })
}

/// Locks a mention for somebody who may review it.
fn claim_mention(
    unit: &mut UnitOfWork<'_, '_>,
    caller: TenantCaller,
    id: MentionId,
) -> Result<(MentionView, TenantId)> {
    let found = mention::claim(unit.tx, id)?;
    let owner = found.as_ref().and_then(|it| it.owner).ok_or_else(not_found)?;
    let seen = reviewable(unit.tx, caller.reader(), found)?;
    let talent = seen.shown.mention.talent;
    rights::require_for_talent(unit, Right::ReviewMentions, (owner, talent))?;
    Ok((seen, owner))
}

/// The mention as a trustee or licensor sees it. To others without access it does not exist, and to
/// those who only view it, its case does not exist.
fn reviewable(
    tx: &mut Tx<'_>,
    reader: Reader,
    found: Option<StoredMention>,
) -> Result<MentionView> {
    let seen = get_visible(tx, reader, found).map_err(|error| match error.kind() {
        ErrorKind::AccessDenied | ErrorKind::NotFound => not_found(),
        _ => error,
    })?;
    if seen.role.may(LicenseAct::ReviewMentions) { Ok(seen) } else { Err(not_found()) }
}

/// The case with all that belongs to it. The drafts of letters are in the caller's language.
fn view(
    tx: &mut Tx<'_>,
    app: &App,
    (caller, language): (TenantCaller, Language),
    mention: MentionView,
    record: CaseRecord,
) -> Result<CaseView> {
    let id = record.case.mention;
    let (comments, letters) = (case::list_comments(tx, id)?, case::list_letters(tx, id)?);
    let evidence_url = evidence::url(app, &record)?;
    let templates = template::of_tenant(tx, caller.tenant, language)?;
    let person = user::find(tx, caller.user)?.map(|it| it.fullname).unwrap_or_default();
    let organization = tenant::find(tx, caller.tenant)?.map(|it| it.name).unwrap_or_default();
    let shown = &mention.shown.mention;
    let values = LetterValues {
        talent: &mention.shown.talent_name,
        url: &shown.url,
        title: if shown.title.trim().is_empty() { &shown.url } else { &shown.title },
        organization: &organization,
        evidence_link: evidence_url.as_deref().unwrap_or_default(),
        person: &person,
    };
    let warning = warning(&mention);
    let drafts = if record.case.status.is_live() {
        templates.iter().map(|it| draft(it, &values, warning.as_deref())).collect()
    } else {
        vec![]
    };
    Ok(CaseView { record, mention, comments, letters, evidence_url, drafts })
}

/// Warns of a letter about a use that is licensed by now, which the templates deny.
#[must_use]
pub fn warning(mention: &MentionView) -> Option<String> {
    if mention.shown.mention.verdict != Verdict::Licensed {
        return None;
    }
    let reason = mention.reason.trim_end_matches('.');
    Some(format!("The use is licensed by now: {reason}. Check this before you send a letter."))
}

fn draft(template: &LetterTemplate, values: &LetterValues<'_>, warning: Option<&str>) -> Draft {
    let (subject, text) = template.draft(values);
    Draft { kind: template.kind, subject, text, warning: warning.map(str::to_owned) }
}

/// Writes a comment of Grantor's own.
fn note(unit: &mut UnitOfWork<'_, '_>, id: MentionId, text: &str) -> Result<()> {
    say(unit, id, OWN_NAME, text)
}

/// Writes a comment about what its author did, in Grantor's words.
fn say(unit: &mut UnitOfWork<'_, '_>, id: MentionId, author: &str, text: &str) -> Result<()> {
    let comment = CaseComment {
        id: unit.ids.next(),
        mention: id,
        user: None,
        author: author.to_owned(),
        text: text.to_owned(),
        created_at: unit.now,
    };
    Ok(case::insert_comment(unit.tx, &comment)?)
}

/// The events about a mention whose case changed in a way that others see. The mention gets a new
/// version.
fn events(
    unit: &mut UnitOfWork<'_, '_>,
    kind: EventType,
    shown: &mut ListedMention,
    owner: TenantId,
) -> Result<Vec<NewEvent>> {
    shown.mention.version = case::bump_mention(unit.tx, shown.mention.id)?;
    let oldest = visibility::oldest_license(unit.tx, &shown.mention)?;
    let oldest = oldest.map_or(shown.license, |it| it.id);
    mentions::events(unit, kind, shown, (owner, oldest))
}

/// The events about a mention that was removed. Those who may review it read the name of the person or
/// API client that says so; there is none if a look found it.
fn removed_events(
    unit: &mut UnitOfWork<'_, '_>,
    shown: &mut ListedMention,
    workers: &CaseWorkers,
    owner: TenantId,
    by: Option<&str>,
) -> Result<Vec<NewEvent>> {
    let mut all = vec![];
    for event in events(unit, EventType::MentionRemoved, shown, owner)? {
        let reads = |it: &TenantId| by.is_some() && workers.tenants().any(|known| known == *it);
        let (reading, others): (Vec<_>, Vec<_>) = event.recipients.iter().partition(|it| reads(it));
        for (recipients, by) in [(reading, by), (others, None)] {
            if !recipients.is_empty() {
                let mut event = NewEvent { recipients, ..event.clone() };
                event.data["removed_by"] = json!(by);
                all.push(event);
            }
        }
    }
    Ok(all)
}

/// How the log names a case.
fn resource(case: &Case, mention: &Mention) -> Resource {
    let name = Some(mention.title.clone());
    Resource { kind: "case", id: Some(case.mention.to_string()), name }
}

/// The same for a mention that is missing, so that the answer does not tell whether it exists.
fn not_found() -> Error {
    Error::not_found("Case")
}
