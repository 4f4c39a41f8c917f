//! Rows of people and their ways in, for tests that need some.

use grantor_domain::Timestamp;
use grantor_domain::admin::AdminRole;
use grantor_domain::client::{ClientStatus, Environment};
use grantor_domain::id::{
    AdminId, ClientId, ExchangeId, InvitationId, SessionId, TenantId, UserId,
};
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::role::{Role, TenantType};
use grantor_domain::scope::Scopes;
use grantor_domain::secret::SecretHash;
use grantor_domain::session::TokenState;
use grantor_domain::sign_in::SignInMethod;
use grantor_storage::admin::{self, Admin};
use grantor_storage::challenge::{self, Challenge};
use grantor_storage::client::{self, Client};
use grantor_storage::exchange::{self, Exchange};
use grantor_storage::invitation::{self, Invitation};
use grantor_storage::membership::{self, Membership};
use grantor_storage::session::{self, Session};
use grantor_storage::tenant::{self, Tenant};
use grantor_storage::user::{self, User};
use grantor_storage::{Result, Tx, device};
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
            last_tenant: tenant,
            email: "ada@example.com".into(),
            email_key: "ada@example.com".into(),
            fullname: "Ada".into(),
            fullname_key: "ada".into(),
            password_hash: None,
            bio: None,
            location: None,
            phone: None,
            created_at: NOW,
        },
    )?;
    let role = Role::Individual;
    membership::insert(tx, &Membership { user, tenant, role, active: true, created_at: NOW })?;
    let id = SessionId::from(Uuid::from_u128(73));
    let session = Session {
        id,
        audience: "console".into(),
        subject: user.as_uuid(),
        tenant: Some(tenant),
        family: id,
        device: None,
        address: None,
        created_at: NOW,
        last_seen_at: NOW,
        expires_at: NOW,
        revoked_at: None,
        method: Some(SignInMethod::Passkey),
        signed_in_at: NOW,
    };
    session::insert(tx, &session)?;
    session::insert_token(tx, &SecretHash::from_bytes([1; 32]), id, TokenState::issued(NOW), NOW)?;
    fill_challenges(tx)?;
    device::remember(tx, user, "browser/7f", NOW)?;
    fill_clients(tx, tenant, user)?;
    fill_staff(tx)
}

fn fill_challenges(tx: &mut Tx<'_>) -> Result<()> {
    let challenge = Challenge {
        purpose: "reset".into(),
        sealed: vec![0, 255],
        code_mac: vec![7],
        wrong: 0,
        resends: 0,
        sent_at: NOW,
        expires_at: NOW,
        link: Some(SecretHash::from_bytes([8; 32])),
    };
    challenge::replace(tx, &SecretHash::from_bytes([2; 32]), "a@b.c", &challenge)
}

fn fill_clients(tx: &mut Tx<'_>, tenant: TenantId, user: UserId) -> Result<()> {
    let id = ClientId::from(Uuid::from_u128(74));
    let client = Client {
        id,
        tenant,
        user,
        name: "Feed".into(),
        environment: Environment::Staging,
        api_key: "gk_test_feed".into(),
        secret_hash: SecretHash::from_bytes([3; 32]),
        old_secret: Some((SecretHash::from_bytes([4; 32]), NOW)),
        scopes: Scopes::all(),
        status: ClientStatus::Active,
        expires_at: Some(NOW),
        warned_days: None,
        last_used_at: None,
        created_at: NOW,
    };
    client::insert(tx, &client)?;
    client::update(tx, &client, NOW)?;
    client::record_use(tx, id, NOW)?;
    let exchange_id = ExchangeId::from(Uuid::from_u128(75));
    let exchange = Exchange { id: exchange_id, client: id, refresh_until: NOW, revoked_at: None };
    exchange::insert(tx, &exchange, Some(&SecretHash::from_bytes([5; 32])), NOW)?;
    exchange::revoke_token(tx, Uuid::from_u128(76), NOW)?;
    Ok(())
}

fn fill_staff(tx: &mut Tx<'_>) -> Result<()> {
    let id = AdminId::from(Uuid::from_u128(77));
    let admin = Admin {
        id,
        email: "root@example.com".into(),
        email_key: "root@example.com".into(),
        fullname: "Root".into(),
        role: AdminRole::SuperAdmin,
        active: true,
        created_at: NOW,
    };
    admin::insert(tx, &admin)?;
    admin::replace_token(tx, &SecretHash::from_bytes([6; 32]), id, NOW, NOW)?;
    let invitation = Invitation {
        id: InvitationId::from(Uuid::from_u128(78)),
        kind: "admin".into(),
        tenant: None,
        target: None,
        email: "new@example.com".into(),
        email_key: "new@example.com".into(),
        fullname: "New".into(),
        role: "Admin".into(),
        expires_at: NOW,
        created_at: NOW,
    };
    invitation::replace(tx, &SecretHash::from_bytes([7; 32]), &invitation)
}
