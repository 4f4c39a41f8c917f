//! Tenants and their members.

use grantor_storage::Options;

use super::dialect::Dialect;
use super::run;

/// Creates an agency with this name.
pub async fn tenant(options: &Options, name: &str) {
    let id = Dialect::of(&options.url).id.replace("KIND", "1").replace("OF", "1");
    let script = format!(
        "INSERT INTO tenants (tenant_id, name, name_key, type, status, plan, created_at, updated_at)
         VALUES ({id}, '{name}', lower('{name}'), 'Agency', 'active', 'Free', 0, 0)"
    );
    run(options, script).await;
}

/// Changes the role of users whose address matches, in all their memberships.
pub async fn set_role(options: &Options, email: &str, role: &str) {
    let script = format!(
        "UPDATE memberships SET role = '{role}'
         WHERE user_id IN (SELECT user_id FROM users WHERE email LIKE '{email}')"
    );
    run(options, script).await;
}

/// Makes a user a `Team_Lead` in `count` further organizations.
pub async fn memberships(options: &Options, email: &str, count: u32) {
    let dialect = Dialect::of(&options.url);
    let id = dialect.id.replace("KIND", "1").replace("OF", "n");
    let series = (dialect.series)(count);
    let script = format!(
        "INSERT INTO tenants (tenant_id, name, name_key, type, status, plan, created_at, updated_at)
         SELECT {id}, 'Studio ' || n, 'studio ' || n, 'Brand', 'active', 'Free', 0, 0 FROM {series};
         INSERT INTO memberships (user_id, tenant_id, role, status, created_at, updated_at)
         SELECT u.user_id, {id}, 'Team_Lead', 'active', 0, 0 FROM {series}, users u
         WHERE u.email = '{email}'"
    );
    run(options, script).await;
}

/// Moves a user from their own tenant to the tenant with this name.
pub async fn move_into(options: &Options, email: &str, tenant: &str, role: &str) {
    let script = format!(
        "UPDATE users SET last_tenant_id = (SELECT tenant_id FROM tenants WHERE name = '{tenant}')
         WHERE email = '{email}';
         UPDATE memberships SET role = '{role}',
           tenant_id = (SELECT tenant_id FROM tenants WHERE name = '{tenant}')
         WHERE user_id = (SELECT user_id FROM users WHERE email = '{email}');"
    );
    run(options, script).await;
}

/// Makes a user a member of the tenant with this name too, and their current tenant.
pub async fn join(options: &Options, email: &str, tenant: &str, role: &str) {
    let script = format!(
        "INSERT INTO memberships (user_id, tenant_id, role, status, created_at, updated_at)
         SELECT u.user_id, t.tenant_id, '{role}', 'active', 0, 0 FROM users u, tenants t
         WHERE u.email = '{email}' AND t.name = '{tenant}';
         UPDATE users SET last_tenant_id = (SELECT tenant_id FROM tenants WHERE name = '{tenant}')
         WHERE email = '{email}';"
    );
    run(options, script).await;
}
