//! What takes back each kind of act. The acts themselves say what they need for that, and know how it
//! is restored.

use std::sync::Arc;

use grantor_domain::admin::{AdminRight, may};
use grantor_domain::id::{SourceId, TenantId};
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::{Error, Result};
use grantor_storage::catalog_picture::CatalogPicture;
use grantor_storage::tenant;
use serde::{Deserialize, Serialize};

use super::{Undoer, changed_since, run};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::{Caller, TenantCaller};
use crate::identity::client::ClientReverse;
use crate::licensing::bookmark::BookmarkReverse;
use crate::licensing::license::{LicenseReverse, restore_picture};
use crate::licensing::license_template::LicenseTemplateReverse;
use crate::licensing::permission::PermissionReverse;
use crate::licensing::tag::TagsReverse;
use crate::licensing::talent::TalentReverse;
use crate::notices::ChatReverse;
use crate::operations::admin::AdminReverse;
use crate::organizations::organization::OrganizationReverse;
use crate::organizations::party::SetFindable;
use crate::organizations::saved_view::SavedViewReverse;
use crate::organizations::suspension::{ChangeTenant, TenantChanges};
use crate::organizations::team::MemberReverse;
use crate::watching::case::CaseReverse;
use crate::watching::mention::MentionReverse;
use crate::watching::platform::PlatformReverse;
use crate::watching::pod::PodReverse;
use crate::watching::profile::ProfileReverse;
use crate::watching::source::{Apply, Resume, SourceReverse, Stop};
use crate::webhooks::webhook::WebhookReverse;

/// What takes an act back. Stored for a minute, so a new version of the server may fail to read what
/// an older one stored; then nothing is changed.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum Reverse {
    Bookmark(BookmarkReverse),
    Case(CaseReverse),
    CatalogPicture(CatalogPicture),
    Chat(Box<ChatReverse>),
    Client(ClientReverse),
    /// Whether the organization could be found by name.
    Findable(bool),
    License(LicenseReverse),
    LicenseTemplate(LicenseTemplateReverse),
    Member(MemberReverse),
    Mention(MentionReverse),
    Organization(Box<OrganizationReverse>),
    Permission(PermissionReverse),
    Platform(PlatformReverse),
    Profile(ProfileReverse),
    SavedView(SavedViewReverse),
    Source(SourceReverse),
    Tags(TagsReverse),
    Talent(Box<TalentReverse>),
    Webhook(WebhookReverse),
    // By staff.
    Admin(AdminReverse),
    Pod(PodReverse),
    ResumedSource(SourceId),
    StoppedSource(SourceId),
    TenantStatus {
        id: TenantId,
        before: OrganizationStatus,
        after: OrganizationStatus,
    },
}

impl Reverse {
    /// The source that gets its mentions back.
    pub(super) fn restored_source(&self) -> Option<SourceId> {
        match self {
            Self::Source(reverse) => reverse.restored(),
            _ => None,
        }
    }

    /// Takes the act back.
    pub(super) fn run(self, unit: &mut UnitOfWork<'_, '_>, by: &Undoer) -> Result<Done<()>> {
        match by {
            Undoer::Person(caller) => self.run_for_person(unit, caller),
            Undoer::Staff(_) => self.run_for_staff(unit, by),
        }
    }

    fn run_for_person(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        person: &Arc<Caller>,
    ) -> Result<Done<()>> {
        let caller = TenantCaller::from(&**person);
        match self {
            Self::Bookmark(it) => it.run(unit, caller),
            Self::Case(it) => it.run(unit, caller),
            Self::CatalogPicture(it) => restore_picture(unit, person, &it),
            Self::Chat(it) => it.run(unit, person),
            Self::Client(it) => it.run(unit, person),
            Self::Findable(findable) => {
                let act = SetFindable { caller: Arc::clone(person), findable };
                run(unit, &act, "Whether an organization is findable by name was reset")
            }
            Self::License(it) => it.run(unit, person),
            Self::LicenseTemplate(it) => it.run(unit, person),
            Self::Member(it) => it.run(unit, person),
            Self::Mention(it) => it.run(unit, caller.reader()),
            Self::Organization(it) => it.run(unit, person),
            Self::Permission(it) => it.run(unit, person),
            Self::Platform(it) => it.run(unit, person),
            Self::Profile(it) => it.run(unit, caller),
            Self::SavedView(it) => it.run(unit, person),
            Self::Source(it) => it.run(unit, caller),
            Self::Tags(it) => it.run(unit, person),
            Self::Talent(it) => it.run(unit, person),
            Self::Webhook(it) => it.run(unit, caller),
            Self::Admin(_)
            | Self::Pod(_)
            | Self::ResumedSource(_)
            | Self::StoppedSource(_)
            | Self::TenantStatus { .. } => Err(super::over()),
        }
    }

    fn run_for_staff(self, unit: &mut UnitOfWork<'_, '_>, by: &Undoer) -> Result<Done<()>> {
        let staff = by.staff()?;
        match self {
            Self::Admin(it) => it.run(unit, staff),
            Self::Pod(it) => {
                may(staff.role, AdminRight::ManagePods)?;
                it.run(unit)
            }
            Self::ResumedSource(id) => {
                may(staff.role, AdminRight::ManagePods)?;
                run(unit, &Apply::<Stop>::new(id), "A source that was resumed is stopped again")
            }
            Self::StoppedSource(id) => {
                may(staff.role, AdminRight::ManagePods)?;
                run(unit, &Apply::<Resume>::new(id), "A source that was stopped runs again")
            }
            Self::TenantStatus { id, before, after } => {
                may(staff.role, AdminRight::Suspend)?;
                let now = tenant::find(unit.tx, id)?;
                let now = now.ok_or_else(|| Error::not_found("Organization"))?;
                if now.status != after {
                    return Err(changed_since());
                }
                let changes = TenantChanges { status: Some(before), plan: None };
                let message = "A change of an organization's status was undone";
                run(unit, &ChangeTenant { id, changes }, message)
            }
            _ => Err(super::over()),
        }
    }
}
