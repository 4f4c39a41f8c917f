//! Sightings: talents recognized in content become mentions if one of their licenses is watched
//! (contract sections 4 and 7, contract-2 sections 21 and 24). A source finds only talents of its
//! tenant.

mod publisher;
mod push;
mod recognize;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::content::Content;
use grantor_domain::event::NewEvent;
use grantor_domain::evidence::Capture;
use grantor_domain::id::{EvidenceId, FeedId, LicenseId, PlatformId, TalentId};
use grantor_domain::mention::Recognition;
use grantor_domain::platform::Platform;
use grantor_domain::source::Feed;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::license::watch;
pub use grantor_storage::mention::ListedMention;
use grantor_storage::{Tx, feed, platform, source};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::watching::evidence::{Drafts, Keeper, Pending, SeenPicture, discard_unused};
use crate::{App, Context};

use self::publisher::{Publisher, Publishers};
pub use self::push::{MAX_ITEMS, PICTURE_TIMEOUT, PushResult, push};
pub(crate) use self::recognize::{Recognized, recognize};
use self::write::{Place, Sighting};

/// Sightings kept per piece of content. A text that names more people is just a list of names.
pub const MAX_SIGHTINGS: usize = 500;
/// Sightings recorded per unit of work.
const BATCH: usize = 100;

/// A piece of content to search for talents.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The content.
    pub content: Content,
    /// Its pictures that have enough detail.
    pub pictures: Vec<SeenPicture>,
    /// The response that contained it. Without one, nothing can be recorded as evidence.
    pub capture: Option<Arc<Capture>>,
}

/// What content is searched for: a platform, or a feed for the sources that watch it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Finder<'a> {
    /// A platform.
    Platform(&'a Platform),
    /// A feed.
    Feed(&'a Feed),
}

/// A mention that was created or seen again.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedMention {
    /// The mention.
    pub shown: ListedMention,
    /// The reason for the verdict that the platform's organization, or the source's, may read.
    pub reason: String,
    /// Whether it was created.
    pub is_new: bool,
    /// The evidence that was written, if it has copies of pictures.
    pub copies: Option<EvidenceId>,
}

/// Recognized talents that are ready to be recorded.
pub(crate) struct Prepared {
    /// The content.
    pub(crate) found: Arc<Vec<Recognized>>,
    /// What to record, one unit of work each.
    pub(crate) batches: Vec<Recognitions>,
    /// The evidence that is needed.
    pub(crate) evidence: Pending,
}

/// Recognizes talents, for a platform or for a feed.
pub(crate) async fn prepare(
    app: &App,
    feed: Option<FeedId>,
    candidates: Vec<Candidate>,
) -> Result<Prepared> {
    let found = Arc::new(recognize(app, candidates).await?);
    let batches = batches(app, &found, feed).await?;
    let evidence = Pending::find(app, &found, &batches).await?;
    Ok(Prepared { found, batches, evidence })
}

/// Records everyone recognized in a platform's content and notifies the rights holders. Returns the
/// mentions of each piece of content, in order. The same content may be recorded again, for example
/// after a crash: a talent has at most one mention per URL.
pub(crate) async fn record(
    app: &App,
    context: &Context,
    platform: PlatformId,
    prepared: Prepared,
) -> Result<Vec<Vec<RecordedMention>>> {
    let Prepared { found, batches, evidence } = prepared;
    let drafts = Arc::new(evidence.store(app).await?);
    let mut mentions: Vec<Vec<RecordedMention>> = found.iter().map(|_| vec![]).collect();
    for recognitions in batches {
        let (found, drafts) = (Arc::clone(&found), Arc::clone(&drafts));
        let act = Record { platform, found, recognitions, drafts };
        merge(&mut mentions, app.act(context, act).await?);
    }
    discard_unused(app, &drafts, &mentions).await;
    Ok(mentions)
}

/// Like [`record`], for content of a feed: everyone whom one of the running sources that watch the
/// feed covers.
pub(crate) async fn record_for_feed(
    app: &App,
    context: &Context,
    feed: FeedId,
    prepared: Prepared,
) -> Result<Vec<Vec<RecordedMention>>> {
    let Prepared { found, batches, evidence } = prepared;
    let drafts = Arc::new(evidence.store(app).await?);
    let mut mentions: Vec<Vec<RecordedMention>> = found.iter().map(|_| vec![]).collect();
    for recognitions in batches {
        let (found, drafts) = (Arc::clone(&found), Arc::clone(&drafts));
        let act = RecordForFeed { feed, found, recognitions, drafts };
        merge(&mut mentions, app.act(context, act).await?);
    }
    discard_unused(app, &drafts, &mentions).await;
    Ok(mentions)
}

/// Adds the mentions of another batch to those of each piece of content.
fn merge(all: &mut [Vec<RecordedMention>], more: Vec<Vec<RecordedMention>>) {
    for (known, more) in all.iter_mut().zip(more) {
        known.extend(more);
    }
}

/// Records one batch.
struct Record {
    platform: PlatformId,
    found: Arc<Vec<Recognized>>,
    recognitions: Recognitions,
    drafts: Arc<Drafts>,
}

impl Act for Record {
    type Permit = Platform;
    type Output = Vec<Vec<RecordedMention>>;
    const ACTION: &'static str = "mention.record";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Platform> {
        let found = platform::find_anywhere(unit.tx, self.platform)?;
        found.ok_or_else(crate::watching::platform::not_found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        platform: Platform,
    ) -> Result<Done<Vec<Vec<RecordedMention>>>> {
        let (finder, batch) = (Finder::Platform(&platform), (&self.recognitions, &*self.drafts));
        let RecordedBatch { mentions, events } = record_batch(unit, finder, &self.found, batch)?;
        let resource = crate::watching::platform::resource(&platform);
        let seen: usize = mentions.iter().map(Vec::len).sum();
        let mut done = Done::new(mentions, resource, "A platform's content was scanned");
        (done.details, done.tenant) = (json!({ "mentions": seen }), Some(platform.tenant));
        done.events = events;
        Ok(done)
    }
}

/// Records one batch of a feed's content. The entry is the operator's: one batch may concern
/// several tenants.
struct RecordForFeed {
    feed: FeedId,
    found: Arc<Vec<Recognized>>,
    recognitions: Recognitions,
    drafts: Arc<Drafts>,
}

impl Act for RecordForFeed {
    type Permit = Feed;
    type Output = Vec<Vec<RecordedMention>>;
    const ACTION: &'static str = "mention.record_source";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Feed> {
        feed::find(unit.tx, self.feed)?.ok_or_else(|| Error::not_found("Feed"))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        feed: Feed,
    ) -> Result<Done<Vec<Vec<RecordedMention>>>> {
        let (finder, batch) = (Finder::Feed(&feed), (&self.recognitions, &*self.drafts));
        let RecordedBatch { mentions, events } = record_batch(unit, finder, &self.found, batch)?;
        let resource =
            Resource { kind: "feed", id: Some(feed.id.to_string()), name: Some(feed.title) };
        let seen: usize = mentions.iter().map(Vec::len).sum();
        let mut done = Done::new(mentions, resource, "A source's content was scanned");
        done.details = json!({ "mentions": seen });
        done.events = events;
        Ok(done)
    }
}

/// The result of recording a batch.
pub(crate) struct RecordedBatch {
    /// The mentions of each piece of content.
    pub(crate) mentions: Vec<Vec<RecordedMention>>,
    /// The events to publish.
    pub(crate) events: Vec<NewEvent>,
}

/// Writes a mention for each watched talent at each URL.
pub(crate) fn record_batch(
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
    keeper.finish(unit)?;
    Ok(batch)
}

/// The strongest recognition of each talent in each piece of content.
pub(crate) type Recognitions = BTreeMap<TalentId, BTreeMap<usize, Recognition>>;

/// Splits what was recognized into batches ordered by talent, one unit of work each, so that no
/// unit blocks other writers for long.
pub(crate) async fn batches(
    app: &App,
    found: &Arc<Vec<Recognized>>,
    feed: Option<FeedId>,
) -> Result<Vec<Recognitions>> {
    if found.iter().all(Recognized::is_empty) {
        return Ok(vec![]);
    }
    let (found, now) = (Arc::clone(found), app.clock.now());
    let recognitions = app.store.read(move |tx| by_talent(tx, &found, feed, now)).await?;
    let (mut batches, mut last, mut count) = (vec![], Recognitions::new(), 0);
    for (talent, of_talent) in recognitions {
        for (at, recognition) in of_talent {
            if count == BATCH {
                batches.push(std::mem::take(&mut last));
                count = 0;
            }
            last.entry(talent).or_default().insert(at, recognition);
            count += 1;
        }
    }
    batches.push(last);
    Ok(batches)
}

/// The recognitions of watched talents. Most named talents are not watched, so they are filtered
/// out here, in a read, rather than in the units that write. A picture stands for the talent of its
/// license, if that license is watched.
fn by_talent(
    tx: &mut Tx<'_>,
    found: &[Recognized],
    feed: Option<FeedId>,
    now: Timestamp,
) -> Result<Recognitions> {
    let mut recognitions = Recognitions::new();
    let mut add = |talent: TalentId, at: usize, recognition: &Recognition| {
        let known = recognitions.entry(talent).or_default();
        let is_better = |it: &Recognition| match feed {
            None => recognition.is_better_than(it),
            Some(_) => recognition.is_better_evidence_than(it),
        };
        if known.get(&at).is_none_or(is_better) {
            known.insert(at, recognition.clone());
        }
    };
    let of_pictures = found.iter().flat_map(|it| it.pictures.iter().map(|(license, _)| *license));
    let of_pictures: BTreeSet<LicenseId> = of_pictures.collect();
    let of_pictures: Vec<LicenseId> = of_pictures.into_iter().collect();
    let talents: BTreeMap<LicenseId, TalentId> =
        watch::talents_of(tx, &of_pictures, now)?.into_iter().collect();
    let mut watched: BTreeMap<TalentId, bool> = BTreeMap::new();
    for (at, recognized) in found.iter().enumerate() {
        for (talent, recognition) in &recognized.people {
            if is_watched(tx, &mut watched, *talent, feed, now)? {
                add(*talent, at, recognition);
            }
        }
        for (license, recognition) in &recognized.pictures {
            let Some(talent) = talents.get(license) else { continue };
            if feed.is_none() || is_watched(tx, &mut watched, *talent, feed, now)? {
                add(*talent, at, recognition);
            }
        }
    }
    Ok(recognitions)
}

/// Whether a talent is watched, for a feed by a source that covers the talent. Looked up once.
fn is_watched(
    tx: &mut Tx<'_>,
    watched: &mut BTreeMap<TalentId, bool>,
    talent: TalentId,
    feed: Option<FeedId>,
    now: Timestamp,
) -> Result<bool> {
    if let Some(known) = watched.get(&talent) {
        return Ok(*known);
    }
    let found = watch::find(tx, talent, now)?;
    let is_watched = match (found, feed) {
        (Some(found), Some(feed)) => {
            source::find_watching(tx, feed, (found.owner, talent))?.is_some()
        }
        (found, _) => found.is_some(),
    };
    watched.insert(talent, is_watched);
    Ok(is_watched)
}
