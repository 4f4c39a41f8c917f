//! `/org/information`.

use axum::extract::State;
use grantor_domain::Timestamp;
use grantor_domain::information::{Information, InformationChange};
use grantor_service::identity::profile::Tenant;
use grantor_service::organizations::organization;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::envelope::{Data, WithHeaders};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The caller's organization or individual account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InformationBody {
    /// The organization's ID.
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    /// The organization's name.
    name: String,
    /// The organization's type.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
    basic_info: BasicInfo,
    address: Address,
    contact: Contact,
    tax_info: TaxInfo,
    /// When the organization was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// The organization's status.
    #[schema(inline, value_type = value::OrganizationStatusName)]
    status: &'static str,
}

/// Basic information about an organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BasicInfo {
    /// A description. At most 500 characters.
    #[schema(inline, value_type = Option<value::OrganizationAbout>)]
    description: Option<String>,
    /// The website's HTTP or HTTPS URL.
    #[schema(inline, value_type = Option<value::Website>)]
    website: Option<String>,
    /// The industry. At most 100 characters.
    #[schema(inline, value_type = Option<value::Line100>)]
    industry: Option<String>,
    /// The founding year, from 1000 to 9999.
    #[schema(inline, value_type = Option<value::Year>)]
    founded_year: Option<u32>,
}

/// The address of an organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Address {
    /// The street. At most 200 characters.
    #[schema(inline, value_type = Option<value::Line200>)]
    street: Option<String>,
    /// The city. At most 100 characters.
    #[schema(inline, value_type = Option<value::Line100>)]
    city: Option<String>,
    /// The state or region. At most 100 characters.
    #[schema(inline, value_type = Option<value::Line100>)]
    region: Option<String>,
    /// The postal code. At most 20 characters.
    #[schema(inline, value_type = Option<value::Line20>)]
    postal_code: Option<String>,
    /// The ISO 3166-1 alpha-2 country code.
    #[schema(value_type = Option<value::Country>)]
    country: Option<String>,
}

/// The contact details of an organization.
#[derive(Serialize, ToSchema)]
struct Contact {
    /// The email address.
    #[schema(inline, value_type = Option<value::Email>)]
    email: Option<String>,
    /// The phone number.
    #[schema(inline, value_type = Option<value::KnownPhone>)]
    phone: Option<String>,
    /// The contact person. At most 100 characters.
    #[schema(inline, value_type = Option<value::Line100>)]
    person: Option<String>,
}

/// The tax information of an organization.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TaxInfo {
    /// The tax ID. At most 50 characters.
    #[schema(inline, value_type = Option<value::Line50>)]
    tax_id: Option<String>,
    /// The VAT number. At most 50 characters.
    #[schema(inline, value_type = Option<value::Line50>)]
    vat_number: Option<String>,
    /// The legal name. At most 200 characters.
    #[schema(inline, value_type = Option<value::Line200>)]
    legal_name: Option<String>,
}

/// The fields to change. Omitted fields keep their value; null clears a field or a whole section.
/// Other fields are ignored and listed in the `X-Ignored-Fields` header.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used: the domain parses the fields")]
struct InformationChanges {
    /// The organization's name, unique. 2 to 100 characters.
    #[schema(required = false, inline, value_type = value::Organization)]
    name: String,
    basic_info: Option<BasicInfo>,
    address: Option<Address>,
    contact: Option<Contact>,
    tax_info: Option<TaxInfo>,
}

/// The fields to change, unparsed. The domain parses them.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct InformationFields(Map<String, Value>);

impl PartialSchema for InformationFields {
    fn schema() -> RefOr<Schema> {
        InformationChanges::schema()
    }
}

impl ToSchema for InformationFields {
    fn name() -> std::borrow::Cow<'static, str> {
        InformationChanges::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        InformationChanges::schemas(schemas);
    }
}

impl InformationBody {
    fn of(tenant: Tenant, information: &Information) -> Self {
        let basic = |member| information.text("basicInfo", member);
        let address = |member| information.text("address", member);
        let contact = |member| information.text("contact", member);
        let tax = |member| information.text("taxInfo", member);
        Self {
            organization_id: tenant.id.to_string(),
            name: tenant.name,
            kind: tenant.kind.name(),
            basic_info: BasicInfo {
                description: tenant.description,
                website: basic("website"),
                industry: basic("industry"),
                founded_year: information.number("basicInfo", "foundedYear"),
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
) -> Result<Data<InformationBody>, Problem> {
    let (tenant, information) = organization::show(&state.app, &caller).await?;
    Ok(Data(InformationBody::of(tenant, &information), "Your organization"))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(InformationFields(members)): Json<InformationFields>,
) -> Result<WithHeaders<Data<InformationBody>>, Problem> {
    let change = InformationChange::parse(&members)?;
    let ignored = change.ignored.clone();
    let (tenant, information) = organization::change(&state.app, &context, caller, change).await?;
    let body = InformationBody::of(tenant, &information);
    Ok(WithHeaders::new(Data(body, "Organization updated")).ignored_fields(&ignored))
}
