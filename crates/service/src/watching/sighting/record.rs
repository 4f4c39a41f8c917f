//! Recording who was recognized in the content of a platform or a feed, one unit of work for each
//! batch.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::event::NewEvent;
use grantor_domain::id::{FeedId, PlatformId, TenantId};
use grantor_domain::platform::Platform;
use grantor_domain::source::Feed;
use grantor_domain::{Error, Result};
use grantor_storage::license::watch;
use grantor_storage::{feed, platform as platforms, source};
use serde_json::json;

use super::publisher::{Publisher, Publishers};
use super::write::{Place, Sighting};
use super::{Finder, Prepared, Recognitions, Recognized, RecordedMention};
use crate::act::{Act, Done, UnitOfWork};
use crate::watching::evidence::{Drafts, Keeper, discard_unused};
use crate::watching::platform;
use crate::{App, Context};

/// The ID of what content was found on: a platform, or a feed that sources watch.
pub(crate) trait Searched: Copy + Send + Sync + 'static {
    /// The platform or feed.
    type Found;
    /// The audit action.
    const ACTION: &'static str;
    /// The log message.
    const MESSAGE: &'static str;

    /// Returns the platform or feed.
    fn find(self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Found>;

    /// What content is searched for.
    fn finder(found: &Self::Found) -> Finder<'_>;

    /// How the log names the platform or feed.
    fn resource(found: &Self::Found) -> Resource;

    /// The tenant whose log gets the entry, if it is not the operator's.
    fn tenant(found: &Self::Found) -> Option<TenantId>;
}

impl Searched for PlatformId {
    type Found = Platform;
    const ACTION: &'static str = "mention.record";
    const MESSAGE: &'static str = "A platform's content was scanned";

    fn find(self, unit: &mut UnitOfWork<'_, '_>) -> Result<Platform> {
        platforms::find_anywhere(unit.tx, self)?.ok_or_else(platform::not_found)
    }

    fn finder(found: &Platform) -> Finder<'_> {
        Finder::Platform(found)
    }

    fn resource(found: &Platform) -> Resource {
        platform::resource(found)
    }

    fn tenant(found: &Platform) -> Option<TenantId> {
        Some(found.tenant)
    }
}

/// Everyone is recorded whom one of the running sources that watch the feed covers.
impl Searched for FeedId {
    type Found = Feed;
    const ACTION: &'static str = "mention.record_source";
    const MESSAGE: &'static str = "A source's content was scanned";

    fn find(self, unit: &mut UnitOfWork<'_, '_>) -> Result<Feed> {
        feed::find(unit.tx, self)?.ok_or_else(|| Error::not_found("Feed"))
    }

    fn finder(found: &Feed) -> Finder<'_> {
        Finder::Feed(found)
    }

    fn resource(found: &Feed) -> Resource {
        let (id, name) = (Some(found.id.to_string()), Some(found.title.clone()));
        Resource { kind: "feed", id, name }
    }

    /// One batch may concern several tenants.
    fn tenant(_: &Feed) -> Option<TenantId> {
        None
    }
}

/// Records everyone recognized in the content of a platform or feed and notifies the rights
/// holders. Returns the mentions of each piece of content, in order. The same content may be
/// recorded again, for example after a crash: a talent has at most one mention per URL.
pub(crate) async fn record<S: Searched>(
    app: &App,
    context: &Context,
    searched: S,
    prepared: Prepared,
) -> Result<Vec<Vec<RecordedMention>>> {
    let Prepared { found, batches, evidence } = prepared;
    let drafts = Arc::new(evidence.store(app).await?);
    let mut mentions: Vec<Vec<RecordedMention>> = found.iter().map(|_| vec![]).collect();
    for recognitions in batches {
        let (found, drafts) = (Arc::clone(&found), Arc::clone(&drafts));
        let act = Record { searched, found, recognitions, drafts };
        merge(&mut mentions, app.act(context, act).await?);
    }
    discard_unused(app, &drafts, &mentions).await;
    Ok(mentions)
}

/// Adds the mentions of another batch to those of each piece of content.
pub(super) fn merge(all: &mut [Vec<RecordedMention>], more: Vec<Vec<RecordedMention>>) {
    for (known, more) in all.iter_mut().zip(more) {
        known.extend(more);
    }
}

/// Records one batch.
struct Record<S> {
    searched: S,
    found: Arc<Vec<Recognized>>,
    recognitions: Recognitions,
    drafts: Arc<Drafts>,
}

impl<S: Searched> Act for Record<S> {
    type Permit = S::Found;
    type Output = Vec<Vec<RecordedMention>>;
    const ACTION: &'static str = S::ACTION;

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<S::Found> {
        self.searched.find(unit)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        searched: S::Found,
    ) -> Result<Done<Vec<Vec<RecordedMention>>>> {
        let (finder, batch) = (S::finder(&searched), (&self.recognitions, &*self.drafts));
        let RecordedBatch { mentions, events } = record_batch(unit, finder, &self.found, batch)?;
        let seen: usize = mentions.iter().map(Vec::len).sum();
        let mut done = Done::new(mentions, S::resource(&searched), S::MESSAGE);
        (done.details, done.tenant) = (json!({ "mentions": seen }), S::tenant(&searched));
        done.events = events;
        Ok(done)
    }
}

/// The result of recording a batch.
pub(super) struct RecordedBatch {
    /// The mentions of each piece of content.
    pub(super) mentions: Vec<Vec<RecordedMention>>,
    /// The events to publish.
    pub(super) events: Vec<NewEvent>,
}

/// Writes a mention for each watched talent at each URL.
pub(super) fn record_batch(
    unit: &mut UnitOfWork<'_, '_>,
    finder: Finder<'_>,
    found: &[Recognized],
    (recognitions, drafts): (&Recognitions, &Drafts),
) -> Result<RecordedBatch> {
    let mut batch =
        RecordedBatch { mentions: found.iter().map(|_| vec![]).collect(), events: vec![] };
    let mut keeper = Keeper::new(drafts);
    let mut publishers = Publishers::new(finder);
    // Always ordered by talent and URL, so that two units that record the same content cannot
    // deadlock.
    for (talent, recognitions) in recognitions {
        let Some(watched) = watch::find(unit.tx, *talent, unit.now)? else { continue };
        let source = match finder {
            Finder::Platform(_) => None,
            Finder::Feed(feed) => {
                source::claim_watching(unit.tx, feed.id, (watched.owner, *talent))?
            }
        };
        let place = match (finder, &source) {
            (Finder::Platform(platform), _) => Place::Platform(platform),
            (Finder::Feed(_), Some(source)) => Place::Source(source),
            (Finder::Feed(_), None) => continue,
        };
        let mut recognitions: Vec<_> = recognitions.iter().collect();
        recognitions.sort_by_key(|(at, _)| found[**at].content.url.key());
        let mut loaded: Vec<Publisher> = vec![];
        for (at, recognition) in recognitions {
            let content = &found[*at].content;
            let id = publishers.find(unit, &content.url)?;
            let known = loaded.iter().position(|it| it.id == id);
            let known = if let Some(known) = known {
                known
            } else {
                loaded.push(Publisher::load(unit, id, *talent, &watched)?);
                loaded.len() - 1
            };
            let (talent, watched, publisher) = (*talent, &watched, &loaded[known]);
            let seen = (&found[*at], *at);
            let sighting = Sighting { talent, watched, publisher, place, content, seen };
            let (mention, events) = sighting.record(unit, recognition, &mut keeper)?;
            batch.mentions[*at].push(mention);
            batch.events.extend(events);
        }
    }
    for (mention, evidence) in keeper.finish(unit)? {
        let mut without = batch.mentions.iter_mut().flatten().filter(|it| it.copies.is_none());
        if let Some(recorded) = without.find(|it| it.shown.mention.id == mention) {
            recorded.copies = Some(evidence);
        }
    }
    Ok(batch)
}
