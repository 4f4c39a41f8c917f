//! Sightings: talents recognized in content become mentions if one of their licenses is watched
//! (contract sections 4 and 7, contract-2 sections 21 and 24). A source finds only talents of its
//! tenant.

mod publisher;
mod push;
mod recognize;
mod record;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grantor_domain::content::Content;
use grantor_domain::evidence::Capture;
use grantor_domain::id::{EvidenceId, FeedId, LicenseId, TalentId};
use grantor_domain::mention::Recognition;
use grantor_domain::platform::Platform;
use grantor_domain::source::Feed;
use grantor_domain::{Result, Timestamp};
use grantor_storage::license::watch;
pub use grantor_storage::mention::ListedMention;
use grantor_storage::{Tx, source};

pub use self::push::{MAX_ITEMS, PICTURE_TIMEOUT, PushResult, push};
pub(crate) use self::recognize::{Recognized, recognize, recognize_up_to};
pub(crate) use self::record::record;
use crate::App;
use crate::watching::evidence::{Pending, SeenPicture};

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
