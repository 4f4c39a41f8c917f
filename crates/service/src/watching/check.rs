//! Checks: one look at a picture, an address or a text (contract-2 section 24). A check matches
//! only licenses that the caller can see, and public ones. Nothing of it is kept but a log entry
//! without the content.

mod fetch;
mod grant;
mod visible;

use std::collections::HashMap;
use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::check::{CheckInput, CheckKind, CheckMethod};
use grantor_domain::id::{GrantId, ImageId, LicenseId, TalentId};
use grantor_domain::likeness::{Placement, Region};
use grantor_domain::mention::{MatchKind, Recognition};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::Tx;
pub use grantor_storage::check::VisibleLicense;
use serde_json::json;
use tokio::time::timeout;

use self::fetch::Material;
pub use self::fetch::{FETCH_LIMIT, Skipped};
use self::visible::visible_matches;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::licensing::decision::Decided;
use crate::watching::likeness::{self, Likeness};
use crate::watching::sighting::{self, Candidate};
use crate::{App, Context};

/// When to try again after a check that took too long.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// How many names in each text and images near each picture are looked up, the surest first. Only
/// then is it known which of them the caller can see.
const MAX_CONSIDERED: usize = 20_000;
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
    /// Whether the match is strong.
    pub strong: bool,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
    /// The number of bits in which the hashes of two pictures differ, if it was recognized by them.
    pub distance: Option<u32>,
    /// The part of the picture that was recognized; `None` for the whole picture.
    pub region: Option<Region>,
    /// Where the picture shows the image, if it was recognized by local features.
    pub placement: Option<Placement>,
    /// Whether the caller may use the likeness now.
    pub decided: Decided,
    /// The grant that the first reason of the decision is about, which the caller may open.
    pub grant: Option<GrantId>,
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
    let (own, limit) = (app.clone(), app.recognition_limits.check);
    let matches = in_time(limit, async move { find(&own, caller, material).await }).await?;
    app.act(context, RecordCheck { kind, matches: matches.len() }).await?;
    Ok(Checked { matches, skipped })
}

/// Waits for work that continues if it takes too long: the first search loads the indexes for all
/// others.
async fn in_time<T: Send + 'static>(
    limit: Duration,
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    match timeout(limit, tokio::spawn(work)).await {
        Ok(Ok(done)) => done,
        Ok(Err(error)) => Err(Error::internal(error.to_string())),
        Err(_) => {
            let kind = ErrorKind::Unavailable { retry_after: RETRY_AFTER };
            Err(Error::new(kind, "The check took too long. Try again in a few seconds."))
        }
    }
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
        if known.is_none_or(|known| near.by_sureness(known).is_lt()) {
            self.images.insert(near.license, near);
        }
    }

    /// The names, most confident first.
    fn surest_people(&self) -> Vec<(TalentId, Recognition)> {
        let people = self.people.iter();
        let mut people: Vec<_> = people.map(|(talent, it)| (*talent, it.clone())).collect();
        people.sort_by(|(a, one), (b, other)| {
            other.found.confidence.total_cmp(&one.found.confidence).then(a.cmp(b))
        });
        people
    }

    /// The images, surest first.
    fn surest_images(&self) -> Vec<Likeness> {
        let mut images: Vec<_> = self.images.values().cloned().collect();
        images.sort_by(Likeness::by_sureness);
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
        let seen = likeness::see_within(app, bytes, app.recognition_limits.turn).await;
        let seen = seen.map_err(|error| about_picture("image", error))?;
        pictures.push(seen.ok_or_else(|| Error::field("image", PLAIN))?);
    }
    let mut found = Found::default();
    if !contents.is_empty() {
        let candidates = contents.into_iter();
        let candidates =
            candidates.map(|content| Candidate { content, pictures: vec![], capture: None });
        let candidates = candidates.collect();
        for recognized in sighting::recognize_up_to(app, candidates, MAX_CONSIDERED).await? {
            recognized.people.into_iter().for_each(|(talent, it)| found.add_name(talent, it));
        }
    }
    for seen in &pictures {
        let near = likeness::find_up_to(app, seen, MAX_CONSIDERED).await?;
        for near in near {
            found.add_image(near);
        }
    }
    let (people, images, now) = (found.surest_people(), found.surest_images(), app.clock.now());
    let read = move |tx: &mut Tx<'_>| {
        let mut matches = visible_matches(tx, caller, &people, &images, now)?;
        grant::name(tx, caller, &mut matches)?;
        Ok::<_, Error>(matches)
    };
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

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn nobody_waits_longer_than_the_limit() {
        assert_eq!(in_time(Duration::from_mins(1), ready(Ok(7))).await, Ok(7));
        let error = in_time::<()>(Duration::ZERO, pending()).await.unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Unavailable { retry_after: RETRY_AFTER });
        assert_eq!(error.message(), "The check took too long. Try again in a few seconds.");
    }
}
