//! Sightings: content of a platform is looked at, and who is recognized in it becomes a mention of
//! each license that is watched (contract sections 4 and 7).

mod push;
mod recognize;

use std::collections::BTreeMap;
use std::sync::Arc;

use grantor_domain::content::Content;
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::hex;
use grantor_domain::id::{LicenseId, PlatformId, TalentId};
use grantor_domain::license::License;
use grantor_domain::likeness;
use grantor_domain::mention::{Evidence, Mention, MentionStatus, Trace};
use grantor_domain::note::Note;
use grantor_domain::platform::Platform;
use grantor_domain::{Error, Result};
pub use grantor_storage::mention::Shown;
use grantor_storage::{Tx, license, mention as rows, permission, platform};
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
/// same content may come again, as after a crash: a license has one mention at an address. Gives
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

/// Writes a mention for every watched license of these.
pub(crate) fn note(
    desk: &mut Desk<'_, '_>,
    platform: &Platform,
    found: &[Recognized],
    traces: &Traces,
) -> Result<Noted> {
    let ids: Vec<LicenseId> = traces.keys().copied().collect();
    let mut noted = Noted { sighted: found.iter().map(|_| vec![]).collect(), events: vec![] };
    // Always in the order of licenses and addresses: two who note the same wait for each other and
    // never both.
    let mut licenses = license::load(desk.tx, &ids)?;
    licenses.sort_by_key(|it| it.license.id);
    for license::Shown { license, talent_name, .. } in licenses {
        if !license.is_watched(desk.now) {
            continue;
        }
        let holders = permission::holders(desk.tx, &license)?;
        let holds = holders.roles().contains_key(&platform.tenant.as_uuid());
        let mut of_license: Vec<_> = traces[&license.id].iter().collect();
        of_license.sort_by_key(|(at, _)| found[**at].content.url.key());
        for (at, trace) in of_license {
            let in_force = license.in_force(desk.now);
            let evidence = Evidence { holds, in_force, strong: trace.strong };
            let content = &found[*at].content;
            let sight = Sight { license: &license, talent_name: &talent_name, platform, content };
            let (sighted, event) = sight.note(desk, trace, evidence)?;
            noted.sighted[*at].push(sighted);
            noted.events.extend(event);
        }
    }
    Ok(noted)
}

/// The strongest trace of each license in each piece of content.
pub(crate) type Traces = BTreeMap<LicenseId, BTreeMap<usize, Trace>>;

/// What was recognized, in parts that are each noted in a unit of work of their own, in the order of
/// licenses. Who is named may have any number of them, and nobody else writes while one unit does.
pub(crate) async fn parts(app: &App, found: &Arc<Vec<Recognized>>) -> Result<Vec<Traces>> {
    if found.iter().all(Recognized::is_nobody) {
        return Ok(vec![]);
    }
    let found = Arc::clone(found);
    let traces = app.store.read(move |tx| by_license(tx, &found)).await?;
    let (mut parts, mut last, mut count) = (vec![], Traces::new(), 0);
    for (license, of_license) in traces {
        for (at, trace) in of_license {
            if count == AT_ONCE {
                parts.push(std::mem::take(&mut last));
                count = 0;
            }
            last.entry(license).or_default().insert(at, trace);
            count += 1;
        }
    }
    parts.push(last);
    Ok(parts)
}

fn by_license(tx: &mut Tx<'_>, found: &[Recognized]) -> Result<Traces> {
    let mut traces = Traces::new();
    let mut add = |license: LicenseId, at: usize, trace: &Trace| {
        let known = traces.entry(license).or_default();
        if known.get(&at).is_none_or(|it| trace.outdoes(it)) {
            known.insert(at, trace.clone());
        }
    };
    let mut licenses: BTreeMap<TalentId, Vec<LicenseId>> = BTreeMap::new();
    for (at, recognized) in found.iter().enumerate() {
        for (talent, trace) in &recognized.people {
            if !licenses.contains_key(talent) {
                licenses.insert(*talent, license::list_of_talent(tx, *talent)?);
            }
            for license in &licenses[talent] {
                add(*license, at, trace);
            }
        }
        for (license, trace) in &recognized.pictures {
            add(*license, at, trace);
        }
    }
    Ok(traces)
}

/// One license in one piece of content.
struct Sight<'a> {
    license: &'a License,
    talent_name: &'a str,
    platform: &'a Platform,
    content: &'a Content,
}

impl Sight<'_> {
    fn note(
        &self,
        desk: &mut Desk<'_, '_>,
        trace: &Trace,
        evidence: Evidence,
    ) -> Result<(Sighted, Option<NewEvent>)> {
        let digest = hex::encode(&self.content.digest());
        let new = self.mention(desk, trace, evidence);
        // Somebody may note the same at the same time: then it is theirs, and here seen again.
        if rows::insert(desk.tx, &new, &digest)? {
            let shown = self.shown(new);
            let event = mention::tell(desk, EventType::MentionCreated, &shown, self.license)?;
            return Ok((Sighted { shown, is_new: true }, Some(event)));
        }
        let known = rows::claim_at(desk.tx, self.license.id, &self.content.url)?;
        let (known, before) =
            known.ok_or_else(|| Error::internal("a mention that is not there"))?;
        if !self.may_tell_of(desk, &known)? {
            rows::touch(desk.tx, known.mention.id, desk.now)?;
            return Ok((Sighted { shown: known, is_new: false }, None));
        }
        let mut mention = again(&known.mention, new);
        mention.revision += u32::from(before.as_deref() != Some(&*digest));
        let changed = mention != (Mention { last_seen_at: desk.now, ..known.mention });
        mention.version += u32::from(changed);
        rows::see_again(desk.tx, &mention, &digest)?;
        let shown = self.shown(mention);
        let told =
            changed.then(|| mention::tell(desk, EventType::MentionUpdated, &shown, self.license));
        Ok((Sighted { shown, is_new: false }, told.transpose()?))
    }

    /// A mention belongs to who told of it first, and passes only to who proved the domain the
    /// address is on: nobody speaks for another's page.
    fn may_tell_of(&self, desk: &mut Desk<'_, '_>, known: &Shown) -> Result<bool> {
        let teller = known.mention.platform;
        if teller == self.platform.id {
            return Ok(true);
        }
        let url = &self.content.url;
        let theirs = platform::find_anywhere(desk.tx, teller)?.is_some_and(|it| it.owns(url));
        Ok(self.platform.owns(url) && !theirs)
    }

    fn shown(&self, mention: Mention) -> Shown {
        Shown {
            mention,
            platform_name: self.platform.name.as_str().to_owned(),
            license_title: self.license.title.as_str().to_owned(),
            talent_name: self.talent_name.to_owned(),
        }
    }

    fn mention(&self, desk: &Desk<'_, '_>, trace: &Trace, evidence: Evidence) -> Mention {
        let (verdict, reason) = evidence.judge();
        Mention {
            id: desk.ids.next(),
            license: self.license.id,
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
