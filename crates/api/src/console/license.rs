//! `/org/licenses`, `/org/talent/license/{talentId}`, `/org/license/{licenseId}`.

use axum::extract::State;
use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::license::{
    AskedLicenses, LicenseChange, LicenseQuery, Names, NewLicense, members_of_form,
};
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Result, Timestamp};
use grantor_service::license::{self, Named, Reader, Seen};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::envelope::{Created, Fine, Gone, Headed, Listed, Plural};
use super::image::ConsoleImage;
use super::path_id;
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::form::{Form, JsonOrForm};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;
use crate::frame::surface::Surface;
use crate::license::{expected, plain_tag};

/// What can be asked of the list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Asked {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// draft, private, public or expired.
    #[param(inline, value_type = Option<value::LicenseStatusName>)]
    status: Option<String>,
    /// Words, prefixes such as `win*` and quoted phrases to look for in name, description, the names of
    /// the talent, the name of the owner and the external id.
    #[param(inline, value_type = Option<value::Search>)]
    search: Option<String>,
    /// Only licenses of this type.
    #[serde(rename = "type")]
    #[param(rename = "type", inline, value_type = Option<value::LicenseTypeName>)]
    kind: Option<String>,
    /// `created_at`, `updated_at` or title.
    #[param(inline, value_type = Option<value::LicenseSortName>, default = "created_at")]
    sort: Option<String>,
    /// asc or desc.
    #[param(inline, value_type = Option<value::OrderName>, default = "desc")]
    order: Option<String>,
}

/// What is to be changed of a license.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Members(Map<String, Value>);

/// What a license can be changed to. Others are ignored and named in `X-Ignored-Fields`.
#[derive(ToSchema)]
#[schema(as = LicenseChanges, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used: the domain reads the members")]
struct LicenseInput {
    /// 1 to 200 characters.
    #[schema(required = false, inline, value_type = value::LicenseTitle)]
    name: String,
    /// The license type.
    #[schema(required = false, rename = "type", inline, value_type = value::LicenseTypeName)]
    kind: String,
    #[schema(inline, value_type = Option<value::LicenseDescription>)]
    description: Option<String>,
    #[schema(inline, value_type = Option<value::ExternalId>)]
    external_id: Option<String>,
    /// A number or a decimal text of at most two places.
    #[schema(required = false, inline, value_type = value::AmountOrNumber)]
    appearance_fee: Option<Value>,
    #[schema(value_type = Option<value::Currency>)]
    currency: Option<String>,
    #[schema(inline, value_type = Option<value::FeePerName>)]
    fee_per: Option<String>,
    #[schema(required = false, inline, value_type = value::UseList)]
    uses: Vec<String>,
    #[schema(required = false, inline, value_type = value::TerritoryList)]
    territories: Vec<String>,
    #[schema(inline, value_type = Option<value::Terms>)]
    terms: Option<Value>,
    #[schema(inline, value_type = Option<value::Instant>)]
    valid_from: Option<String>,
    #[schema(inline, value_type = Option<value::Instant>)]
    expires_at: Option<String>,
    #[schema(required = false)]
    can_crawl: bool,
    #[schema(required = false, inline, value_type = value::LicenseStatusName)]
    status: String,
}

impl PartialSchema for Members {
    fn schema() -> RefOr<Schema> {
        LicenseInput::schema()
    }
}

impl ToSchema for Members {
    fn name() -> std::borrow::Cow<'static, str> {
        LicenseInput::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        LicenseInput::schemas(schemas);
    }
}

/// A license to be made.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct NewMembers(Map<String, Value>);

impl PartialSchema for NewMembers {
    fn schema() -> RefOr<Schema> {
        let mut schema = LicenseInput::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.description = Some("What a license is made of.".to_owned());
            object.required.extend(["name".to_owned(), "type".to_owned()]);
            object.properties.insert("status".to_owned(), value::FirstStatusName::schema());
        }
        schema
    }
}

impl ToSchema for NewMembers {
    fn name() -> std::borrow::Cow<'static, str> {
        "NewLicense".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        LicenseInput::schemas(schemas);
    }
}

/// A license.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConsoleLicense {
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    name: String,
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::LicenseTypeName)]
    kind: &'static str,
    description: String,
    external_id: Option<String>,
    #[schema(inline, value_type = Option<value::Amount>)]
    appearance_fee: Option<String>,
    #[schema(value_type = Option<value::Currency>)]
    currency: Option<String>,
    #[schema(inline, value_type = Option<value::FeePerName>)]
    fee_per: Option<&'static str>,
    #[schema(inline, value_type = Vec<value::UseName>)]
    uses: Vec<&'static str>,
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    #[schema(value_type = Object)]
    terms: Map<String, Value>,
    #[schema(value_type = Option<String>, format = DateTime)]
    valid_from: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    can_crawl: bool,
    #[schema(inline, value_type = value::LicenseStatusName)]
    status: &'static str,
    /// What the organization is to it.
    #[schema(inline, value_type = value::PermissionRoleName)]
    permission: &'static str,
    talent: LicensedTalent,
    image_count: u32,
    version: u32,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// When it was made with some.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    images: Option<Vec<ConsoleImage>>,
}

/// Whose likeness it is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LicensedTalent {
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    fullname: String,
}

impl Plural for ConsoleLicense {
    const PLURAL: &'static str = "licenses";
}

impl From<Seen> for ConsoleLicense {
    fn from(Seen { shown, role, status }: Seen) -> Self {
        let license = shown.license;
        Self {
            license_id: license.id.to_string(),
            name: license.title.as_str().to_owned(),
            kind: license.license_type.key(),
            description: license.description.as_str().to_owned(),
            external_id: license.external_id.map(|it| it.as_str().to_owned()),
            appearance_fee: license.fee.map(|it| it.amount.to_string()),
            currency: license.fee.map(|it| it.currency.to_string()),
            fee_per: license.fee.map(|it| it.per.name()),
            uses: license.uses.as_slice().iter().map(|it| it.key()).collect(),
            territories: license.territories.as_slice().iter().map(ToString::to_string).collect(),
            terms: license.terms.as_map().clone(),
            valid_from: license.valid_from,
            expires_at: license.expires_at,
            can_crawl: license.can_crawl,
            status: status.name(),
            permission: role.name(),
            talent: LicensedTalent {
                talent_id: license.talent.to_string(),
                fullname: shown.talent_name,
            },
            image_count: license.image_count,
            version: license.version,
            created_at: license.created_at,
            updated_at: license.updated_at,
            images: None,
        }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(asked): Query<Asked>,
) -> Result<Listed<ConsoleLicense>, Problem> {
    let asked = AskedLicenses {
        page: asked.page.as_deref(),
        size: asked.limit.as_deref(),
        status: asked.status.as_deref(),
        search: asked.search.as_deref(),
        search_names: true,
        q: None,
        license_type: asked.kind.as_deref(),
        sort: asked.sort.as_deref(),
        order: asked.order.as_deref(),
        include_image_urls: None,
    };
    let query = LicenseQuery::parse(&asked, Names::CONSOLE, Surface::Console.page_rules())?;
    let found = license::show(&state.app, Reader::Owner(caller.tenant), query).await?;
    Ok(Listed(found.map(ConsoleLicense::from), "Your licenses"))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(talent): Segment,
    body: JsonOrForm<NewMembers>,
) -> Result<Headed<Created<ConsoleLicense>>, Problem> {
    let talent: TalentId = path_id(&talent, "talent")?;
    let (members, files) = match body {
        JsonOrForm::Json(NewMembers(members)) => (members, vec![]),
        JsonOrForm::Form(Form { texts, images }) => {
            let texts = texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
            (members_of_form(texts, Names::CONSOLE), images)
        }
    };
    let new = NewLicense::parse(&members, Names::CONSOLE, state.app.clock.now())?;
    let ignored = new.ignored.clone();
    let made = license::create(&state.app, &context, caller, talent, new, files).await?;
    let license::Created { shown, images } = made;
    let status = shown.license.status;
    let seen = Seen { shown, role: PermissionRole::Licensor, status };
    // Addresses of images differ each time: an answer with some has no tag.
    let tag = plain_tag(&seen).filter(|_| images.is_empty());
    let mut body = ConsoleLicense::from(seen);
    if !images.is_empty() {
        body.images = Some(ConsoleImage::all(&state.app, images).await?);
    }
    Ok(Headed::new(Created(body, "The license was made")).tagged(tag).ignoring(&ignored))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    headers: HeaderMap,
    Segment(id): Segment,
    Json(Members(members)): Json<Members>,
) -> Result<Headed<Fine<ConsoleLicense>>, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let asked = LicenseChange::parse(&members, Names::CONSOLE)?;
    let (reader, within) = (caller.reader(), Some(caller.tenant));
    let (named, expected) = (Named::Id(id), expected(&headers));
    let changed =
        license::change(&state.app, &context, reader, named, within, expected, asked).await?;
    let tag = plain_tag(&changed.seen);
    let answer = Fine(changed.seen.into(), "The license was changed");
    Ok(Headed::new(answer).tagged(tag).ignoring(&changed.ignored))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    headers: HeaderMap,
    Segment(id): Segment,
) -> Result<Gone, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let (reader, tenant, expected) = (caller.reader(), caller.tenant, expected(&headers));
    license::delete(&state.app, &context, reader, tenant, id, expected).await?;
    Ok(Gone)
}
