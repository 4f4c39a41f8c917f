//! Callers of the console.

use grantor_domain::access::Actor;
use grantor_domain::id::{SessionId, TenantId, UserId};
use grantor_domain::locale::Locale;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::sign_in::{RECENT_SIGN_IN, SignInMethod};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::{Tx, membership, user};
use uuid::Uuid;

use super::{Bearer, invalid, suspended};
use grantor_keys::{Audience, Claims};

/// An authenticated user of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub user: UserId,
    /// The person's name.
    pub name: String,
    /// The person's role in the tenant.
    pub role: Role,
    /// The tenant the person acts in.
    pub tenant: TenantId,
    /// The kind of tenant.
    pub tenant_type: TenantType,
    /// The session the token belongs to.
    pub session: SessionId,
    /// Whether the person is also a member of other tenants, and may switch to them.
    pub has_other_tenants: bool,
    /// How the person signed in; `None` for older sessions.
    pub method: Option<SignInMethod>,
    /// When the person signed in.
    pub signed_in_at: Timestamp,
    /// The person's language and time zone.
    pub locale: Locale,
}

impl Caller {
    /// Loads an active member for work that goes on without a session. `None` if the person may no
    /// longer act in the tenant.
    pub(crate) fn of_member(
        tx: &mut Tx<'_>,
        tenant: TenantId,
        user: UserId,
        now: Timestamp,
    ) -> Result<Option<Self>> {
        let found = membership::find_active(tx, tenant, user)?;
        let active = found.filter(|(it, _)| it.status == OrganizationStatus::Active);
        let (Some((here, role)), Some(person)) = (active, user::find(tx, user)?) else {
            return Ok(None);
        };
        Ok(Some(Self {
            user,
            name: person.fullname,
            role,
            tenant,
            tenant_type: here.kind,
            session: SessionId::from(Uuid::nil()),
            has_other_tenants: false,
            method: None,
            signed_in_at: now,
            locale: Locale::default(),
        }))
    }

    /// Returns the caller as an actor.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::User { id: self.user, tenant: self.tenant, name: self.name.clone() }
    }

    /// Whether the person signed in a short while ago.
    #[must_use]
    pub fn signed_in_recently(&self, now: Timestamp) -> bool {
        now.since(self.signed_in_at) < RECENT_SIGN_IN
    }

    /// Checks that the person may change how they sign in. The account belongs to the person and
    /// opens all of their organizations, so single sign-on of one organization does not suffice.
    pub fn may_change_sign_in(&self, now: Timestamp) -> Result<()> {
        let message = if self.method == Some(SignInMethod::SingleSignOn) {
            "You signed in with single sign-on. To change how you sign in, sign in with your \
             password or an emailed link"
        } else if self.signed_in_recently(now) {
            return Ok(());
        } else {
            "Sign in again to change how you sign in"
        };
        Err(Error::new(ErrorKind::Forbidden, message))
    }
}

impl Bearer for Caller {
    const AUDIENCE: Audience = Audience::Console;

    fn load(tx: &mut Tx<'_>, claims: &Claims, _: Timestamp) -> Result<Self> {
        let (Ok(id), Some(sid)) = (claims.sub.parse::<UserId>(), claims.sid) else {
            return Err(invalid());
        };
        let session = SessionId::from(sid);
        let found = membership::find_by_session(tx, session)?;
        let member = found.filter(|it| it.user == id).ok_or_else(invalid)?;
        if member.status == OrganizationStatus::Suspended {
            return Err(suspended());
        }
        Ok(Self {
            user: member.user,
            name: member.fullname,
            role: member.role,
            tenant: member.tenant,
            tenant_type: member.kind,
            session,
            has_other_tenants: member.has_other_tenants
                && member.method != Some(SignInMethod::SingleSignOn),
            method: member.method,
            signed_in_at: member.signed_in_at,
            locale: member.locale,
        })
    }
}
