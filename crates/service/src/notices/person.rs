//! The people who are told: members of tenants, and staff.

use grantor_domain::Result;
use grantor_domain::audit::Resource;
use grantor_domain::id::{AdminId, UserId};
use grantor_domain::notice::NoticeKind;
use grantor_storage::{Tx, admin, user};
use uuid::Uuid;

/// A user, or an active member of staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Person {
    pub(super) id: Uuid,
    pub(super) email: String,
    pub(super) email_key: String,
    pub(super) fullname: String,
    pub(super) is_staff: bool,
}

impl Person {
    pub(super) fn find(tx: &mut Tx<'_>, id: Uuid) -> Result<Option<Self>> {
        if let Some(user) = user::find(tx, UserId::from(id))? {
            let (email, email_key, fullname) = (user.email, user.email_key, user.fullname);
            return Ok(Some(Self { id, email, email_key, fullname, is_staff: false }));
        }
        let staff = admin::find(tx, AdminId::from(id))?.filter(|it| it.active);
        Ok(staff.map(|it| {
            let (email, email_key, fullname) = (it.email, it.email_key, it.fullname);
            Self { id, email, email_key, fullname, is_staff: true }
        }))
    }

    /// The kinds of notices that the person gets.
    pub(super) fn kinds(&self) -> Vec<NoticeKind> {
        if self.is_staff {
            NoticeKind::of_staff().collect()
        } else {
            NoticeKind::of_members().collect()
        }
    }

    /// How the log names the person.
    pub(super) fn resource(&self) -> Resource {
        let kind = if self.is_staff { "admin" } else { "user" };
        Resource { kind, id: Some(self.id.to_string()), name: Some(self.fullname.clone()) }
    }
}
