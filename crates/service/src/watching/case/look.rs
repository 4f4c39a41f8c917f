//! Looks at the addresses of cases, once a day: whether the page still shows the talent. A look is
//! made as politely as a scan.

use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::case::{Case, LookEffect, LookResult};
use grantor_domain::event::EventType;
use grantor_domain::id::{LicenseId, MentionId, RunId, TalentId, TenantId};
use grantor_domain::mention::Mention;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::case::{self, CaseRecord, ClaimedLook};
use grantor_storage::mention::visibility;
use grantor_storage::mention::{self, StoredMention};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;
use url::Url;

use super::{App, Context, UnitOfWork, events, note, removed_events, resource};
use crate::act::{Act, Done};
use crate::notices::{self, CaseWorkers};
use crate::watching::scan::Pace;
use crate::watching::scan::fetcher::Fetcher;
use crate::watching::scan::revisit::{Revisited, revisit};
use crate::watching::sighting::{self, Candidate};

/// Looks made at the same time.
const AT_ONCE: usize = 8;
/// How long a look may take.
const TIME_LIMIT: Duration = Duration::from_mins(1);
/// How long a look has its case.
const LEASE: Duration = Duration::from_mins(10);

/// Looks at the addresses that are due, a limited number, and returns how many.
pub async fn look_due(app: &App, pace: Pace) -> Result<u64> {
    let mut looks = JoinSet::new();
    while looks.len() < AT_ONCE
        && let Some(claimed) = claim(app).await?
    {
        let app = app.clone();
        looks.spawn(async move { look(&app, pace, claimed).await });
    }
    let mut made = 0;
    while let Some(ended) = looks.join_next().await {
        ended.map_err(|error| Error::internal(error.to_string()))??;
        made += 1;
    }
    Ok(made)
}

/// Makes a look due at a mention that was removed and that a scan has seen. Only the look decides
/// whether it is back, because feeds keep listing pages that are gone.
pub(crate) fn seen_again(unit: &mut UnitOfWork<'_, '_>, id: MentionId) -> Result<()> {
    Ok(case::make_due(unit.tx, id, unit.now)?)
}

async fn claim(app: &App) -> Result<Option<ClaimedLook>> {
    let now = app.clock.now();
    if !app.store.read(move |tx| case::is_due(tx, now)).await? {
        return Ok(None);
    }
    let id: RunId = app.ids.next();
    Ok(app.store.write(move |tx| case::claim_look(tx, id, now, now.plus(LEASE))).await?)
}

async fn look(app: &App, pace: Pace, claimed: ClaimedLook) -> Result<()> {
    let id = claimed.mention;
    let found = app.store.read(move |tx| {
        let found = mention::find(tx, id)?;
        Ok::<_, Error>(found.zip(case::find(tx, id)?))
    });
    let Some((kept, record)) = found.await? else { return Ok(()) };
    let mut case = record.case;
    // No license of the talent is left that lists the mention.
    if kept.owner.is_none() {
        case.looks.stop();
        return finish(app, claimed, case).await;
    }
    let result = result(app, pace, claimed.id, &kept.mention).await?;
    let now = app.clock.now();
    if case.record_look(result, now) == LookEffect::Nothing {
        return finish(app, claimed, case).await;
    }
    let context = Context::system(app.clock.monotonic());
    match app.act(&context, RecordLook { claimed, result }).await {
        // Somebody changed the case during the look.
        Err(error) if *error.kind() == ErrorKind::Conflict => Ok(()),
        recorded => recorded,
    }
}

async fn finish(app: &App, claimed: ClaimedLook, case: Case) -> Result<()> {
    app.store.write(move |tx| case::finish_look(tx, claimed, &case)).await?;
    Ok(())
}

/// Looks at the address of a mention.
async fn result(app: &App, pace: Pace, id: RunId, mention: &Mention) -> Result<LookResult> {
    let Ok(url) = Url::parse(&mention.url) else { return Ok(LookResult::Failed) };
    let mut fetcher = Fetcher::new(app.clone(), id, pace);
    let seen = timeout(TIME_LIMIT, revisit(app, &mut fetcher, &url)).await;
    fetcher.release_host().await?;
    let Ok(seen) = seen else { return Ok(LookResult::Failed) };
    match seen? {
        Revisited::Gone => Ok(LookResult::Gone),
        Revisited::Failed(reason) => {
            tracing::debug!(mention = %mention.id, reason, "a look at a case failed");
            Ok(LookResult::Failed)
        }
        Revisited::Read { candidates, is_complete } => {
            let is_there = shows(app, mention.talent, candidates).await?;
            Ok(match (is_there, is_complete) {
                (true, _) => LookResult::Match,
                (false, true) => LookResult::NoMatch,
                // The talent may be on a picture that could not be read.
                (false, false) => LookResult::Failed,
            })
        }
    }
}

/// Whether content names or shows a talent.
async fn shows(app: &App, talent: TalentId, candidates: Vec<Candidate>) -> Result<bool> {
    let found = sighting::recognize(app, candidates).await?;
    if found.iter().flat_map(|it| &it.people).any(|(id, _)| *id == talent) {
        return Ok(true);
    }
    let licenses = found.iter().flat_map(|it| &it.pictures).map(|(id, _)| *id);
    let licenses: Vec<LicenseId> = licenses.collect();
    Ok(app.store.read(move |tx| case::has_license(tx, talent, &licenses)).await?)
}

/// Records a look that changes the status.
struct RecordLook {
    claimed: ClaimedLook,
    result: LookResult,
}

impl Act for RecordLook {
    type Permit = (StoredMention, TenantId, CaseRecord);
    type Output = ();
    const ACTION: &'static str = "case.look";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let lost = || Error::conflict("The look has lost its case");
        let kept = mention::claim(unit.tx, self.claimed.mention)?.ok_or_else(lost)?;
        let owner = kept.owner.ok_or_else(lost)?;
        let record = case::claim_looked(unit.tx, self.claimed)?.ok_or_else(lost)?;
        Ok((kept, owner, record))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (kept, owner, record): Self::Permit,
    ) -> Result<Done<()>> {
        let mut case = record.case;
        let removed_at = case.removed_at;
        let effect = case.record_look(self.result, unit.now);
        case::update(unit.tx, &case)?;
        let (message, comment) = match effect {
            LookEffect::Removed => ("A mention was removed", removal(self.result)),
            _ => (
                "A removed mention was seen again",
                "The talent is on the page again, so the case was reopened.",
            ),
        };
        note(unit, case.mention, comment)?;
        let resource: Resource = resource(&case, &kept.mention);
        let mut done = Done::new((), resource, message);
        if let Some(license) = visibility::oldest_license(unit.tx, &kept.mention)? {
            let mut shown = kept.through(license);
            let workers = CaseWorkers::find(unit, &shown.mention, owner)?;
            if effect == LookEffect::Removed {
                done.events = removed_events(unit, &mut shown, &workers, owner, None)?;
                notices::mention_removed(unit, &workers, &shown, &case)?;
            } else {
                done.events = events(unit, EventType::MentionUpdated, &mut shown, owner)?;
                notices::mention_back(unit, &workers, &shown, (&case, removed_at))?;
            }
        }
        (done.tenant, done.details) = (Some(owner), json!({ "result": self.result.name() }));
        Ok(done)
    }
}

/// What a case says about a removal.
fn removal(result: LookResult) -> &'static str {
    match result {
        LookResult::Gone => "The page does not exist any more.",
        _ => "The talent is not on the page any more: two looks, a day apart, did not find it.",
    }
}
