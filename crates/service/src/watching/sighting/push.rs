//! Content that a platform pushes to be checked, with a PAX that has the write scope (contract
//! section 5).

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use grantor_domain::content::{Content, ContentUrl};
use grantor_domain::evidence::Capture;
use grantor_domain::id::PaxId;
use grantor_domain::pax::{PaxScope, PaxStatus};
use grantor_domain::platform::Platform;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::pax::ListedPax;
use grantor_storage::{Tx, pax, platform};
use serde_json::json;
use tokio::time::timeout;

use super::record::{RecordedBatch, merge, record_batch};
use super::{Candidate, Finder, Prepared, Recognitions, Recognized, RecordedMention, prepare};
use crate::act::{Act, Done, UnitOfWork};
use crate::organizations::rights;
use crate::watching::evidence::{Drafts, SeenPicture, discard_unused, fetched};
use crate::{App, Context};
use grantor_outbound::{OutboundRequest, Purpose};

/// Items per push.
pub const MAX_ITEMS: usize = 100;
/// How long fetching all pictures of a push may take.
pub const PICTURE_TIMEOUT: Duration = Duration::from_secs(25);
/// Pictures fetched at the same time.
const CONCURRENT_FETCHES: usize = 4;

/// The result for one piece of content.
#[derive(Clone, Debug)]
pub struct PushResult {
    /// Its URL.
    pub url: ContentUrl,
    /// The mentions found in it.
    pub mentions: Vec<RecordedMention>,
    /// How many sightings were dropped because it names too many people.
    pub left_out: usize,
    /// Why its picture was not checked.
    pub picture_error: Option<String>,
}

/// Checks content that a platform pushes.
pub async fn push(
    app: &App,
    context: &Context,
    id: PaxId,
    items: Vec<Content>,
) -> Result<Vec<PushResult>> {
    // Checked before anything is fetched, and again in each unit of work.
    let actor = context.actor.clone();
    app.store.read(move |tx| usable(tx, &actor, id).map(drop)).await?;
    let (pictures, errors) = pictures(app, &items).await;
    let now = app.clock.now();
    let candidates = items.into_iter().zip(pictures);
    let candidates = candidates.map(|(content, picture)| {
        let pictures = picture.into_iter().collect();
        let capture = Capture::pushed(content.url.as_str(), content.text.as_bytes(), None, now);
        Candidate { content, pictures, capture: Some(Arc::new(capture)) }
    });
    let candidates = candidates.collect();
    let Prepared { found, batches, evidence } = prepare(app, None, candidates).await?;
    let drafts = Arc::new(evidence.store(app).await?);
    let mentions = record_all(app, context, id, &found, (batches, &drafts)).await?;
    discard_unused(app, &drafts, &mentions).await;
    let checked = found.iter().zip(mentions).zip(errors);
    Ok(checked
        .map(|((found, mentions), picture_error)| PushResult {
            url: found.content.url.clone(),
            mentions,
            left_out: found.left_out,
            picture_error,
        })
        .collect())
}

/// Records what was found, in batches. Only the last batch carries the request's idempotency key:
/// if the push is interrupted before, repeating it records the rest, because recording is
/// idempotent.
async fn record_all(
    app: &App,
    context: &Context,
    id: PaxId,
    found: &Arc<Vec<Recognized>>,
    (mut batches, drafts): (Vec<Recognitions>, &Arc<Drafts>),
) -> Result<Vec<Vec<RecordedMention>>> {
    let last = batches.pop().unwrap_or_default();
    let before = Context { idempotency: None, ..context.clone() };
    let mut mentions: Vec<Vec<RecordedMention>> = found.iter().map(|_| vec![]).collect();
    let push = |recognitions, created_before| {
        let (found, drafts) = (Arc::clone(found), Arc::clone(drafts));
        Push { id, found, recognitions, drafts, created_before }
    };
    for recognitions in batches {
        let batch = push(recognitions, None);
        merge(&mut mentions, app.act(&before, batch).await?);
    }
    let new = mentions.iter().flatten().filter(|it| it.is_new).count();
    let batch = push(last, Some(new));
    merge(&mut mentions, app.act(context, batch).await?);
    Ok(mentions)
}

/// Fetches and hashes the pictures, with a reason for each that failed. The text is checked even
/// without its picture.
async fn pictures(app: &App, items: &[Content]) -> (Vec<Option<SeenPicture>>, Vec<Option<String>>) {
    // A pushed item has at most one image.
    let late = |it: &Content| it.images.first().map(|_| "fetching took too long".to_owned());
    let mut errors: Vec<Option<String>> = items.iter().map(late).collect();
    let mut pictures = vec![None; items.len()];
    let urls: Vec<_> =
        items.iter().map(|it| it.images.first().map(|it| it.url.clone())).enumerate().collect();
    let fetched = stream::iter(urls).filter_map(async |(at, url)| Some((at, url?)));
    let fetched = fetched.map(|(at, url)| {
        let app = app.clone();
        async move { (at, picture(&app, &url).await) }
    });
    let mut fetched = std::pin::pin!(fetched.buffer_unordered(CONCURRENT_FETCHES));
    let fetching = async {
        while let Some((at, seen)) = fetched.next().await {
            match seen {
                Ok(seen) => (pictures[at], errors[at]) = (seen, None),
                Err(reason) => errors[at] = Some(reason),
            }
        }
    };
    // Pictures that are not there in time keep their initial error.
    let _in_time = timeout(PICTURE_TIMEOUT, fetching).await;
    (pictures, errors)
}

async fn picture(app: &App, url: &ContentUrl) -> Result<Option<SeenPicture>, String> {
    let answer = app.outbound.send(Purpose::Image, OutboundRequest::get(url.as_str())).await;
    let answer = answer.map_err(|error| error.to_string())?;
    if !answer.status.is_success() {
        return Err(format!("the server returned status {}", answer.status.as_u16()));
    }
    let refused = |error: Error| {
        let field = error.fields().values().next();
        field.cloned().unwrap_or_else(|| error.message().to_owned())
    };
    let capture = fetched(url.as_str(), &answer, app.clock.now());
    let seen = SeenPicture::find_and_copy(app, url.as_str(), capture, answer.body).await;
    seen.map_err(refused)
}

/// Returns the PAX, if the actor's organization may push with it.
fn usable(tx: &mut Tx<'_>, actor: &grantor_domain::access::Actor, id: PaxId) -> Result<ListedPax> {
    let unknown = || Error::not_found("PAX");
    let tenant = actor.tenant().ok_or_else(unknown)?;
    let found = pax::find(tx, tenant, id)?.ok_or_else(unknown)?;
    rights::require_for_team_as(tx, actor, Right::ManagePlatforms, found.team)?;
    if found.pax.status == PaxStatus::Revoked {
        return Err(Error::conflict("This PAX is revoked"));
    }
    if !found.pax.scopes.contains(PaxScope::Write) {
        let message = "This PAX does not have the write scope";
        return Err(Error::new(ErrorKind::InsufficientPermissions, message));
    }
    Ok(found)
}

struct Push {
    id: PaxId,
    found: Arc<Vec<Recognized>>,
    /// The batch to record.
    recognitions: Recognitions,
    drafts: Arc<Drafts>,
    /// Set with the last batch: how many mentions the earlier batches created.
    created_before: Option<usize>,
}

impl Act for Push {
    type Permit = (ListedPax, Platform);
    type Output = Vec<Vec<RecordedMention>>;
    const ACTION: &'static str = "pax.push";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let found = usable(unit.tx, unit.actor, self.id)?;
        let platform = platform::find_anywhere(unit.tx, found.pax.platform)?;
        Ok((found, platform.ok_or_else(crate::watching::platform::not_found)?))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (found, platform): Self::Permit,
    ) -> Result<Done<Self::Output>> {
        let finder = Finder::Platform(&platform);
        let RecordedBatch { mentions, events } =
            record_batch(unit, finder, &self.found, (&self.recognitions, &*self.drafts))?;
        let all = || mentions.iter().flatten();
        let (seen, new) = (all().count(), all().filter(|it| it.is_new).count());
        if let Some(before) = self.created_before {
            platform::count(unit.tx, platform.id, self.found.len(), before + new, unit.now)?;
            pax::count(unit.tx, found.pax.id, unit.now)?;
        }
        let resource = crate::watching::pax::resource(&found.pax);
        let mut done = Done::new(mentions, resource, "Content was pushed");
        done.details = json!({ "items": self.found.len(), "mentions": seen, "new": new });
        done.events = events;
        Ok(done)
    }
}
