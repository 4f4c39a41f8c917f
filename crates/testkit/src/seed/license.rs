//! Licenses in bulk, and the lists of their readers.

use grantor_domain::id::LicenseId;
use grantor_storage::license::index;
use grantor_storage::{Options, Store};

use super::dialect::Dialect;
use super::{id, rows, run};

/// The reader id of the agency of [`public_licenses`] for the licenses that it owns.
pub const SAMPLE_OWNER: &str = "10000000-0000-8000-0000-000000000001";

/// One agency with a tenth as many talents, and `count` public licenses, each a second apart.
pub async fn public_licenses(options: &Options, count: u32) {
    fill(options, count, |reader| {
        format!(
            "INSERT INTO reader_counts VALUES ({reader}, 'public', 0, {count})
             ON CONFLICT (reader_id, status, shard) DO UPDATE
             SET total = reader_counts.total + {count};"
        )
    })
    .await;
    let stale = "INSERT INTO license_stale SELECT license_id, 1 FROM licenses WHERE true
                 ON CONFLICT DO NOTHING";
    run(options, stale.to_owned()).await;
    index_licenses(options).await;
}

/// Like [`public_licenses`], in a store whose schema is older than the index of licenses.
pub async fn licenses_without_index(options: &Options, count: u32) {
    let counted = |reader: &str| {
        format!("INSERT INTO reader_counts VALUES ({reader}, 'public', {count}, 1);")
    };
    fill(options, count, counted).await;
}

async fn fill(options: &Options, count: u32, counted: impl Fn(&str) -> String) {
    let talents = count.div_ceil(10);
    let dialect = Dialect::of(&options.url);
    let id = |kind: u8, of: &str| dialect.id.replace("KIND", &kind.to_string()).replace("OF", of);
    let (tenant, license, series) = (id(1, "1"), id(3, "n"), (dialect.series)(count));
    let readers = |reader: &str, role: u8| {
        format!("{} {}", shown_to(reader, role, &license, &series), counted(reader))
    };
    let script = format!(
        "INSERT INTO tenants (tenant_id, name, name_key, type, status, plan, created_at, updated_at)
         VALUES ({tenant}, 'Sample Agency', 'sample agency', 'Agency', 'active', 'Free', 0, 0);
         INSERT INTO talents (talent_id, tenant_id, user_id, fullname, aliases, names_key, email,
           phone, bio, social_media, status, license_count, created_at, updated_at)
         SELECT {talent}, {tenant}, NULL, 'Talent ' || n, '[]', 'talent ' || n,
           NULL, NULL, NULL, '{{}}', 'active', 10, n, n FROM {talent_series};
         INSERT INTO licenses (license_id, tenant_id, talent_id, external_id, title,
           description, status, license_type, uses, territories, fee, can_crawl, terms, valid_from,
           expires_at, image_count, version, created_at, updated_at, deleted_at)
         SELECT {license}, {tenant}, {of_talent}, NULL, 'License ' || n,
           'For all that is asked of number ' || n, 'public', 'advertising',
           '[\"advertising\", \"social_media\"]', '[\"WORLD\"]',
           '{{\"amount\": \"250.00\", \"currency\": \"EUR\", \"per\": \"month\"}}',
           {no}, '{{}}', NULL, NULL, 0, 1, n * 1000000, n * 1000000, NULL
         FROM {series};
         {of_tenant}{of_owner}{of_everybody}",
        talent = id(2, "n"),
        of_talent = id(2, &format!("(n % {talents} + 1)")),
        talent_series = (dialect.series)(talents),
        no = dialect.no,
        of_tenant = readers(&tenant, 2),
        of_owner = readers(&super::id(options, SAMPLE_OWNER), 2),
        of_everybody = readers(&id(0, "0"), 0),
    );
    run(options, script).await;
}

/// Updates the index, as a worker does after licenses were written.
pub async fn index_licenses(options: &Options) {
    let store = Store::open(options).await.expect("the store opens");
    let mut after = LicenseId::from(uuid::Uuid::nil());
    loop {
        let folded = store.write(move |tx| index::update(tx, after, 5_000)).await;
        match folded.expect("the index is written") {
            Some(last) => after = last,
            None => break,
        }
    }
}

/// Adds `count` copies of a license with the same permissions. The copies are newer, and in
/// nobody's list of licenses.
pub async fn copy_license(options: &Options, license: &str, count: u32) {
    let dialect = Dialect::of(&options.url);
    let new = |kind: &str| dialect.id.replace("KIND", kind).replace("OF", "n");
    let script = format!(
        "INSERT INTO licenses (license_id, tenant_id, talent_id, title, description, status,
           license_type, uses, territories, can_crawl, terms, image_count, version, created_at,
           updated_at, watched_since)
         SELECT {copy}, tenant_id, talent_id, title, description, status, license_type, uses,
           territories, can_crawl, terms, 0, 1, created_at, updated_at, watched_since
         FROM licenses, {series} WHERE license_id = {license};
         INSERT INTO permissions (permission_id, license_id, grantee_kind, grantee_id, role,
           granted_by, created_at, accepted_at, talent_id)
         SELECT {right}, {copy}, grantee_kind, grantee_id, role, granted_by, created_at, accepted_at,
           talent_id
         FROM permissions, {series} WHERE license_id = {license};
         ANALYZE",
        copy = new("8"),
        right = new("9"),
        license = id(options, license),
        series = (dialect.series)(count),
    );
    run(options, script).await;
}

/// Shares a license with `count` email addresses that nobody has claimed, a microsecond apart.
pub async fn permissions(options: &Options, license: &str, count: u32) {
    let dialect = Dialect::of(&options.url);
    let right = dialect.id.replace("KIND", "b").replace("OF", "n");
    let script = format!(
        "INSERT INTO permissions (permission_id, license_id, grantee_kind, grantee_id, role,
           granted_by, created_at, email, email_key, talent_id)
         SELECT {right}, license_id, 'user', {right}, 'viewer', tenant_id, n,
           'p' || n || '@example.com', 'p' || n || '@example.com', talent_id
         FROM licenses, {series} WHERE license_id = {license};",
        license = id(options, license),
        series = (dialect.series)(count),
    );
    run(options, script).await;
}

/// Makes the first `count` of those licenses visible to a tenant.
pub async fn show_licenses(options: &Options, tenant: &str, count: u32) {
    let dialect = Dialect::of(&options.url);
    let license = dialect.id.replace("KIND", "3").replace("OF", "n");
    let tenant = id(options, tenant);
    let script = format!(
        "DELETE FROM license_readers WHERE reader_id = {tenant} AND license_id >= {first};
         {shown}
         DELETE FROM reader_counts WHERE reader_id = {tenant};
         INSERT INTO reader_counts SELECT reader_id, status, 0, count(*) FROM license_readers
         WHERE reader_id = {tenant} GROUP BY reader_id, status;
         INSERT INTO license_stale SELECT {license}, 1 FROM {series} WHERE true
         ON CONFLICT (license_id) DO UPDATE SET mark = license_stale.mark + 1;",
        series = (dialect.series)(count),
        first = dialect.id.replace("KIND", "3").replace("OF", "0"),
        shown = shown_to(&tenant, 0, &license, &(dialect.series)(count)),
    );
    run(options, script).await;
    index_licenses(options).await;
}

/// All rows of a reader's list, and its counts.
pub async fn reader_rows(options: &Options, reader: &str) -> Vec<Vec<String>> {
    let reader = id(options, reader);
    let query = format!(
        "SELECT title, status, license_type, CAST(role AS text), CAST(version AS text),
           CAST(updated_at AS text) FROM license_readers WHERE reader_id = {reader}
         UNION ALL
         SELECT '', status, CAST(total AS text), '', '', '' FROM reader_counts
         WHERE reader_id = {reader} ORDER BY 1"
    );
    rows(options, &query).await
}

/// Empties a reader's list.
pub async fn forget_reader(options: &Options, reader: &str) {
    let reader = id(options, reader);
    let script = format!(
        "DELETE FROM license_readers WHERE reader_id = {reader};
         DELETE FROM reader_counts WHERE reader_id = {reader};"
    );
    run(options, script).await;
}

fn shown_to(reader: &str, role: u8, license: &str, series: &str) -> String {
    format!(
        "INSERT INTO license_readers SELECT {reader}, {license}, {role}, 'public', 'advertising',
           'License ' || n, NULL, 1, n * 1000000 FROM {series};"
    )
}
