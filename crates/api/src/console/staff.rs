//! `/admin/organizations`, `/admin/organization/{organizationId}`, `/admin/platforms`,
//! `/admin/licenses`: what staff sees of everybody.

use axum::extract::State;
use grantor_domain::admin::{AdminRight, may};
use grantor_domain::error::Fields;
use grantor_domain::id::TenantId;
use grantor_domain::license::LicenseStatus;
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::page::{Listing, Page};
use grantor_domain::search::SearchQuery;
use grantor_domain::{Result, Timestamp};
use grantor_service::license::Shown;
use grantor_service::staff::{
    self, LicenseFilter, ListedPlatform, ListedTenant, PlatformFilter, TenantFilter,
};
use grantor_service::suspension::{TenantChanges, change_tenant};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::Fine;
use super::paging::Paging;
use super::path_id;
use crate::describe::value;
use crate::frame::caller::Staff;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::page::ConsolePagination;
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// Which organizations.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct AskedOrganizations {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// A part of the name.
    #[param(inline, value_type = Option<value::Part>)]
    search: Option<String>,
    /// Platform, Agency, Brand or Individual.
    #[serde(rename = "type")]
    #[param(rename = "type", inline, value_type = Option<value::TenantTypeName>)]
    kind: Option<String>,
    /// active or suspended.
    #[param(inline, value_type = Option<value::OrganizationStatusName>)]
    status: Option<String>,
    /// Free, Starter, Pro or Enterprise.
    #[param(inline, value_type = Option<value::PlanName>)]
    plan: Option<String>,
}

/// Which platforms.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskedPlatforms {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// A part of the name or the domain.
    #[param(inline, value_type = Option<value::Part>)]
    search: Option<String>,
    /// Of this organization.
    #[param(rename = "organizationId", inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
}

/// Which licenses.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskedLicenses {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
    /// Words, prefixes such as `win*` and quoted phrases to look for in name, description, the names of
    /// the talent, the name of the owner and the external id.
    #[param(inline, value_type = Option<value::Search>)]
    search: Option<String>,
    /// Of this organization.
    #[param(rename = "organizationId", inline, value_type = Option<value::Id>)]
    organization_id: Option<String>,
    /// The license type.
    #[serde(rename = "type")]
    #[param(rename = "type", inline, value_type = Option<value::LicenseTypeName>)]
    kind: Option<String>,
    /// draft, private, public or expired.
    #[param(inline, value_type = Option<value::LicenseStatusName>)]
    status: Option<String>,
}

/// A page of organizations.
#[derive(Serialize, ToSchema)]
pub(super) struct OrganizationPage {
    organizations: Vec<OrganizationBody>,
    total: u64,
    pagination: ConsolePagination,
}

/// An organization, or the tenant of one person.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrganizationBody {
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    name: String,
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
    #[schema(inline, value_type = value::OrganizationStatusName)]
    status: &'static str,
    #[schema(inline, value_type = value::PlanName)]
    plan: &'static str,
    /// Its accounts, inactive ones too.
    member_count: u32,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<ListedTenant> for OrganizationBody {
    fn from(ListedTenant { tenant, member_count }: ListedTenant) -> Self {
        Self {
            organization_id: tenant.id.to_string(),
            name: tenant.name,
            kind: tenant.kind.name(),
            status: tenant.status.name(),
            plan: tenant.plan.name(),
            member_count,
            created_at: tenant.created_at,
        }
    }
}

/// What is to be changed; what is left out stays.
#[derive(Deserialize, ToSchema)]
pub(super) struct OrganizationChanges {
    /// active or suspended.
    #[schema(inline, value_type = Option<value::OrganizationStatusName>)]
    status: Option<String>,
    /// Free, Starter, Pro or Enterprise.
    #[schema(inline, value_type = Option<value::PlanName>)]
    plan: Option<String>,
}

/// A page of platforms.
#[derive(Serialize, ToSchema)]
pub(super) struct PlatformPage {
    platforms: Vec<StaffPlatform>,
    total: u64,
    pagination: ConsolePagination,
}

/// A platform as staff sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffPlatform {
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    name: String,
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::PlatformTypeName)]
    kind: &'static str,
    domain: String,
    #[schema(inline, value_type = value::PlatformStatusName)]
    status: &'static str,
    organization: OwnerName,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// Whose it is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnerName {
    #[schema(inline, value_type = value::Id)]
    organization_id: String,
    name: String,
}

impl From<ListedPlatform> for StaffPlatform {
    fn from(ListedPlatform { platform, owner_name }: ListedPlatform) -> Self {
        Self {
            platform_id: platform.id.to_string(),
            status: platform.status().name(),
            name: platform.name.as_str().to_owned(),
            kind: platform.kind.name(),
            domain: platform.domain.as_str().to_owned(),
            organization: OwnerName {
                organization_id: platform.tenant.to_string(),
                name: owner_name,
            },
            created_at: platform.created_at,
        }
    }
}

/// A page of licenses.
#[derive(Serialize, ToSchema)]
pub(super) struct LicensePage {
    licenses: Vec<StaffLicense>,
    total: u64,
    pagination: ConsolePagination,
}

/// A license as staff sees it: what it is and whose, without its terms and fee.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffLicense {
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    name: String,
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::LicenseTypeName)]
    kind: &'static str,
    #[schema(inline, value_type = value::LicenseStatusName)]
    status: &'static str,
    talent: TalentName,
    organization: OwnerName,
    can_crawl: bool,
    image_count: u32,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// Whose likeness it is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TalentName {
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    fullname: String,
}

impl From<(Shown, LicenseStatus)> for StaffLicense {
    fn from((shown, status): (Shown, LicenseStatus)) -> Self {
        let license = shown.license;
        Self {
            license_id: license.id.to_string(),
            name: license.title.as_str().to_owned(),
            kind: license.license_type.key(),
            status: status.name(),
            talent: TalentName {
                talent_id: license.talent.to_string(),
                fullname: shown.talent_name,
            },
            organization: OwnerName {
                organization_id: license.tenant.to_string(),
                name: shown.owner_name,
            },
            can_crawl: license.can_crawl,
            image_count: license.image_count,
            expires_at: license.expires_at,
            created_at: license.created_at,
            updated_at: license.updated_at,
        }
    }
}

pub(super) async fn organizations(
    State(state): State<ApiState>,
    _: Staff,
    Query(asked): Query<AskedOrganizations>,
) -> Result<Fine<OrganizationPage>, Problem> {
    let mut fields = Fields::default();
    let page = read_page(asked.page, asked.limit, &mut fields);
    let filter = TenantFilter {
        search: asked.search.and_then(|it| fields.take("search", staff::search(&it))),
        kind: asked.kind.and_then(|it| fields.take("type", it.parse())),
        status: asked.status.and_then(|it| fields.take("status", it.parse())),
        plan: asked.plan.and_then(|it| fields.take("plan", it.parse())),
    };
    let page = finish(page, fields)?;
    let found = staff::tenants(&state.app, filter, page).await?;
    let (organizations, total, pagination) = parts(found);
    Ok(Fine(OrganizationPage { organizations, total, pagination }, "All organizations"))
}

pub(super) async fn change_organization(
    State(state): State<ApiState>,
    Staff { context, caller }: Staff,
    Segment(id): Segment,
    Json(asked): Json<OrganizationChanges>,
) -> Result<Fine<OrganizationBody>, Problem> {
    let id: TenantId = path_id(&id, "organization")?;
    let mut fields = Fields::default();
    let changes = TenantChanges {
        status: asked.status.and_then(|it| fields.take("status", it.parse::<OrganizationStatus>())),
        plan: asked.plan.and_then(|it| fields.take("plan", it.parse::<Plan>())),
    };
    fields.finish()?;
    if changes.status.is_some() {
        may(caller.role, AdminRight::Suspend)?;
    }
    let changed = change_tenant(&state.app, &context, id, changes).await?;
    Ok(Fine(changed.into(), "The organization was changed"))
}

pub(super) async fn platforms(
    State(state): State<ApiState>,
    _: Staff,
    Query(asked): Query<AskedPlatforms>,
) -> Result<Fine<PlatformPage>, Problem> {
    let mut fields = Fields::default();
    let page = read_page(asked.page, asked.limit, &mut fields);
    let filter = PlatformFilter {
        search: asked.search.and_then(|it| fields.take("search", staff::search(&it))),
        tenant: asked.organization_id.and_then(|it| fields.take("organizationId", it.parse())),
    };
    let page = finish(page, fields)?;
    let found = staff::platforms(&state.app, filter, page).await?;
    let (platforms, total, pagination) = parts(found);
    Ok(Fine(PlatformPage { platforms, total, pagination }, "All platforms"))
}

pub(super) async fn licenses(
    State(state): State<ApiState>,
    _: Staff,
    Query(asked): Query<AskedLicenses>,
) -> Result<Fine<LicensePage>, Problem> {
    let mut fields = Fields::default();
    let page = read_page(asked.page, asked.limit, &mut fields);
    let search = SearchQuery::parse(asked.search.as_deref().unwrap_or_default());
    let filter = LicenseFilter {
        search: fields.take("search", search).flatten(),
        tenant: asked.organization_id.and_then(|it| fields.take("organizationId", it.parse())),
        license_type: asked.kind.and_then(|it| fields.take("type", it.parse())),
        status: asked.status.and_then(|it| fields.take("status", it.parse())),
    };
    let page = finish(page, fields)?;
    let found = staff::licenses(&state.app, filter, page).await?;
    let (licenses, total, pagination) = parts(found);
    Ok(Fine(LicensePage { licenses, total, pagination }, "All licenses"))
}

fn read_page(page: Option<String>, limit: Option<String>, fields: &mut Fields) -> Option<Page> {
    fields.take_all(Paging::of(page, limit).read())
}

fn finish(page: Option<Page>, fields: Fields) -> Result<Page> {
    fields.finish()?;
    page.ok_or_else(|| grantor_domain::Error::validation("The query does not read"))
}

fn parts<T, B: From<T>>(found: Listing<T>) -> (Vec<B>, u64, ConsolePagination) {
    let pagination = ConsolePagination::from(&found);
    (found.items.into_iter().map(B::from).collect(), found.total, pagination)
}
