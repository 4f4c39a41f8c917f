//! `/org/create/platform`, `/org/platforms`, `/platforms/{platformId}`, `/org/platform/{platformId}`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::patch::Patch;
use grantor_domain::platform::{
    DetectionFrequency, FeedUrls, PlatformDescription, PlatformDomain, PlatformName,
    PlatformSettings, PlatformStatus, PlatformType,
};
use grantor_domain::role::{self, Reach, Right};
use grantor_domain::{Error, Result};
use grantor_service::access::Caller;
use grantor_service::platform::{self, Changes, NewPlatform, PlatformQuery};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

pub(super) use self::body::PlatformBody;
use super::envelope::{Created, Fine, Gone, Listed};
use super::paging::Paging;
use super::{path_id, required};
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, Query, Segment, object};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

mod body;

/// The platform to be made.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlatformInput {
    /// 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::Platform)]
    name: Option<String>,
    /// The team that looks after it; who leads one team need not name it.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
    /// Social Media, News Media, E-Commerce, Video, Forum/Community, Website/Blog, Mobile App or
    /// Partner Site.
    #[schema(required, nullable = false, inline, value_type = value::PlatformTypeName)]
    r#type: Option<String>,
    /// A host name or an address, with a port where it needs one.
    #[schema(required, nullable = false, inline, value_type = value::Domain)]
    domain: Option<String>,
    /// At most 500 characters.
    #[schema(inline, value_type = Option<value::PlatformAbout>)]
    description: Option<String>,
    /// At most 20, on the domain or below it.
    #[schema(inline, value_type = Option<value::FeedList>)]
    feed_urls: Option<Vec<String>>,
    #[serde(default, deserialize_with = "object")]
    settings: Option<SettingsInput>,
}

/// What is to be changed; null clears what can be empty, what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlatformChanges {
    #[schema(inline, value_type = Option<value::Platform>)]
    name: Option<String>,
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
    #[schema(inline, value_type = Option<value::PlatformTypeName>)]
    r#type: Option<String>,
    /// Another domain must be proved anew.
    #[schema(inline, value_type = Option<value::Domain>)]
    domain: Option<String>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::PlatformAbout>)]
    description: Patch<String>,
    #[serde(default)]
    #[schema(inline, value_type = Option<value::FeedList>)]
    feed_urls: Patch<Vec<String>>,
    #[serde(default, deserialize_with = "object")]
    settings: Option<SettingsInput>,
}

/// How it wants to be scanned; what is left out stays, or is the default.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SettingsInput {
    /// true by default.
    crawling_enabled: Option<bool>,
    /// hourly, daily or weekly; daily by default.
    #[schema(inline, value_type = Option<value::FrequencyName>)]
    detection_frequency: Option<String>,
}

/// Which platforms.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Filters {
    /// `pending_verification` or verified.
    #[param(inline, value_type = Option<value::PlatformStatusName>)]
    status: Option<String>,
    /// The kind of platform.
    #[param(inline, value_type = Option<value::PlatformTypeName>)]
    r#type: Option<String>,
    /// Beginnings of words of the name or the domain.
    #[param(inline, value_type = Option<value::ShortSearch>)]
    search: Option<String>,
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
}

impl Filters {
    /// Reads all of them; each that does not fit is named.
    fn read(self) -> Result<PlatformQuery> {
        let mut fields = Fields::default();
        let Self { status, r#type, search, page, limit } = self;
        let status = status.and_then(|it| fields.take("status", it.parse::<PlatformStatus>()));
        let kind = r#type.and_then(|it| fields.take("type", it.parse::<PlatformType>()));
        if search.as_ref().is_some_and(|it| it.chars().count() > 100) {
            fields.add("search", "must be at most 100 characters");
        }
        let page = fields.take_all(Paging::of(page, limit).read());
        fields.finish()?;
        let page = page.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        Ok(PlatformQuery { status, kind, search, page })
    }
}

impl SettingsInput {
    fn frequency(&self, fields: &mut Fields) -> Option<DetectionFrequency> {
        let text = self.detection_frequency.as_deref()?;
        fields.take("settings.detectionFrequency", text.parse())
    }
}

impl PlatformInput {
    /// Reads all of it; each member that does not fit is named.
    fn read(self, caller: &Caller) -> Result<NewPlatform> {
        let mut fields = Fields::default();
        let reach = role::reach(caller.role, caller.tenant_type, Right::ManagePlatforms)?;
        if reach == Reach::Tenant && self.team_id.is_none() {
            fields.add("teamId", "is required");
        }
        let name = required(&mut fields, "name", self.name.as_deref());
        let kind = required(&mut fields, "type", self.r#type.as_deref());
        let domain = required(&mut fields, "domain", self.domain.as_deref());
        let name = fields.take("name", PlatformName::parse(name));
        let team = self.team_id.and_then(|it| fields.take("teamId", it.parse::<TeamId>()));
        let kind = fields.take("type", kind.parse::<PlatformType>());
        let domain = fields.take("domain", PlatformDomain::parse(domain));
        let description = self.description.map(|it| PlatformDescription::parse(&it));
        let description = description.and_then(|it| fields.take("description", it));
        let feeds = self.feed_urls.unwrap_or_default();
        // Without a domain nobody can say whether they are on it.
        let feeds = domain.as_ref().map(|it| FeedUrls::parse(&feeds, it));
        let feed_urls = feeds.and_then(|it| fields.take("feedUrls", it));
        let given = self.settings.unwrap_or_default();
        let frequency = given.frequency(&mut fields);
        fields.finish()?;
        let (Some(name), Some(kind), Some(domain)) = (name, kind, domain) else {
            return Err(Error::validation("Some fields are not valid"));
        };
        let default = PlatformSettings::default();
        let settings = PlatformSettings {
            crawling_enabled: given.crawling_enabled.unwrap_or(default.crawling_enabled),
            detection_frequency: frequency.unwrap_or(default.detection_frequency),
        };
        let feed_urls = feed_urls.unwrap_or_default();
        Ok(NewPlatform { name, team, kind, domain, description, feed_urls, settings })
    }
}

impl PlatformChanges {
    /// Reads all of it; each member that does not fit is named.
    fn read(self) -> Result<Changes> {
        let mut fields = Fields::default();
        let settings = self.settings.unwrap_or_default();
        let changes = Changes {
            name: self.name.and_then(|it| fields.take("name", PlatformName::parse(&it))),
            team: self.team_id.and_then(|it| fields.take("teamId", it.parse::<TeamId>())),
            kind: self.r#type.and_then(|it| fields.take("type", it.parse::<PlatformType>())),
            domain: self.domain.and_then(|it| fields.take("domain", PlatformDomain::parse(&it))),
            description: self
                .description
                .parse(|it| fields.take("description", PlatformDescription::parse(&it))),
            feed_urls: self.feed_urls,
            crawling_enabled: settings.crawling_enabled,
            detection_frequency: settings.frequency(&mut fields),
        };
        fields.finish()?;
        Ok(changes)
    }
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(asked): Json<PlatformInput>,
) -> Result<Created<PlatformBody>, Problem> {
    let new = asked.read(&caller)?;
    let made = platform::create(&state.app, &context, caller, new).await?;
    let body = PlatformBody::new(made, &state.app.service_name);
    Ok(Created(body, "The platform was made: prove its domain next"))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(filters): Query<Filters>,
) -> Result<Listed<PlatformBody>, Problem> {
    let found = platform::list(&state.app, &caller, filters.read()?).await?;
    let found = found.map(|it| PlatformBody::new(it, &state.app.service_name));
    Ok(Listed(found, "Your platforms"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Fine<PlatformBody>, Problem> {
    let id: PlatformId = path_id(&id, "platform")?;
    let found = platform::get(&state.app, &caller, id).await?;
    Ok(Fine(PlatformBody::new(found, &state.app.service_name), "The platform"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Json(asked): Json<PlatformChanges>,
) -> Result<Fine<PlatformBody>, Problem> {
    let id: PlatformId = path_id(&id, "platform")?;
    let changed = platform::change(&state.app, &context, caller, id, asked.read()?).await?;
    Ok(Fine(PlatformBody::new(changed, &state.app.service_name), "The platform was changed"))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<Gone, Problem> {
    let id: PlatformId = path_id(&id, "platform")?;
    platform::delete(&state.app, &context, caller, id).await?;
    Ok(Gone)
}
