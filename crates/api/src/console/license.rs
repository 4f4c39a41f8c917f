//! `/org/licenses`, `/org/talent/license/{talentId}`, `/org/license/{licenseId}`.

use axum::extract::State;
use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::license::{
    FieldNames, LicenseChange, LicenseParams, LicenseQuery, NewLicense, members_of_form,
};
use grantor_domain::permission::PermissionRole;
use grantor_domain::{Result, Timestamp};
use grantor_service::licensing::license::{self, LicenseRef, LicenseView, Reader};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::envelope::{Created, Data, NoContent, PageOf, Plural, WithHeaders};
use super::image::{ConsoleImage, ImageHint};
use super::path_id;
use crate::frame::api::Api;
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::form::{Form, JsonOrForm};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;
use crate::license::{expected, plain_tag};

/// The query parameters of the list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// Only return licenses with this status.
    #[param(inline, value_type = Option<value::LicenseStatusName>)]
    status: Option<String>,
    /// Searches name, description, the talent's names, the owner's name and the external ID.
    /// Supports words, prefixes such as `win*` and quoted phrases.
    #[param(inline, value_type = Option<value::Search>)]
    search: Option<String>,
    /// Only return licenses of this type.
    #[serde(rename = "type")]
    #[param(rename = "type", inline, value_type = Option<value::LicenseTypeName>)]
    kind: Option<String>,
    /// The field to sort by.
    #[param(inline, value_type = Option<value::LicenseSortName>, default = "created_at")]
    sort: Option<String>,
    /// The sort order.
    #[param(inline, value_type = Option<value::OrderName>, default = "desc")]
    order: Option<String>,
}

/// The fields to change, unparsed. The domain parses them.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct LicenseFields(Map<String, Value>);

/// The fields to change. Other fields are ignored and listed in the `X-Ignored-Fields` header.
#[derive(ToSchema)]
#[schema(as = LicenseChanges, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used: the domain parses the fields")]
struct LicenseInput {
    /// The license's name. 1 to 200 characters.
    #[schema(required = false, inline, value_type = value::LicenseTitle)]
    name: String,
    /// The license's type.
    #[schema(required = false, rename = "type", inline, value_type = value::LicenseTypeName)]
    kind: String,
    /// The license's description.
    #[schema(inline, value_type = Option<value::LicenseDescription>)]
    description: Option<String>,
    /// Your own identifier for the license.
    #[schema(inline, value_type = Option<value::ExternalId>)]
    external_id: Option<String>,
    /// The fee, as a number or a decimal string with at most two decimal places.
    #[schema(inline, value_type = Option<value::AmountOrNumber>)]
    appearance_fee: Option<Value>,
    #[schema(value_type = Option<value::Currency>)]
    currency: Option<String>,
    /// The unit that the fee applies to.
    #[schema(inline, value_type = Option<value::FeePerName>)]
    fee_per: Option<String>,
    /// The licensed uses.
    #[schema(required = false, inline, value_type = value::UseList)]
    uses: Vec<String>,
    /// The territories of the license.
    #[schema(required = false, inline, value_type = value::TerritoryList)]
    territories: Vec<String>,
    /// Additional terms, as any JSON object of at most 16 KiB.
    #[schema(inline, value_type = Option<value::Terms>)]
    terms: Option<Value>,
    /// When the license starts.
    #[schema(inline, value_type = Option<value::Instant>)]
    valid_from: Option<String>,
    /// When the license expires.
    #[schema(inline, value_type = Option<value::Instant>)]
    expires_at: Option<String>,
    /// Whether platforms are scanned for mentions of the license.
    #[schema(required = false)]
    can_crawl: bool,
    /// The license's status.
    #[schema(required = false, inline, value_type = value::LicenseStatusName)]
    status: String,
}

impl PartialSchema for LicenseFields {
    fn schema() -> RefOr<Schema> {
        LicenseInput::schema()
    }
}

impl ToSchema for LicenseFields {
    fn name() -> std::borrow::Cow<'static, str> {
        LicenseInput::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        LicenseInput::schemas(schemas);
    }
}

/// The fields of a new license, unparsed. The domain parses them.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct NewLicenseFields(Map<String, Value>);

impl PartialSchema for NewLicenseFields {
    fn schema() -> RefOr<Schema> {
        let mut schema = LicenseInput::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.description = Some("The license to create.".to_owned());
            object.required.extend(["name".to_owned(), "type".to_owned()]);
            object.properties.insert("status".to_owned(), value::FirstStatusName::schema());
        }
        schema
    }
}

impl ToSchema for NewLicenseFields {
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
    /// The license's ID.
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    /// The license's name.
    name: String,
    /// The license's type.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::LicenseTypeName)]
    kind: &'static str,
    /// The license's description.
    description: String,
    /// The owner's own identifier for the license.
    external_id: Option<String>,
    /// The fee, as a decimal string.
    #[schema(inline, value_type = Option<value::Amount>)]
    appearance_fee: Option<String>,
    #[schema(value_type = Option<value::Currency>)]
    currency: Option<String>,
    /// The unit that the fee applies to.
    #[schema(inline, value_type = Option<value::FeePerName>)]
    fee_per: Option<&'static str>,
    /// The licensed uses.
    #[schema(inline, value_type = Vec<value::UseName>)]
    uses: Vec<&'static str>,
    /// The territories of the license.
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    /// Additional terms.
    #[schema(value_type = Object)]
    terms: Map<String, Value>,
    /// When the license starts, if it has a start date.
    #[schema(value_type = Option<String>, format = DateTime)]
    valid_from: Option<Timestamp>,
    /// When the license expires, if it has an end date.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// Whether platforms are scanned for mentions of the license.
    can_crawl: bool,
    /// The license's status.
    #[schema(inline, value_type = value::LicenseStatusName)]
    status: &'static str,
    /// The organization's permission on the license.
    #[schema(inline, value_type = value::PermissionRoleName)]
    permission: &'static str,
    talent: LicensedTalent,
    /// The number of reference images.
    image_count: u32,
    /// Incremented with every change.
    version: u32,
    /// When the license was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When the license was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// What to know about some of the reference images. Only returned with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    hints: Option<Vec<ImageHint>>,
    /// The reference images. Only returned if the license was created with images.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    images: Option<Vec<ConsoleImage>>,
}

/// The licensed talent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LicensedTalent {
    /// The talent's ID.
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    /// The talent's full name.
    fullname: String,
}

impl Plural for ConsoleLicense {
    const PLURAL: &'static str = "licenses";
}

impl From<LicenseView> for ConsoleLicense {
    fn from(LicenseView { shown, role, status }: LicenseView) -> Self {
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
            hints: None,
            images: None,
        }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(params): Query<ListParams>,
) -> Result<PageOf<ConsoleLicense>, Problem> {
    let params = LicenseParams {
        page: params.page.as_deref(),
        size: params.limit.as_deref(),
        status: params.status.as_deref(),
        search: params.search.as_deref(),
        search_names: true,
        q: None,
        license_type: params.kind.as_deref(),
        sort: params.sort.as_deref(),
        order: params.order.as_deref(),
        include_image_urls: None,
    };
    let query = LicenseQuery::parse(&params, FieldNames::CONSOLE, Api::Console.page_rules())?;
    let found = license::list_full(&state.app, Reader::Owner(caller.tenant), query).await?;
    Ok(PageOf(found.map(ConsoleLicense::from), "Your licenses"))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(talent): Segment,
    body: JsonOrForm<NewLicenseFields>,
) -> Result<WithHeaders<Created<ConsoleLicense>>, Problem> {
    let talent: TalentId = path_id(&talent, "talent")?;
    let (members, files) = match body {
        JsonOrForm::Json(NewLicenseFields(members)) => (members, vec![]),
        JsonOrForm::Form(Form { texts, images }) => {
            let texts = texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
            (members_of_form(texts, FieldNames::CONSOLE), images)
        }
    };
    let new = NewLicense::parse(&members, FieldNames::CONSOLE, state.app.clock.now())?;
    let ignored = new.ignored.clone();
    let created = license::create_with_hints(&state.app, &context, caller, talent, new, files);
    let (license::Created { shown, images }, hints) = created.await?;
    let status = shown.license.status;
    let seen = LicenseView { shown, role: PermissionRole::Licensor, status };
    // Pre-signed URLs always differ, so a response with images has no entity tag.
    let tag = plain_tag(&seen).filter(|_| images.is_empty());
    let mut body = ConsoleLicense::from(seen);
    if !images.is_empty() {
        body.hints = Some(ImageHint::all(&images, hints));
        body.images = Some(ConsoleImage::all(&state.app, images).await?);
    }
    Ok(WithHeaders::new(Created(body, "License created")).etag(tag).ignored_fields(&ignored))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    headers: HeaderMap,
    Segment(id): Segment,
    Json(LicenseFields(members)): Json<LicenseFields>,
) -> Result<WithHeaders<Data<ConsoleLicense>>, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let change = LicenseChange::parse(&members, FieldNames::CONSOLE)?;
    let (reader, within) = (caller.reader(), Some(caller.tenant));
    let (named, expected) = (LicenseRef::Id(id), expected(&headers));
    let changed =
        license::change(&state.app, &context, reader, named, within, expected, change).await?;
    let tag = plain_tag(&changed.view);
    let response = Data(changed.view.into(), "License updated");
    Ok(WithHeaders::new(response).etag(tag).ignored_fields(&changed.ignored))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    headers: HeaderMap,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let (reader, tenant, expected) = (caller.reader(), caller.tenant, expected(&headers));
    license::delete(&state.app, &context, reader, tenant, id, expected).await?;
    Ok(NoContent)
}
