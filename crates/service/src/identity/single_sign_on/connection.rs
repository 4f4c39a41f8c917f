//! The connection of an organization to its identity provider.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::TenantId;
use grantor_domain::role::Role;
use grantor_domain::single_sign_on::{Connection, Issuer, ProviderClientId, ProviderSecret};
use grantor_domain::{Error, Result};
use grantor_keys::Purpose;
use grantor_storage::single_sign_on::{self, SealedSecret};
use grantor_storage::tenant;
use serde_json::json;

use super::{may_manage, provider};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

/// What an administrator enters.
#[derive(Debug)]
pub struct NewConnection {
    /// The provider.
    pub issuer: Issuer,
    /// Our name at the provider.
    pub client_id: ProviderClientId,
    /// The secret; `None` keeps the stored one.
    pub secret: Option<ProviderSecret>,
    /// The role of people who sign in for the first time; `None` if only members may sign in.
    pub new_member_role: Option<Role>,
}

/// Saves the connection of the caller's organization, after reading the provider's configuration.
pub async fn save(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewConnection,
) -> Result<()> {
    may_manage(&caller)?;
    let metadata = provider::discover(app, &new.issuer).await?;
    let sealed = new.secret.as_ref().map(|it| seal(app, caller.tenant, it));
    app.act(context, Save { caller, new, metadata, sealed }).await
}

/// Lets people sign in with the provider, or not.
pub async fn set_enabled(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    enabled: bool,
) -> Result<()> {
    app.act(context, SetEnabled { caller, enabled }).await
}

/// Forgets who of the provider's people has which account, for a provider that gave them new
/// identifiers. They are known again by their addresses.
pub async fn forget_people(app: &App, context: &Context, caller: Arc<Caller>) -> Result<u64> {
    app.act(context, ForgetPeople { caller }).await
}

/// Deletes the connection. Nobody can sign in with the provider anymore.
pub async fn delete(app: &App, context: &Context, caller: Arc<Caller>) -> Result<()> {
    app.act(context, Delete { caller }).await
}

fn seal(app: &App, tenant: TenantId, secret: &ProviderSecret) -> SealedSecret {
    let plain = secret.expose().as_bytes();
    SealedSecret(app.keys.seal(Purpose::Field, &sealed_for(tenant), plain))
}

/// Opens the secret of a connection.
pub(super) fn open(app: &App, tenant: TenantId, secret: &SealedSecret) -> Result<String> {
    let text = app.keys.open_sealed(Purpose::Field, &sealed_for(tenant), &secret.0);
    text.and_then(|it| String::from_utf8(it).ok())
        .ok_or_else(|| Error::internal("the secret of an identity provider cannot be decrypted"))
}

/// Returns the encryption context that binds a secret to its organization.
pub(crate) fn sealed_for(tenant: TenantId) -> String {
    format!("single_sign_on/{tenant}")
}

fn resource(connection: &Connection) -> Resource {
    let name = Some(connection.issuer.as_str().to_owned());
    Resource { kind: "single_sign_on", id: Some(connection.tenant.to_string()), name }
}

/// Locks the organization and returns its connection with the secret.
fn claim(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
) -> Result<Option<(Connection, SealedSecret)>> {
    may_manage(caller)?;
    tenant::claim(unit.tx, caller.tenant)?;
    Ok(single_sign_on::find(unit.tx, caller.tenant)?)
}

fn claim_existing(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
) -> Result<(Connection, SealedSecret)> {
    claim(unit, caller)?.ok_or_else(|| Error::not_found("Single sign-on"))
}

struct Save {
    caller: Arc<Caller>,
    new: NewConnection,
    metadata: String,
    sealed: Option<SealedSecret>,
}

impl Act for Save {
    type Permit = Option<(Connection, SealedSecret)>;
    type Output = ();
    const ACTION: &'static str = "single_sign_on.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        claim(unit, &self.caller)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, former: Self::Permit) -> Result<Done<()>> {
        let is_new = former.is_none();
        let same_client = former.as_ref().is_some_and(|(it, _)| {
            it.issuer == self.new.issuer && it.client_id == self.new.client_id
        });
        // A secret is only sent to the provider it was entered for.
        let kept = former.as_ref().filter(|_| same_client).map(|(_, secret)| secret.clone());
        let secret = self.sealed.clone().or(kept);
        let secret = secret.ok_or_else(|| Error::field("clientSecret", "is required"))?;
        if former.as_ref().is_some_and(|(it, _)| it.issuer != self.new.issuer) {
            single_sign_on::delete_subjects(unit.tx, self.caller.tenant)?;
        }
        let former = former.map(|(it, _)| it);
        let connection = Connection {
            tenant: self.caller.tenant,
            issuer: self.new.issuer.clone(),
            client_id: self.new.client_id.clone(),
            metadata: self.metadata.clone(),
            enabled: former.as_ref().is_none_or(|it| it.enabled),
            new_member_role: self.new.new_member_role,
            created_at: former.as_ref().map_or(unit.now, |it| it.created_at),
            updated_at: unit.now,
        };
        single_sign_on::put(unit.tx, &connection, &secret)?;
        let message =
            if is_new { "Single sign-on was set up" } else { "Single sign-on was changed" };
        let mut done = Done::new((), resource(&connection), message);
        let role = connection.new_member_role.map(Role::name);
        done.details = json!({ "newMemberRole": role, "newSecret": self.sealed.is_some() });
        Ok(done)
    }
}

struct SetEnabled {
    caller: Arc<Caller>,
    enabled: bool,
}

impl Act for SetEnabled {
    type Permit = (Connection, SealedSecret);
    type Output = ();
    const ACTION: &'static str = "single_sign_on.enable";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        claim_existing(unit, &self.caller)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, permit: Self::Permit) -> Result<Done<()>> {
        let (mut connection, secret) = permit;
        (connection.enabled, connection.updated_at) = (self.enabled, unit.now);
        single_sign_on::put(unit.tx, &connection, &secret)?;
        let word = if self.enabled { "enabled" } else { "disabled" };
        Ok(Done::new((), resource(&connection), format!("Single sign-on was {word}")))
    }
}

struct ForgetPeople {
    caller: Arc<Caller>,
}

impl Act for ForgetPeople {
    type Permit = (Connection, SealedSecret);
    type Output = u64;
    const ACTION: &'static str = "single_sign_on.forget_people";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        claim_existing(unit, &self.caller)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, permit: Self::Permit) -> Result<Done<u64>> {
        let forgotten = single_sign_on::delete_subjects(unit.tx, self.caller.tenant)?;
        let message = "The links between people at the identity provider and accounts were deleted";
        Ok(Done::new(forgotten, resource(&permit.0), message))
    }
}

struct Delete {
    caller: Arc<Caller>,
}

impl Act for Delete {
    type Permit = (Connection, SealedSecret);
    type Output = ();
    const ACTION: &'static str = "single_sign_on.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        claim_existing(unit, &self.caller)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, permit: Self::Permit) -> Result<Done<()>> {
        single_sign_on::delete(unit.tx, self.caller.tenant)?;
        Ok(Done::new((), resource(&permit.0), "Single sign-on was deleted"))
    }
}
