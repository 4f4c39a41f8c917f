//! Checks: one look at a picture, an address or a text (contract-2 section 24). A check matches
//! only licenses that the caller can see, and public ones. Nothing of it is kept but a log entry
//! without the content.

mod fetch;

use std::collections::HashMap;
use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::check::{CheckInput, CheckKind, CheckMethod};
use grantor_domain::id::{ImageId, LicenseId, TalentId, TenantId};
use grantor_domain::likeness::{Region, confidence};
use grantor_domain::mention::{MatchKind, Recognition};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
pub use grantor_storage::check::VisibleLicense;
use grantor_storage::decision::{self, Asker};
use grantor_storage::license::reader::Reader;
use grantor_storage::{Tx, check};
use serde_json::json;
use tokio::time::timeout;
use uuid::Uuid;

use self::fetch::Material;
pub use self::fetch::{FETCH_LIMIT, Skipped};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::licensing::decision::{Decided, decide_in_favor};
use crate::watching::likeness::{self, Likeness};
use crate::watching::sighting::{self, Candidate, MAX_SIGHTINGS};
use crate::{App, Context};

/// How long a check may take, without fetching.
pub const TIME_LIMIT: Duration = Duration::from_secs(2);
/// When to try again after a check that took too long.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// The newest licenses that are considered for each talent that a text names.
const LICENSES: usize = 5;
/// Why a picture cannot be compared.
const PLAIN: &str = "has too little detail to be compared";

/// The result of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The matches, most confident first.
    pub matches: Vec<CheckMatch>,
    /// Pictures of the page that could not be checked.
    pub skipped: Vec<Skipped>,
}

/// A license whose talent was recognized.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckMatch {
    /// The license with its talent.
    pub license: VisibleLicense,
    /// What was recognized.
    pub kind: MatchKind,
    /// How it was recognized.
    pub method: CheckMethod,
    /// The name that was found.
    pub term: Option<String>,
    /// The reference image that was found.
    pub image: Option<ImageId>,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The number of bits in which the hashes of two pictures differ.
    pub distance: Option<u32>,
    /// The part of the picture that was recognized; `None` for the whole picture.
    pub region: Option<Region>,
    /// Whether the caller may use the likeness now.
    pub decided: Decided,
}

/// Checks something for a caller, or for somebody who is not signed in.
pub async fn check(
    app: &App,
    context: &Context,
    caller: Option<TenantCaller>,
    input: CheckInput,
) -> Result<Checked> {
    let kind = input.kind();
    let (material, skipped) = fetch::gather(app, input).await?;
    let own = app.clone();
    // Continues if it takes too long: the first search loads the indexes for all others.
    let work = tokio::spawn(async move { find(&own, caller, material).await });
    let matches = match timeout(TIME_LIMIT, work).await {
        Ok(Ok(matches)) => matches?,
        Ok(Err(error)) => return Err(Error::internal(error.to_string())),
        Err(_) => return Err(took_too_long()),
    };
    app.act(context, RecordCheck { kind, matches: matches.len() }).await?;
    Ok(Checked { matches, skipped })
}

fn took_too_long() -> Error {
    let kind = ErrorKind::Unavailable { retry_after: RETRY_AFTER };
    Error::new(kind, "The check took longer than 2 seconds. Try again in a few seconds.")
}

/// The talents that were named, and the licenses whose reference images were found.
#[derive(Default)]
struct Found {
    people: HashMap<TalentId, Recognition>,
    images: HashMap<LicenseId, Likeness>,
}

impl Found {
    fn add_name(&mut self, talent: TalentId, recognition: Recognition) {
        if self.people.get(&talent).is_none_or(|known| recognition.is_better_than(known)) {
            self.people.insert(talent, recognition);
        }
    }

    fn add_image(&mut self, near: Likeness) {
        let known = self.images.get(&near.license);
        if known.is_none_or(|known| near.distance < known.distance) {
            self.images.insert(near.license, near);
        }
    }

    /// The most confident names, so that the number of statements is bounded.
    fn surest_people(&self) -> Vec<(TalentId, Recognition)> {
        let people = self.people.iter();
        let mut people: Vec<_> = people.map(|(talent, it)| (*talent, it.clone())).collect();
        people.sort_by(|(a, one), (b, other)| {
            other.found.confidence.total_cmp(&one.found.confidence).then(a.cmp(b))
        });
        people.truncate(MAX_SIGHTINGS);
        people
    }

    /// The nearest images, likewise.
    fn nearest_images(&self) -> Vec<Likeness> {
        let mut images: Vec<_> = self.images.values().copied().collect();
        images.sort_by_key(|it| (it.distance, it.license));
        images.truncate(MAX_SIGHTINGS);
        images
    }
}

async fn find(
    app: &App,
    caller: Option<TenantCaller>,
    material: Material,
) -> Result<Vec<CheckMatch>> {
    let Material { contents, mut pictures, upload } = material;
    if let Some(bytes) = upload {
        let seen = likeness::hash_of(app, bytes).await;
        let seen = seen.map_err(|error| about_picture("image", error))?;
        pictures.push(seen.ok_or_else(|| Error::field("image", PLAIN))?);
    }
    let mut found = Found::default();
    if !contents.is_empty() {
        let candidates = contents.into_iter();
        let candidates =
            candidates.map(|content| Candidate { content, pictures: vec![], capture: None });
        for recognized in sighting::recognize(app, candidates.collect()).await? {
            recognized.people.into_iter().for_each(|(talent, it)| found.add_name(talent, it));
        }
    }
    for seen in &pictures {
        likeness::find(app, seen).await?.into_iter().for_each(|near| found.add_image(near));
    }
    let (people, images, now) = (found.surest_people(), found.nearest_images(), app.clock.now());
    let read = move |tx: &mut Tx<'_>| visible_matches(tx, caller, &people, &images, now);
    let mut matches = app.store.read(read).await?;
    matches.sort_by(|one, other| {
        let names = || one.license.talent_name.cmp(&other.license.talent_name);
        let ids = || one.license.id.cmp(&other.license.id);
        other.confidence.total_cmp(&one.confidence).then_with(names).then_with(ids)
    });
    Ok(matches)
}

/// The error of a picture, under the name of the member it came from.
fn about_picture(field: &'static str, error: Error) -> Error {
    if !error.is_refusal() {
        return error;
    }
    let message = error.fields().values().next().cloned();
    Error::field(field, message.unwrap_or_else(|| error.message().to_owned()))
}

/// Keeps what the caller may know, and decides about it.
fn visible_matches(
    tx: &mut Tx<'_>,
    caller: Option<TenantCaller>,
    people: &[(TalentId, Recognition)],
    images: &[Likeness],
    now: Timestamp,
) -> Result<Vec<CheckMatch>> {
    let reader = caller.map_or(Reader::Everybody, TenantCaller::reader);
    let of_talents = newest_licenses(tx, caller, reader, people)?;
    let mut ids: Vec<LicenseId> = images.iter().map(|it| it.license).collect();
    ids.extend(of_talents.values().flatten());
    ids.sort_unstable();
    ids.dedup();
    let visible = check::visible(tx, reader, &ids, now)?;
    let ids: Vec<LicenseId> = visible.iter().map(|it| it.id).collect();
    let decided = decide_in_favor(tx, caller, &ids, now)?;
    let known: Known = ids.into_iter().zip(visible.into_iter().zip(decided)).collect();
    let seen = images.iter().filter_map(|it| Some(by_image(it, known.get(&it.license)?)));
    let named = people
        .iter()
        .filter_map(|(talent, it)| Some(by_name(it, best(of_talents.get(talent)?, &known)?)));
    Ok(seen.chain(named).collect())
}

/// The newest licenses of the talents that the caller can see, newest first.
fn newest_licenses(
    tx: &mut Tx<'_>,
    caller: Option<TenantCaller>,
    reader: Reader,
    people: &[(TalentId, Recognition)],
) -> Result<HashMap<TalentId, Vec<LicenseId>>> {
    let tenant = caller.map_or(TenantId::from(Uuid::nil()), |it| it.tenant);
    let asker = Asker { tenant, readers: reader.ids() };
    let talents: Vec<TalentId> = people.iter().map(|(talent, _)| *talent).collect();
    let mut of_talents: HashMap<TalentId, Vec<LicenseId>> = HashMap::new();
    for license in decision::newest_licenses(tx, asker, &talents)? {
        of_talents.entry(license.talent).or_default().push(license.id);
    }
    for ids in of_talents.values_mut() {
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids.truncate(LICENSES);
    }
    Ok(of_talents)
}

/// The licenses that the caller can see, each with its decision.
type Known = HashMap<LicenseId, (VisibleLicense, Decided)>;

/// The license with the best decision, the newest of several.
fn best<'a>(newest_first: &[LicenseId], known: &'a Known) -> Option<&'a (VisibleLicense, Decided)> {
    let known = newest_first.iter().rev().filter_map(|id| known.get(id));
    known.max_by_key(|(_, decided)| decided.decision)
}

fn by_image(near: &Likeness, (license, decided): &(VisibleLicense, Decided)) -> CheckMatch {
    CheckMatch {
        license: license.clone(),
        kind: MatchKind::Image,
        method: CheckMethod::PerceptualHash,
        term: None,
        image: Some(near.image),
        confidence: confidence(near.distance),
        distance: Some(near.distance),
        region: near.region,
        decided: decided.clone(),
    }
}

fn by_name(
    Recognition { found, strong, .. }: &Recognition,
    (license, decided): &(VisibleLicense, Decided),
) -> CheckMatch {
    CheckMatch {
        license: license.clone(),
        kind: MatchKind::Name,
        method: CheckMethod::of(MatchKind::Name, *strong),
        term: Some(found.term.clone()),
        image: None,
        confidence: found.confidence,
        distance: None,
        region: None,
        decided: decided.clone(),
    }
}

/// Writes the log entry of a check, which never has its content.
struct RecordCheck {
    kind: CheckKind,
    matches: usize,
}

impl Act for RecordCheck {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "check.create";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, _: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let resource = Resource { kind: "check", id: None, name: None };
        let mut done = Done::new((), resource, "A check was made");
        done.details = json!({ "kind": self.kind.name(), "matches": self.matches });
        Ok(done)
    }
}
