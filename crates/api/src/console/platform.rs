//! `/org/create/platform`, `/org/platforms`, `/platforms/{platformId}`,
//! `/org/platform/{platformId}`, `/org/request/pod/{platformId}`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::patch::Patch;
use grantor_domain::platform::{
    DetectionFrequency, FeedUrls, PlatformDescription, PlatformDomain, PlatformName,
    PlatformSettings, PlatformStatus, PlatformType,
};
use grantor_domain::{Error, Result};
use grantor_service::watching::platform::{self, Changes, NewPlatform, PlatformQuery};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

pub(super) use self::body::PlatformBody;
use super::envelope::{Created, CreatedMessage, Data, NoContent, PageOf};
use super::paging::Paging;
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, Segment, object};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

mod body;

/// The platform to create.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlatformInput {
    /// The platform's name. 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::Platform)]
    name: Option<String>,
    /// The team that manages the platform. The lead of several teams must name one.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
    /// The platform's type.
    #[schema(required, nullable = false, inline, value_type = value::PlatformTypeName)]
    r#type: Option<String>,
    /// The platform's domain: a host name or IP address, optionally with a port.
    #[schema(required, nullable = false, inline, value_type = value::Domain)]
    domain: Option<String>,
    /// A description. At most 500 characters.
    #[schema(inline, value_type = Option<value::PlatformAbout>)]
    description: Option<String>,
    /// The feed URLs. At most 20, on the domain or a subdomain.
    #[schema(inline, value_type = Option<value::FeedList>)]
    feed_urls: Option<Vec<String>>,
    #[serde(default, deserialize_with = "object")]
    settings: Option<SettingsInput>,
}

/// The fields to change. Omitted fields keep their value; null clears optional fields.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlatformChanges {
    /// The platform's name.
    #[schema(inline, value_type = Option<value::Platform>)]
    name: Option<String>,
    /// The team that manages the platform.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
    /// The platform's type.
    #[schema(inline, value_type = Option<value::PlatformTypeName>)]
    r#type: Option<String>,
    /// The platform's domain. A new domain must be verified again.
    #[schema(inline, value_type = Option<value::Domain>)]
    domain: Option<String>,
    /// A description.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::PlatformAbout>)]
    description: Patch<String>,
    /// The feed URLs.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::FeedList>)]
    feed_urls: Patch<Vec<String>>,
    #[serde(default, deserialize_with = "object")]
    settings: Option<SettingsInput>,
}

/// Scan settings. Omitted fields keep their value or get the default.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SettingsInput {
    /// Whether the platform may be scanned. Defaults to true.
    crawling_enabled: Option<bool>,
    /// How often the platform is scanned: `hourly`, `daily` or `weekly`. Defaults to `daily`.
    #[schema(inline, value_type = Option<value::FrequencyName>)]
    detection_frequency: Option<String>,
}

/// The query parameters of the list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// Only return platforms with this status.
    #[param(inline, value_type = Option<value::PlatformStatusName>)]
    status: Option<String>,
    /// Only return platforms of this type.
    #[param(inline, value_type = Option<value::PlatformTypeName>)]
    r#type: Option<String>,
    /// Searches for words in the name and domain that start with these terms.
    #[param(inline, value_type = Option<value::ShortSearch>)]
    search: Option<String>,
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
}

impl ListParams {
    /// Parses the parameters. Reports all invalid ones.
    fn read(self) -> Result<PlatformQuery> {
        let mut fields = Fields::default();
        let Self { status, r#type, search, page, limit } = self;
        let status = status.and_then(|it| fields.take("status", it.parse::<PlatformStatus>()));
        let kind = r#type.and_then(|it| fields.take("type", it.parse::<PlatformType>()));
        if search.as_ref().is_some_and(|it| it.chars().count() > 100) {
            fields.add("search", "must be at most 100 characters");
        }
        let page = fields.take_all(Paging::new(page, limit).read());
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
    /// Parses the input. Reports all invalid fields.
    fn read(self) -> Result<NewPlatform> {
        let mut fields = Fields::default();
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
        // Feed URLs can be checked only against a valid domain.
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
    /// Parses the input. Reports all invalid fields.
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
    Json(input): Json<PlatformInput>,
) -> Result<Created<PlatformBody>, Problem> {
    let new = input.read()?;
    let made = platform::create(&state.app, &context, caller, new).await?;
    let body = PlatformBody::new(made, &state.app.service_name);
    Ok(Created(body, "Platform created. Verify its domain next."))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(params): Query<ListParams>,
) -> Result<PageOf<PlatformBody>, Problem> {
    let found = platform::list(&state.app, &caller, params.read()?).await?;
    let found = found.map(|it| PlatformBody::new(it, &state.app.service_name));
    Ok(PageOf(found, "Your platforms"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Data<PlatformBody>, Problem> {
    let id: PlatformId = path_id(&id, "platform")?;
    let found = platform::get(&state.app, &caller, id).await?;
    Ok(Data(PlatformBody::new(found, &state.app.service_name), "The platform"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Json(input): Json<PlatformChanges>,
) -> Result<Data<PlatformBody>, Problem> {
    let id: PlatformId = path_id(&id, "platform")?;
    let changed = platform::change(&state.app, &context, caller, id, input.read()?).await?;
    Ok(Data(PlatformBody::new(changed, &state.app.service_name), "Platform updated"))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    let id: PlatformId = path_id(&id, "platform")?;
    platform::delete(&state.app, &context, caller, id).await?;
    Ok(NoContent)
}

pub(super) async fn ask_scanner(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<CreatedMessage, Problem> {
    let id: PlatformId = path_id(&id, "platform")?;
    let is_new = platform::ask_scanner(&state.app, &context, caller, id).await?;
    let message = if is_new { "Pod requested" } else { "A pod had already been requested" };
    Ok(CreatedMessage(message))
}
