//! `/org/information`.

use axum::extract::State;
use grantor_domain::Timestamp;
use grantor_domain::information::{Information, InformationChange};
use grantor_service::organization;
use grantor_service::profile::Tenant;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::envelope::{Fine, Headed};
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// The caller's organization, or their personal tenant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InformationBody {
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    name: String,
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
    basic_info: BasicInfo,
    address: Address,
    contact: Contact,
    tax_info: TaxInfo,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(inline, value_type = value::OrganizationStatusName)]
    status: &'static str,
}

/// What it says of itself.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BasicInfo {
    /// At most 500 characters.
    #[schema(inline, value_type = Option<value::OrganizationAbout>)]
    description: Option<String>,
    /// Begins with https:// or http://.
    #[schema(inline, value_type = Option<value::Website>)]
    website: Option<String>,
    /// At most 100 characters.
    #[schema(inline, value_type = Option<value::Line100>)]
    industry: Option<String>,
    /// 1000 to 9999.
    #[schema(inline, value_type = Option<value::Year>)]
    founded_year: Option<u32>,
}

/// Where it is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Address {
    /// At most 200 characters.
    #[schema(inline, value_type = Option<value::Line200>)]
    street: Option<String>,
    /// At most 100 characters.
    #[schema(inline, value_type = Option<value::Line100>)]
    city: Option<String>,
    /// At most 100 characters.
    #[schema(inline, value_type = Option<value::Line100>)]
    region: Option<String>,
    /// At most 20 characters.
    #[schema(inline, value_type = Option<value::Line20>)]
    postal_code: Option<String>,
    /// ISO 3166-1 alpha-2.
    #[schema(value_type = Option<value::Country>)]
    country: Option<String>,
}

/// Whom to write to or call.
#[derive(Serialize, ToSchema)]
struct Contact {
    #[schema(inline, value_type = Option<value::Email>)]
    email: Option<String>,
    #[schema(inline, value_type = Option<value::KnownPhone>)]
    phone: Option<String>,
    /// At most 100 characters.
    #[schema(inline, value_type = Option<value::Line100>)]
    person: Option<String>,
}

/// How the tax office knows it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TaxInfo {
    /// At most 50 characters.
    #[schema(inline, value_type = Option<value::Line50>)]
    tax_id: Option<String>,
    /// At most 50 characters.
    #[schema(inline, value_type = Option<value::Line50>)]
    vat_number: Option<String>,
    /// At most 200 characters.
    #[schema(inline, value_type = Option<value::Line200>)]
    legal_name: Option<String>,
}

/// What is to be changed: null clears a member or a whole section, what is left out stays.
/// Others are ignored and named in `X-Ignored-Fields`.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used: the domain reads the members")]
struct InformationChanges {
    /// 2 to 100 characters, unique among organizations.
    #[schema(required = false, inline, value_type = value::Organization)]
    name: String,
    basic_info: Option<BasicInfo>,
    address: Option<Address>,
    contact: Option<Contact>,
    tax_info: Option<TaxInfo>,
}

/// The members of a change, for the domain to read.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Members(Map<String, Value>);

impl PartialSchema for Members {
    fn schema() -> RefOr<Schema> {
        InformationChanges::schema()
    }
}

impl ToSchema for Members {
    fn name() -> std::borrow::Cow<'static, str> {
        InformationChanges::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        InformationChanges::schemas(schemas);
    }
}

impl InformationBody {
    fn of(tenant: Tenant, told: &Information) -> Self {
        let basic = |member| told.text("basicInfo", member);
        let address = |member| told.text("address", member);
        let contact = |member| told.text("contact", member);
        let tax = |member| told.text("taxInfo", member);
        Self {
            organization_id: tenant.id.to_string(),
            name: tenant.name,
            kind: tenant.kind.name(),
            basic_info: BasicInfo {
                description: tenant.description,
                website: basic("website"),
                industry: basic("industry"),
                founded_year: told.number("basicInfo", "foundedYear"),
            },
            address: Address {
                street: address("street"),
                city: address("city"),
                region: address("region"),
                postal_code: address("postalCode"),
                country: address("country"),
            },
            contact: Contact {
                email: contact("email"),
                phone: contact("phone"),
                person: contact("person"),
            },
            tax_info: TaxInfo {
                tax_id: tax("taxId"),
                vat_number: tax("vatNumber"),
                legal_name: tax("legalName"),
            },
            created_at: tenant.created_at,
            status: tenant.status.name(),
        }
    }
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Fine<InformationBody>, Problem> {
    let (tenant, told) = organization::show(&state.app, &caller).await?;
    Ok(Fine(InformationBody::of(tenant, &told), "Your organization"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(Members(members)): Json<Members>,
) -> Result<Headed<Fine<InformationBody>>, Problem> {
    let asked = InformationChange::parse(&members)?;
    let ignored = asked.ignored.clone();
    let (tenant, told) = organization::change(&state.app, &context, caller, asked).await?;
    let body = InformationBody::of(tenant, &told);
    Ok(Headed::new(Fine(body, "Your organization was changed")).ignoring(&ignored))
}
