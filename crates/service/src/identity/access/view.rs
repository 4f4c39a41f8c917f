//! Staff who view an organization as one of its people sees it. Their token is for pages alone and
//! is accepted by no API.

use std::sync::Arc;

use grantor_domain::access::Actor;
use grantor_domain::admin::{AdminRight, may};
use grantor_domain::id::{AdminId, SessionId, StaffViewId};
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::staff_view::{self, LiveView};

use super::{Bearer, Caller, invalid};
use grantor_keys::{Audience, Claims};

/// A member of staff who views an organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewCaller {
    /// The view.
    pub id: StaffViewId,
    /// The member of staff.
    pub admin: AdminId,
    /// The name of the member of staff.
    pub admin_name: String,
    /// The person whose console is viewed.
    pub person: Arc<Caller>,
    /// The organization's name.
    pub organization: String,
    /// When the view ends at the latest.
    pub expires_at: Timestamp,
}

impl ViewCaller {
    /// Returns the member of staff as an actor.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::Admin { id: self.admin, name: self.admin_name.clone() }
    }
}

impl Bearer for ViewCaller {
    const AUDIENCE: Audience = Audience::View;

    fn load(tx: &mut Tx<'_>, claims: &Claims, now: Timestamp) -> Result<Self> {
        let (Ok(admin), Some(sid)) = (claims.sub.parse::<AdminId>(), claims.sid) else {
            return Err(invalid());
        };
        let id = StaffViewId::from(sid);
        let found = staff_view::find_live(tx, id)?.filter(|it| it.admin == admin);
        let view: LiveView = found.ok_or_else(invalid)?;
        let allowed = may(view.admin_role, AdminRight::ViewAs).is_ok();
        if now >= view.expires_at || !allowed || view.status == OrganizationStatus::Suspended {
            return Err(invalid());
        }
        let person = Caller {
            user: view.user,
            name: view.fullname,
            role: view.role,
            tenant: view.tenant,
            tenant_type: view.kind,
            // The view is no session of the person.
            session: SessionId::from(sid),
            has_other_tenants: false,
            method: None,
            signed_in_at: view.created_at,
            locale: view.locale,
        };
        Ok(Self {
            id,
            admin,
            admin_name: view.admin_name,
            person: Arc::new(person),
            organization: view.tenant_name,
            expires_at: view.expires_at,
        })
    }
}
