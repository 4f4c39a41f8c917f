//! Sightings: talents recognized in a platform's content become mentions if one of their licenses
//! is watched (contract sections 4 and 7, contract-2 sections 21 and 24).

mod publisher;
mod push;
mod recognize;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grantor_domain::content::Content;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::hex;
use grantor_domain::id::{LicenseId, PlatformId, TalentId};
use grantor_domain::likeness;
use grantor_domain::mention::{Judgment, Mention, MentionStatus, Recognition, SightingTimes};
use grantor_domain::note::Note;
use grantor_domain::platform::Platform;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::license::watch::{self, LicenseName, WatchedTalent};
pub use grantor_storage::mention::ListedMention;
use grantor_storage::mention::StoredMention;
use grantor_storage::mention::visibility;
use grantor_storage::{Tx, mention as rows, platform};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::watching::mention;
use crate::{App, Context};

use self::publisher::Publisher;
pub use self::push::{MAX_ITEMS, PICTURE_TIMEOUT, PushResult, push};
pub(crate) use self::recognize::{Recognized, recognize};

/// Sightings kept per piece of content. A text that names more people is just a list of names.
pub const MAX_SIGHTINGS: usize = 500;
/// Sightings recorded per unit of work.
const BATCH: usize = 100;

/// A piece of content to search for talents.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The content.
    pub content: Content,
    /// The hashes of its picture, if it has one with enough detail.
    pub picture: Option<likeness::VariantHashes>,
}

/// A mention that was created or seen again.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedMention {
    /// The mention.
    pub shown: ListedMention,
    /// The reason for the verdict that the platform's organization may read.
    pub reason: String,
    /// Whether it was created.
    pub is_new: bool,
}

/// Records everyone recognized in a platform's content and notifies the rights holders. Returns the
/// mentions of each piece of content, in order. The same content may be recorded again, for example
/// after a crash: a talent has at most one mention per URL.
pub async fn record(
    app: &App,
    context: &Context,
    platform: PlatformId,
    candidates: Vec<Candidate>,
) -> Result<Vec<Vec<RecordedMention>>> {
    let found = Arc::new(recognize(app, candidates).await?);
    let mut mentions: Vec<Vec<RecordedMention>> = found.iter().map(|_| vec![]).collect();
    for recognitions in batches(app, &found).await? {
        let act = Record { platform, found: Arc::clone(&found), recognitions };
        merge(&mut mentions, app.act(context, act).await?);
    }
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
        let RecordedBatch { mentions, events } =
            record_batch(unit, &platform, &self.found, &self.recognitions)?;
        let resource = crate::watching::platform::resource(&platform);
        let seen: usize = mentions.iter().map(Vec::len).sum();
        let mut done = Done::new(mentions, resource, "A platform's content was scanned");
        (done.details, done.tenant) = (json!({ "mentions": seen }), Some(platform.tenant));
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
    platform: &Platform,
    found: &[Recognized],
    recognitions: &Recognitions,
) -> Result<RecordedBatch> {
    let mut batch =
        RecordedBatch { mentions: found.iter().map(|_| vec![]).collect(), events: vec![] };
    // Always ordered by talent and URL, so that two units that record the same content cannot
    // deadlock.
    for (talent, recognitions) in recognitions {
        let Some(watched) = watch::find(unit.tx, *talent, unit.now)? else { continue };
        let publisher = Publisher::load(unit, platform, *talent, &watched)?;
        let mut recognitions: Vec<_> = recognitions.iter().collect();
        recognitions.sort_by_key(|(at, _)| found[**at].content.url.key());
        for (at, recognition) in recognitions {
            let content = &found[*at].content;
            let (talent, watched, publisher) = (*talent, &watched, &publisher);
            let sighting = Sighting { talent, watched, publisher, platform, content };
            let (mention, events) = sighting.record(unit, recognition)?;
            batch.mentions[*at].push(mention);
            batch.events.extend(events);
        }
    }
    Ok(batch)
}

/// The strongest recognition of each talent in each piece of content.
pub(crate) type Recognitions = BTreeMap<TalentId, BTreeMap<usize, Recognition>>;

/// Splits what was recognized into batches ordered by talent, one unit of work each, so that no
/// unit blocks other writers for long.
pub(crate) async fn batches(app: &App, found: &Arc<Vec<Recognized>>) -> Result<Vec<Recognitions>> {
    if found.iter().all(Recognized::is_empty) {
        return Ok(vec![]);
    }
    let (found, now) = (Arc::clone(found), app.clock.now());
    let recognitions = app.store.read(move |tx| by_talent(tx, &found, now)).await?;
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
fn by_talent(tx: &mut Tx<'_>, found: &[Recognized], now: Timestamp) -> Result<Recognitions> {
    let mut recognitions = Recognitions::new();
    let mut add = |talent: TalentId, at: usize, recognition: &Recognition| {
        let known = recognitions.entry(talent).or_default();
        if known.get(&at).is_none_or(|it| recognition.is_better_than(it)) {
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
            let known = watched.get(talent).copied();
            let is_watched = match known {
                Some(known) => known,
                None => watch::find(tx, *talent, now)?.is_some(),
            };
            watched.insert(*talent, is_watched);
            if is_watched {
                add(*talent, at, recognition);
            }
        }
        for (license, recognition) in &recognized.pictures {
            if let Some(talent) = talents.get(license) {
                add(*talent, at, recognition);
            }
        }
    }
    Ok(recognitions)
}

/// One talent in one piece of content.
struct Sighting<'a> {
    talent: TalentId,
    watched: &'a WatchedTalent,
    publisher: &'a Publisher,
    platform: &'a Platform,
    content: &'a Content,
}

impl Sighting<'_> {
    fn record(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        recognition: &Recognition,
    ) -> Result<(RecordedMention, Vec<NewEvent>)> {
        let owner = self.watched.owner;
        let digest = hex::encode(&self.content.digest());
        let new = self.mention(unit, recognition, unit.now);
        // Another unit may insert the same mention first: then this one updates it.
        if rows::insert(unit.tx, &new, owner, &digest)? {
            let shown = self.kept(new).through(self.watched.oldest.clone());
            let by = (owner, shown.license);
            let events = mention::events(unit, EventType::MentionCreated, &shown, by)?;
            return Ok((self.recorded(shown, true), events));
        }
        let known = rows::claim_at(unit.tx, self.talent, &self.content.url)?;
        let (known, before) = known
            .ok_or_else(|| Error::internal("the mention that conflicted on insert is missing"))?;
        if !self.may_update(unit, &known)? {
            rows::touch(unit.tx, &known.mention, owner, unit.now)?;
            let shown = known.through(self.watched.oldest.clone());
            return Ok((self.recorded(shown, false), vec![]));
        }
        let new = self.mention(unit, recognition, known.mention.first_seen_at);
        let mut mention = again(&known.mention, new);
        mention.revision += u32::from(before.as_deref() != Some(&*digest));
        // A mention that no license listed is back on its owner's list, which is a change too.
        let changed = known.owner.is_none()
            || mention != (Mention { last_seen_at: unit.now, ..known.mention });
        mention.version += u32::from(changed);
        rows::update_sighting(unit.tx, &mention, owner, &digest)?;
        let license = visibility::oldest_license(unit.tx, &mention)?;
        let license = license.unwrap_or_else(|| self.watched.oldest.clone());
        let shown = self.kept(mention).through(license);
        let by = (owner, shown.license);
        let events = changed.then(|| mention::events(unit, EventType::MentionUpdated, &shown, by));
        Ok((self.recorded(shown, false), events.transpose()?.unwrap_or_default()))
    }

    /// Whether this platform may update the mention. A mention belongs to the platform that
    /// reported it first, and passes only to a platform that proved the URL's domain.
    fn may_update(&self, unit: &mut UnitOfWork<'_, '_>, known: &StoredMention) -> Result<bool> {
        let reporter = known.mention.platform;
        if reporter == self.platform.id {
            return Ok(true);
        }
        let url = &self.content.url;
        let theirs = platform::find_anywhere(unit.tx, reporter)?.is_some_and(|it| it.owns(url));
        Ok(self.platform.owns(url) && !theirs)
    }

    fn kept(&self, mention: Mention) -> StoredMention {
        StoredMention {
            mention,
            platform_name: self.platform.name.as_str().to_owned(),
            talent_name: self.watched.name.clone(),
            owner: Some(self.watched.owner),
        }
    }

    /// The mention as reported to the platform: through a license that its organization holds, if
    /// any.
    fn recorded(&self, shown: ListedMention, is_new: bool) -> RecordedMention {
        let license = self.publisher.holds.as_ref().unwrap_or(&self.watched.oldest);
        let LicenseName { id: license, title: license_title } = license.clone();
        let reason = shown.mention.reason_for(Some(self.platform.tenant));
        let shown = ListedMention { license, license_title, ..shown };
        RecordedMention { shown, reason, is_new }
    }

    fn mention(
        &self,
        unit: &UnitOfWork<'_, '_>,
        recognition: &Recognition,
        first_seen_at: Timestamp,
    ) -> Mention {
        let published_at = self.content.published_at;
        let times = SightingTimes { published_at, first_seen_at, now: unit.now };
        let Judgment { verdict, reason, grant } =
            self.publisher.rights.judge(times, recognition.strong);
        Mention {
            id: unit.ids.next(),
            talent: self.talent,
            platform: self.platform.id,
            url: self.content.url.as_str().to_owned(),
            title: self.content.title.clone(),
            excerpt: recognition.excerpt.clone(),
            author: self.content.author.clone(),
            media_type: recognition.found.kind.media_type(),
            found: recognition.found.clone(),
            verdict,
            verdict_reason: reason.to_owned(),
            grant,
            status: MentionStatus::New,
            note: Note::default(),
            published_at,
            first_seen_at,
            last_seen_at: unit.now,
            revision: 1,
            version: 1,
        }
    }
}

/// The known mention with what was seen now. Its status, note and first sighting stay.
fn again(was: &Mention, now: Mention) -> Mention {
    Mention {
        id: was.id,
        status: was.status,
        note: was.note.clone(),
        first_seen_at: was.first_seen_at,
        revision: was.revision,
        version: was.version,
        ..now
    }
}
