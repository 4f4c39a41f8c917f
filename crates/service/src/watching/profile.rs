//! Profiles on hosted services that a tenant claims (contract-2 section 24). A profile is proved by
//! a code in its description; then the tenant counts as the publisher of what is posted there.

use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::id::{ProfileId, TenantId};
use grantor_domain::limit::LimitName;
use grantor_domain::platform::ProofToken;
use grantor_domain::role::Right;
use grantor_domain::source::address::interpret;
use grantor_domain::source::{HostedService, MAX_PROFILES, Profile};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_outbound::Purpose;
use grantor_outbound::header::HeaderMap;
use grantor_storage::profile::{self, PROFILE_IS_CLAIMED, PROFILE_IS_PROVED};
use grantor_storage::tenant;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use url::Url;

use super::platform::page::meta_contents;
use super::scan::fetcher::{FetchError, Fetcher};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::operations::limit::Subject;
use crate::organizations::rights;
use crate::undo::{Reverse, changed_since, stored};
use crate::{App, Context};

/// How long reading a profile may take: somebody waits for the answer.
const READ_TIME: Duration = Duration::from_secs(25);

/// Lists a tenant's profiles, by address.
pub async fn list(app: &App, tenant: TenantId) -> Result<Vec<Profile>> {
    app.store.read(move |tx| Ok(profile::list(tx, tenant)?)).await
}

/// Claims a profile by its address. The answer has the code that proves it.
pub async fn claim(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    url: &str,
) -> Result<Profile> {
    let address = interpret(url).map_err(|error| Error::field("url", error))?;
    let (Some(service), Some(url)) = (address.service, address.profile) else {
        let message = "must be the address of a profile on a service such as Mastodon or Bluesky";
        return Err(Error::field("url", message));
    };
    app.act(context, Claim { caller, service, url }).await
}

/// Looks for the code in the profile's description. A proved profile stays proved.
pub async fn verify(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: ProfileId,
) -> Result<Profile> {
    let subject = Subject::id(caller.user.as_uuid());
    context.rate_limit.record(app.limiter.hit(LimitName::Verification, &subject).await?);
    let actor = context.actor.clone();
    let claimed = app
        .store
        .read(move |tx| {
            rights::limited_to(tx, &actor, Right::ManageProfiles)?;
            profile::find(tx, caller.tenant, id)?.ok_or_else(not_found)
        })
        .await?;
    if claimed.proved_at.is_some() {
        return Ok(claimed);
    }
    let missing = match descriptions(app, &claimed).await? {
        Ok(texts) if texts.iter().any(|it| it.contains(claimed.code.as_str())) => None,
        Ok(_) => Some("the description does not contain the code".to_owned()),
        Err(reason) => Some(reason),
    };
    if let Some(missing) = missing {
        return Err(Error::conflict(format!("The profile could not be verified: {missing}")));
    }
    app.act(context, Prove { caller, id }).await
}

/// Gives up a profile.
pub async fn delete(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: ProfileId,
) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

/// The descriptions that the profile's page and feed show, or why none could be read.
async fn descriptions(app: &App, profile: &Profile) -> Result<Result<Vec<String>, String>> {
    let mut fetcher = Fetcher::new(app.clone(), app.ids.next(), app.looks.pace());
    let read = timeout(READ_TIME, read_all(&mut fetcher, profile)).await;
    fetcher.release_host().await?;
    read.unwrap_or_else(|_| Ok(Err("it could not be read in time".to_owned())))
}

async fn read_all(fetcher: &mut Fetcher, profile: &Profile) -> Result<Result<Vec<String>, String>> {
    let feed = interpret(&profile.url).ok().filter(|it| !it.forbidden_by_robots);
    let feed = feed.and_then(|it| it.fetch.into_iter().next());
    let (mut texts, mut reason) = (None, None);
    for url in Url::parse(&profile.url).into_iter().chain(feed) {
        match fetcher.read(Purpose::Feed, &url, HeaderMap::new()).await {
            Ok(answer) => {
                let found = tokio::task::spawn_blocking(move || described(&answer.body)).await;
                texts.get_or_insert_with(Vec::new).extend(found.unwrap_or_default());
            }
            Err(FetchError::Permanent(why) | FetchError::Temporary(why)) => reason = Some(why),
            Err(FetchError::Internal(error)) => return Err(error),
        }
    }
    Ok(texts.ok_or_else(|| reason.unwrap_or_else(|| "it has no page".to_owned())))
}

/// The description of a feed, or in the head of a page. Text in the body does not count: others may
/// have written it.
fn described(body: &[u8]) -> Vec<String> {
    if let Ok(feed) = feed_rs::parser::parse(body) {
        return feed.description.map(|it| it.content).into_iter().collect();
    }
    let contents = meta_contents(body, "description").into_iter();
    contents.map(|it| String::from_utf8_lossy(&it).into_owned()).collect()
}

fn not_found() -> Error {
    Error::not_found("Profile")
}

fn resource(profile: &Profile) -> Resource {
    let name = Some(profile.url.clone());
    Resource { kind: "profile", id: Some(profile.id.to_string()), name }
}

struct Claim {
    caller: TenantCaller,
    service: HostedService,
    url: String,
}

impl Act for Claim {
    type Permit = ();
    type Output = Profile;
    const ACTION: &'static str = "profile.claim";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        rights::require(unit, Right::ManageProfiles)?;
        // Locked, so that concurrent requests cannot exceed the maximum.
        tenant::claim(unit.tx, self.caller.tenant)?;
        if profile::count(unit.tx, self.caller.tenant)? >= MAX_PROFILES {
            let message = format!("You can claim at most {MAX_PROFILES} profiles");
            return Err(Error::conflict(message));
        }
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Profile>> {
        let claimed = Profile {
            id: unit.ids.next(),
            tenant: self.caller.tenant,
            service: self.service,
            url: self.url.clone(),
            code: ProofToken::generate(&*unit.app.entropy),
            proved_at: None,
            created_at: unit.now,
        };
        profile::insert(unit.tx, &claimed).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if name == PROFILE_IS_CLAIMED => {
                Error::new(ErrorKind::Exists, "You already claim this profile").at("url")
            }
            other => other.into(),
        })?;
        let resource = resource(&claimed);
        Ok(Done::new(claimed, resource, "A profile was claimed"))
    }
}

struct Prove {
    caller: TenantCaller,
    id: ProfileId,
}

impl Act for Prove {
    type Permit = Profile;
    type Output = Profile;
    const ACTION: &'static str = "profile.verify";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Profile> {
        rights::require(unit, Right::ManageProfiles)?;
        profile::claim(unit.tx, self.caller.tenant, self.id)?.ok_or_else(not_found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut claimed: Profile,
    ) -> Result<Done<Profile>> {
        claimed.proved_at = claimed.proved_at.or(Some(unit.now));
        profile::prove(unit.tx, claimed.id, unit.now).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if name == PROFILE_IS_PROVED => {
                Error::conflict("Another organization has verified this profile")
            }
            other => other.into(),
        })?;
        let resource = resource(&claimed);
        Ok(Done::new(claimed, resource, "A profile was verified"))
    }
}

struct Delete {
    caller: TenantCaller,
    id: ProfileId,
}

impl Act for Delete {
    type Permit = Profile;
    type Output = ();
    const ACTION: &'static str = "profile.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Profile> {
        rights::require(unit, Right::ManageProfiles)?;
        profile::claim(unit.tx, self.caller.tenant, self.id)?.ok_or_else(not_found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, claimed: Profile) -> Result<Done<()>> {
        profile::delete(unit.tx, claimed.id)?;
        let done = Done::new((), resource(&claimed), "A profile was deleted");
        let reverse = ProfileReverse {
            id: claimed.id,
            service: claimed.service.name().to_owned(),
            url: claimed.url,
            code: claimed.code.as_str().to_owned(),
            proved_at: claimed.proved_at,
            created_at: claimed.created_at,
        };
        Ok(done.undone_by(Reverse::Profile(reverse)))
    }
}

/// What takes back that a profile was given up. It stays proved.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct ProfileReverse {
    id: ProfileId,
    service: String,
    url: String,
    code: String,
    proved_at: Option<Timestamp>,
    created_at: Timestamp,
}

impl ProfileReverse {
    /// Takes it back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: TenantCaller,
    ) -> Result<Done<()>> {
        let service = stored(self.service.parse::<HostedService>())?;
        Claim { caller, service, url: self.url.clone() }.authorize(unit)?;
        let invalid = || Error::internal("a stored undo is invalid: the code of a profile");
        let profile = Profile {
            id: self.id,
            tenant: caller.tenant,
            service,
            url: self.url,
            code: ProofToken::parse(&self.code).ok_or_else(invalid)?,
            proved_at: self.proved_at,
            created_at: self.created_at,
        };
        profile::insert(unit.tx, &profile).map_err(|error| match error {
            grantor_storage::Error::Unique(_) => changed_since(),
            other => other.into(),
        })?;
        Ok(Done::new((), resource(&profile), "A deleted profile was restored"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_description_counts() {
        let page = b"<head><meta name=description content='Ada. c0de'></head><body>c1de</body>";
        assert_eq!(described(page), ["Ada. c0de"]);
        let feed = b"<rss version='2.0'><channel><title>t</title><link>https://a.example</link>\
                     <description>Ada. c0de</description><item><title>c1de</title></item>\
                     </channel></rss>";
        assert_eq!(described(feed), ["Ada. c0de"]);
        assert!(described(b"<p>c1de").is_empty());
    }
}
