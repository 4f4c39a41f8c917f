//! Lists of staff.

use std::str::FromStr;

use grantor_domain::page::Page;
use grantor_domain::source::StaffSourceQuery;
use grantor_domain::{Error, Result};
use grantor_service::operations::admin as members;
use grantor_service::operations::csv_file::Rows;
use grantor_service::operations::staff as service;
use grantor_service::watching::{pod, source};

use super::watching::{platform_row, source_row};
use super::{moment, only_page, time};
use crate::admin;
use crate::frame::{Params, Staff};
use crate::view::sentence_case;

/// A list of staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StaffList {
    Organizations,
    Licenses,
    Platforms,
    Sources,
    Scanners,
    Members,
}

impl StaffList {
    pub(super) const ALL: [Self; 6] = [
        Self::Organizations,
        Self::Licenses,
        Self::Platforms,
        Self::Sources,
        Self::Scanners,
        Self::Members,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Organizations => "organizations",
            Self::Licenses => "licenses",
            Self::Platforms => "platforms",
            Self::Sources => "sources",
            Self::Scanners => "scanners",
            Self::Members => "staff",
        }
    }

    pub(super) const fn header(self) -> &'static [&'static str] {
        match self {
            Self::Organizations => &["Name", "Type", "Plan", "Status", "Users", "Created"],
            Self::Licenses => {
                &["Name", "Talent", "Type", "Status", "Organization", "Images", "Ends", "Updated"]
            }
            Self::Platforms => &[
                "Name",
                "Domain",
                "Type",
                "Status",
                "Items scanned",
                "Last scan",
                "Added",
                "Organization",
            ],
            Self::Sources => &[
                "Name",
                "Address",
                "What is read",
                "Status",
                "Scanned",
                "Mentions",
                "Added",
                "Organization",
            ],
            Self::Scanners => &["Platform", "Status", "Requests", "Next scan", "Last started"],
            Self::Members => &["Name", "Email", "Role", "Status", "Added"],
        }
    }

    pub(super) async fn rows(self, staff: &Staff, params: &Params, page: Page) -> Result<Rows> {
        match self {
            Self::Organizations => organizations(staff, params, page).await,
            Self::Licenses => licenses(staff, params, page).await,
            Self::Platforms => platforms(staff, params, page).await,
            Self::Sources => sources(staff, params, page).await,
            Self::Scanners => scanners(staff, page).await,
            Self::Members => staff_members(staff, page).await,
        }
    }
}

impl FromStr for StaffList {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|it| it.name() == text).ok_or(())
    }
}

async fn organizations(staff: &Staff, params: &Params, page: Page) -> Result<Rows> {
    let filter = admin::organization::read_filter(params)?;
    let found = service::find_tenants(staff.app(), filter, page).await?;
    let row = |it: &service::ListedTenant| {
        vec![
            it.tenant.name.clone(),
            it.tenant.kind.name().to_owned(),
            it.tenant.plan.name().to_owned(),
            sentence_case(it.tenant.status.name()),
            it.member_count.to_string(),
            moment(it.tenant.created_at),
        ]
    };
    Ok(found.items.iter().map(row).collect())
}

/// Without terms and fees, like the list.
async fn licenses(staff: &Staff, params: &Params, page: Page) -> Result<Rows> {
    let filter = admin::license::read_filter(params)?;
    let found = service::licenses(staff.app(), filter, page).await?;
    let row = |(shown, status): &(
        grantor_service::licensing::license::LicenseRecord,
        grantor_domain::license::LicenseStatus,
    )| {
        let license = &shown.license;
        vec![
            license.title.as_str().to_owned(),
            shown.talent_name.clone(),
            license.license_type.label().to_owned(),
            sentence_case(status.name()),
            shown.owner_name.clone(),
            license.image_count.to_string(),
            time(license.expires_at),
            moment(license.updated_at),
        ]
    };
    Ok(found.items.iter().map(row).collect())
}

async fn platforms(staff: &Staff, params: &Params, page: Page) -> Result<Rows> {
    let filter = admin::platform::read_filter(params)?;
    let found = service::platforms(staff.app(), filter, page).await?;
    let row = |it: &service::ListedPlatform| {
        let mut row = platform_row(&it.platform);
        row.push(it.owner_name.clone());
        row
    };
    Ok(found.items.iter().map(row).collect())
}

async fn sources(staff: &Staff, params: &Params, page: Page) -> Result<Rows> {
    let stopped = params.get("stopped").map(str::parse::<bool>).transpose();
    let stopped = stopped.map_err(|_| Error::field("stopped", "must be one of true, false"))?;
    let failing = params.get("failing").is_some();
    let found = source::list_all(staff.app(), StaffSourceQuery { page, stopped, failing }).await?;
    let row = |it: &source::StaffSource| {
        let mut row = source_row(&it.listed);
        row.push(it.tenant_name.clone());
        row
    };
    Ok(found.items.iter().map(row).collect())
}

async fn scanners(staff: &Staff, page: Page) -> Result<Rows> {
    let found = pod::list(staff.app()).await?;
    let row = |it: pod::ListedPod| {
        vec![
            it.platform_name,
            sentence_case(it.pod.status.name()),
            it.pod.request_count.to_string(),
            time(it.pod.due_at.filter(|_| it.has_feeds)),
            time(it.pod.last_started_at),
        ]
    };
    Ok(only_page(page, found).into_iter().map(row).collect())
}

async fn staff_members(staff: &Staff, page: Page) -> Result<Rows> {
    let found = members::members(staff.app(), page).await?;
    let row = |it: &members::ListedAdmin| {
        vec![
            it.fullname.clone(),
            it.email.clone(),
            sentence_case(it.role.name()),
            sentence_case(&it.status),
            moment(it.created_at),
        ]
    };
    Ok(found.items.iter().map(row).collect())
}
