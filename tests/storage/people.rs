//! Rows of people and their ways in, for tests that need some.

use grantor_domain::Timestamp;
use grantor_domain::id::{SessionId, TenantId, UserId};
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::role::{Role, TenantType};
use grantor_domain::secret::SecretHash;
use grantor_domain::session::TokenState;
use grantor_storage::challenge::{self, Challenge};
use grantor_storage::session::{self, Session};
use grantor_storage::tenant::{self, Tenant};
use grantor_storage::user::{self, User};
use grantor_storage::{Result, Tx};
use uuid::Uuid;

const NOW: Timestamp = Timestamp::from_secs(1_767_225_600);

/// One of each.
pub(super) fn fill(tx: &mut Tx<'_>) -> Result<()> {
    let (tenant, user) = (TenantId::from(Uuid::from_u128(71)), UserId::from(Uuid::from_u128(72)));
    tenant::insert(
        tx,
        &Tenant {
            id: tenant,
            name: "Ada".into(),
            name_key: "ada".into(),
            kind: TenantType::Individual,
            description: None,
            status: OrganizationStatus::Active,
            plan: Plan::Free,
            created_at: NOW,
        },
    )?;
    user::insert(
        tx,
        &User {
            id: user,
            tenant,
            email: "ada@example.com".into(),
            email_key: "ada@example.com".into(),
            fullname: "Ada".into(),
            fullname_key: "ada".into(),
            password_hash: None,
            role: Role::Individual,
            active: true,
            bio: None,
            location: None,
            phone: None,
            created_at: NOW,
        },
    )?;
    let id = SessionId::from(Uuid::from_u128(73));
    let session = Session {
        id,
        audience: "console".into(),
        subject: user.as_uuid(),
        device: None,
        address: None,
        created_at: NOW,
        last_seen_at: NOW,
        expires_at: NOW,
        revoked_at: None,
    };
    session::insert(tx, &session)?;
    session::insert_token(tx, &SecretHash::from_bytes([1; 32]), id, TokenState::issued(NOW), NOW)?;
    let challenge = Challenge {
        sealed: vec![0, 255],
        code_mac: vec![7],
        wrong: 0,
        resends: 0,
        sent_at: NOW,
        expires_at: NOW,
    };
    challenge::replace(tx, &SecretHash::from_bytes([2; 32]), "reset", "a@b.c", &challenge)
}
