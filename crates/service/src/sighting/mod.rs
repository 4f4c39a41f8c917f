//! Sightings: content of a platform is looked at, and who is recognized in it becomes a mention, if one of
//! their licenses is watched (contract sections 4, 7 and 24).

mod push;
mod recognize;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grantor_domain::content::Content;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::hex;
use grantor_domain::id::{LicenseId, PlatformId, TalentId};
use grantor_domain::likeness;
use grantor_domain::mention::{Evidence, Mention, MentionStatus, Trace};
use grantor_domain::note::Note;
use grantor_domain::platform::Platform;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::license::watch::{self, Holding, Named, Watched};
use grantor_storage::mention::Kept;
pub use grantor_storage::mention::Shown;
use grantor_storage::mention::through;
use grantor_storage::{Tx, mention as rows, platform};
use serde_json::json;

use crate::act::{Act, Desk, Done};
use crate::{App, Context, mention};

pub use self::push::{Checked, MOST_ITEMS, PICTURES, push};
pub(crate) use self::recognize::{Recognized, recognize};

/// How many sightings of one piece of content are kept: what names more people is a list of names.
pub const MOST_SIGHTINGS: usize = 500;
/// How many sightings one unit of work notes.
const AT_ONCE: usize = 100;

/// A piece of content with what is known of its picture.
#[derive(Clone, Debug)]
pub struct Looked {
    /// The content.
    pub content: Content,
    /// The picture that goes with it, where there is one that tells anything.
    pub picture: Option<likeness::Seen>,
}

/// A mention that was made, or seen again.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighted {
    /// The mention.
    pub shown: Shown,
    /// Whether it was not known before.
    pub is_new: bool,
}

/// Records everybody who is recognized in content of a platform, and tells the rights holders. The
/// same content may come again, as after a crash: a talent has one mention at an address. Gives
/// the sightings of each piece, in the order they came.
pub async fn record(
    app: &App,
    context: &Context,
    platform: PlatformId,
    looked: Vec<Looked>,
) -> Result<Vec<Vec<Sighted>>> {
    let found = Arc::new(recognize(app, looked).await?);
    let mut sighted: Vec<Vec<Sighted>> = found.iter().map(|_| vec![]).collect();
    for traces in parts(app, &found).await? {
        let act = Record { platform, found: Arc::clone(&found), traces };
        merge(&mut sighted, app.act(context, act).await?);
    }
    Ok(sighted)
}

/// Adds the sightings of another part to those of each piece of content.
fn merge(all: &mut [Vec<Sighted>], more: Vec<Vec<Sighted>>) {
    for (known, more) in all.iter_mut().zip(more) {
        known.extend(more);
    }
}

/// A part of what was recognized.
struct Record {
    platform: PlatformId,
    found: Arc<Vec<Recognized>>,
    traces: Traces,
}

impl Act for Record {
    type Grant = Platform;
    type Output = Vec<Vec<Sighted>>;
    const ACTION: &'static str = "mention.record";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Platform> {
        let found = platform::find_anywhere(desk.tx, self.platform)?;
        found.ok_or_else(crate::platform::not_found)
    }

    fn carry_out(
        &self,
        desk: &mut Desk<'_, '_>,
        platform: Platform,
    ) -> Result<Done<Vec<Vec<Sighted>>>> {
        let Noted { sighted, events } = note(desk, &platform, &self.found, &self.traces)?;
        let resource = crate::platform::resource(&platform);
        let seen: usize = sighted.iter().map(Vec::len).sum();
        let mut done = Done::new(sighted, resource, "Content of a platform was looked at");
        (done.details, done.tenant) = (json!({ "mentions": seen }), Some(platform.tenant));
        done.events = events;
        Ok(done)
    }
}

/// What noting sightings led to.
pub(crate) struct Noted {
    /// The sightings of each piece of content.
    pub(crate) sighted: Vec<Vec<Sighted>>,
    /// What is to be told.
    pub(crate) events: Vec<NewEvent>,
}

/// Writes a mention of each of these talents who is watched, at each address.
pub(crate) fn note(
    desk: &mut Desk<'_, '_>,
    platform: &Platform,
    found: &[Recognized],
    traces: &Traces,
) -> Result<Noted> {
    let mut noted = Noted { sighted: found.iter().map(|_| vec![]).collect(), events: vec![] };
    // Always in the order of talents and addresses: two who note the same wait for each other and
    // never both.
    for (talent, traces) in traces {
        let Some(watched) = watch::find(desk.tx, *talent, desk.now)? else { continue };
        let held = held_by(desk, platform, *talent, &watched)?;
        let mut traces: Vec<_> = traces.iter().collect();
        traces.sort_by_key(|(at, _)| found[**at].content.url.key());
        for (at, trace) in traces {
            let content = &found[*at].content;
            let (talent, watched, held) = (*talent, &watched, held.as_ref());
            let sight = Sight { talent, watched, held, platform, content };
            let (sighted, events) = sight.note(desk, trace)?;
            noted.sighted[*at].push(sighted);
            noted.events.extend(events);
        }
    }
    Ok(noted)
}

/// What the platform's organization holds of a talent that is watched.
fn held_by(
    desk: &mut Desk<'_, '_>,
    platform: &Platform,
    talent: TalentId,
    watched: &Watched,
) -> Result<Option<Holding>> {
    Ok(if platform.tenant == watched.owner {
        watch::holding_of_owner(desk.tx, talent, desk.now)?
    } else {
        watch::holding_of(desk.tx, talent, platform.tenant, desk.now)?
    })
}

/// The strongest trace of each talent in each piece of content.
pub(crate) type Traces = BTreeMap<TalentId, BTreeMap<usize, Trace>>;

/// What was recognized, in parts that are each noted in a unit of work of their own, in the order of
/// talents: nobody else writes while one unit does.
pub(crate) async fn parts(app: &App, found: &Arc<Vec<Recognized>>) -> Result<Vec<Traces>> {
    if found.iter().all(Recognized::is_nobody) {
        return Ok(vec![]);
    }
    let (found, now) = (Arc::clone(found), app.clock.now());
    let traces = app.store.read(move |tx| by_talent(tx, &found, now)).await?;
    let (mut parts, mut last, mut count) = (vec![], Traces::new(), 0);
    for (talent, of_talent) in traces {
        for (at, trace) in of_talent {
            if count == AT_ONCE {
                parts.push(std::mem::take(&mut last));
                count = 0;
            }
            last.entry(talent).or_default().insert(at, trace);
            count += 1;
        }
    }
    parts.push(last);
    Ok(parts)
}

/// Only talents who are watched: most who are named are not, and no unit that writes shall ask for them.
/// Who is known by a picture is the talent of its license, if that license is watched.
fn by_talent(tx: &mut Tx<'_>, found: &[Recognized], now: Timestamp) -> Result<Traces> {
    let mut traces = Traces::new();
    let mut add = |talent: TalentId, at: usize, trace: &Trace| {
        let known = traces.entry(talent).or_default();
        if known.get(&at).is_none_or(|it| trace.outdoes(it)) {
            known.insert(at, trace.clone());
        }
    };
    let of_pictures = found.iter().flat_map(|it| it.pictures.iter().map(|(license, _)| *license));
    let of_pictures: BTreeSet<LicenseId> = of_pictures.collect();
    let of_pictures: Vec<LicenseId> = of_pictures.into_iter().collect();
    let talents: BTreeMap<LicenseId, TalentId> =
        watch::talents_of(tx, &of_pictures, now)?.into_iter().collect();
    let mut watched: BTreeMap<TalentId, bool> = BTreeMap::new();
    for (at, recognized) in found.iter().enumerate() {
        for (talent, trace) in &recognized.people {
            let known = watched.get(talent).copied();
            let is_watched = match known {
                Some(known) => known,
                None => watch::find(tx, *talent, now)?.is_some(),
            };
            watched.insert(*talent, is_watched);
            if is_watched {
                add(*talent, at, trace);
            }
        }
        for (license, trace) in &recognized.pictures {
            if let Some(talent) = talents.get(license) {
                add(*talent, at, trace);
            }
        }
    }
    Ok(traces)
}

/// One talent in one piece of content.
struct Sight<'a> {
    talent: TalentId,
    watched: &'a Watched,
    /// What the platform's organization holds of the talent.
    held: Option<&'a Holding>,
    platform: &'a Platform,
    content: &'a Content,
}

impl Sight<'_> {
    fn note(&self, desk: &mut Desk<'_, '_>, trace: &Trace) -> Result<(Sighted, Vec<NewEvent>)> {
        let owner = self.watched.owner;
        let digest = hex::encode(&self.content.digest());
        let new = self.mention(desk, trace);
        // Somebody may note the same at the same time: then it is theirs, and here seen again.
        if rows::insert(desk.tx, &new, owner, &digest)? {
            let shown = self.kept(new).through(self.watched.oldest.clone());
            let by = (owner, shown.license);
            let events = mention::tell(desk, EventType::MentionCreated, &shown, by)?;
            return Ok((self.sighted(shown, true), events));
        }
        let known = rows::claim_at(desk.tx, self.talent, &self.content.url)?;
        let (known, before) =
            known.ok_or_else(|| Error::internal("a mention that is not there"))?;
        if !self.may_tell_of(desk, &known)? {
            rows::touch(desk.tx, &known.mention, owner, desk.now)?;
            let shown = known.through(self.watched.oldest.clone());
            return Ok((self.sighted(shown, false), vec![]));
        }
        let mut mention = again(&known.mention, new);
        mention.revision += u32::from(before.as_deref() != Some(&*digest));
        // A mention that was on nobody's list is back on its owner's, which they are told.
        let changed = known.owner.is_none()
            || mention != (Mention { last_seen_at: desk.now, ..known.mention });
        mention.version += u32::from(changed);
        rows::see_again(desk.tx, &mention, owner, &digest)?;
        let license = through::oldest(desk.tx, &mention)?;
        let license = license.unwrap_or_else(|| self.watched.oldest.clone());
        let shown = self.kept(mention).through(license);
        let by = (owner, shown.license);
        let told = changed.then(|| mention::tell(desk, EventType::MentionUpdated, &shown, by));
        Ok((self.sighted(shown, false), told.transpose()?.unwrap_or_default()))
    }

    /// A mention belongs to who told of it first, and passes only to who proved the domain the
    /// address is on: nobody speaks for another's page.
    fn may_tell_of(&self, desk: &mut Desk<'_, '_>, known: &Kept) -> Result<bool> {
        let teller = known.mention.platform;
        if teller == self.platform.id {
            return Ok(true);
        }
        let url = &self.content.url;
        let theirs = platform::find_anywhere(desk.tx, teller)?.is_some_and(|it| it.owns(url));
        Ok(self.platform.owns(url) && !theirs)
    }

    fn kept(&self, mention: Mention) -> Kept {
        Kept {
            mention,
            platform_name: self.platform.name.as_str().to_owned(),
            talent_name: self.watched.name.clone(),
            owner: Some(self.watched.owner),
        }
    }

    /// The mention as the platform is told of it: through a license that its organization holds, where
    /// it holds one.
    fn sighted(&self, shown: Shown, is_new: bool) -> Sighted {
        let license = self.held.map_or(&self.watched.oldest, |it| &it.oldest);
        let Named { id: license, title: license_title } = license.clone();
        Sighted { shown: Shown { license, license_title, ..shown }, is_new }
    }

    fn mention(&self, desk: &Desk<'_, '_>, trace: &Trace) -> Mention {
        let in_force = self.held.is_some_and(|it| it.in_force);
        let evidence = Evidence { holds: self.held.is_some(), in_force, strong: trace.strong };
        let (verdict, reason) = evidence.judge();
        Mention {
            id: desk.ids.next(),
            talent: self.talent,
            platform: self.platform.id,
            url: self.content.url.as_str().to_owned(),
            title: self.content.title.clone(),
            excerpt: trace.excerpt.clone(),
            author: self.content.author.clone(),
            media_type: trace.found.kind.media_type(),
            found: trace.found.clone(),
            verdict,
            verdict_reason: reason.to_owned(),
            status: MentionStatus::New,
            note: Note::default(),
            published_at: self.content.published_at,
            first_seen_at: desk.now,
            last_seen_at: desk.now,
            revision: 1,
            version: 1,
        }
    }
}

/// What is known, as it is seen now. What people made of it and when it was first seen stays.
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
