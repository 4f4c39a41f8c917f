//! Requests and grants in bulk.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_storage::Options;

use super::dialect::Dialect;
use super::{id, rows, run};

/// Grants come in this many kinds, which differ in their status and their period.
const KINDS: u32 = 20;
/// The first status list of the grants. The earlier ones are left to grants that were accepted.
const FIRST_LIST: u32 = 100;
/// The entries of a status list.
const ENTRIES: u32 = 131_072;
const DAY: Duration = Duration::from_hours(24);

/// The names of parties that were inserted by hand. The next start splits them into words.
const KNOWN_NAMES: &str = "INSERT INTO known_names (holder_id, name, tenant_id)
     SELECT k.holder_id, '', k.tenant_id FROM known_parties k
     WHERE NOT EXISTS (SELECT 1 FROM known_names n
       WHERE n.tenant_id = k.tenant_id AND n.holder_id = k.holder_id);";

/// What the grants of one kind have in common.
struct Kind {
    number: u32,
    status: &'static str,
    starts_at: Timestamp,
    ends_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
}

impl Kind {
    /// A tenth of the grants is revoked, a fifth has ended, a tenth is scheduled, the others are
    /// active until different months, and some of those have no end.
    fn new(number: u32, now: Timestamp) -> Self {
        let (starts_at, ends_at) = (now.minus(30 * DAY), Some(now.plus(30 * number * DAY)));
        let active = Self { number, status: "active", starts_at, ends_at, revoked_at: None };
        match number {
            0 | 1 => {
                let (ends_at, revoked_at) = (Some(now.plus(60 * DAY)), Some(now.minus(DAY)));
                Self { status: "revoked", ends_at, revoked_at, ..active }
            }
            2..=5 => {
                let (starts_at, ends_at) = (now.minus(90 * DAY), Some(now.minus(number * DAY)));
                Self { status: "ended", starts_at, ends_at, ..active }
            }
            6 | 7 => Self { status: "scheduled", starts_at: now.plus(10 * DAY), ..active },
            19 => Self { ends_at: None, ..active },
            _ => active,
        }
    }

    /// The uses, territories and period as JSON members.
    fn coverage(&self) -> String {
        let end = self.ends_at.map_or_else(|| "null".to_owned(), |it| format!("\"{it}\""));
        format!(
            "\"uses\":[\"advertising\"],\"territories\":[\"US\"],\"starts_at\":\"{}\",\
             \"ends_at\":{end}",
            self.starts_at
        )
    }
}

/// The database's time in whole seconds.
pub async fn database_time(options: &Options) -> Timestamp {
    let query = format!("SELECT CAST({} AS text)", Dialect::of(&options.url).now);
    let found = rows(options, &query).await;
    Timestamp::from_secs(found[0][0].parse().expect("seconds"))
}

/// One grant to the licensee under each of the first `count` licenses of
/// [`super::public_licenses`], a second apart, with their requests and offers, and one open request
/// for every twentieth license. `count` must be a multiple of 20. Who sees the licenses is not
/// changed: see [`super::show_licenses`].
pub async fn grants(options: &Options, licensee: &str, count: u32, now: Timestamp) {
    assert_eq!(count % KINDS, 0, "as many grants of each kind");
    for number in 0..KINDS {
        run(options, agreed(options, licensee, (count, now), &Kind::new(number, now))).await;
    }
    run(options, open_requests(options, licensee, (count, now))).await;
    run(options, derived(options)).await;
}

/// `count` brands that a tenant shares something with: Studio 1 and so on. Their names are split
/// already, because there may be many.
pub async fn known_parties(options: &Options, holder: &str, count: u32) {
    let dialect = Dialect::of(&options.url);
    let party = dialect.id.replace("KIND", "a").replace("OF", "n");
    let (holder, series) = (id(options, holder), (dialect.series)(count));
    let script = format!(
        "INSERT INTO tenants (tenant_id, name, name_key, type, status, plan, created_at, updated_at)
         SELECT {party}, 'Studio ' || n, 'studio ' || n, 'Brand', 'active', 'Free', 0, 0
         FROM {series};
         INSERT INTO known_parties (holder_id, tenant_id, shared)
         SELECT {holder}, {party}, 1 FROM {series};
         INSERT INTO known_names (holder_id, name, tenant_id)
         SELECT {holder}, 'studio ' || n, {party} FROM {series}
         UNION ALL SELECT {holder}, CAST(n AS text), {party} FROM {series};"
    );
    run(options, script).await;
}

/// The grants of one kind, with their requests and offers.
fn agreed(
    options: &Options,
    licensee: &str,
    (count, now): (u32, Timestamp),
    kind: &Kind,
) -> String {
    let dialect = Dialect::of(&options.url);
    let number = format!("((n - 1) * {KINDS} + {} + 1)", kind.number);
    let new = |digit: &str| dialect.id.replace("KIND", digit).replace("OF", &number);
    let (licensee, coverage) = (id(options, licensee), kind.coverage());
    let terms = format!(
        "{{{coverage},\"fee\":null,\"exclusive\":false,\"channels\":[],\"conditions\":\"\",\
         \"credit_line\":null}}"
    );
    let time = |at: Option<Timestamp>| {
        at.map_or_else(|| "NULL".to_owned(), |it| it.as_micros().to_string())
    };
    let made = format!("({} + ({number} - {count}) * 1000000)", now.as_micros());
    let (request, offer, grant, license) = (new("c"), new("e"), new("d"), new("3"));
    let from = format!(
        "FROM licenses l, {} WHERE l.license_id = {license}",
        (dialect.series)(count / KINDS)
    );
    format!(
        "INSERT INTO requests (request_id, license_id, talent_id, owner_id, asker_id, status,
           begun_by, coverage, purpose, channels, unread_by_asker, unread_by_owner, lapses_at,
           version, created_by, created_at, updated_at)
         SELECT {request}, l.license_id, l.talent_id, l.tenant_id, {licensee}, 'accepted', 'asker',
           '{{{coverage}}}', 'Campaign ' || {number}, '[]', 0, 0, {made}, 3, {licensee}, {made},
           {made} {from};
         INSERT INTO offers (offer_id, request_id, license_version, terms, terms_hash, status,
           expires_at, created_by, author, created_at)
         SELECT {offer}, {request}, 1, '{terms}', 'sha256:' || {number}, 'accepted', {made},
           l.tenant_id, 'Sample', {made} {from};
         INSERT INTO grants (grant_id, request_id, license_id, license_version, talent_id,
           licensor_id, licensee_id, year, serial, status, terms, terms_hash, exclusive, starts_at,
           ends_at, accepted_by, accepted_by_name, status_list, status_index, created_at,
           revoked_at, revoke_reason)
         SELECT {grant}, {request}, l.license_id, 1, l.talent_id, l.tenant_id, {licensee}, 2026,
           {number}, '{status}', '{terms}', 'sha256:' || {number}, {no}, {starts}, {ends},
           {licensee}, 'Sample', {FIRST_LIST} + ({number} - 1) / {ENTRIES},
           {number} * 40503 % {ENTRIES}, {made}, {revoked}, {reason} {from};",
        status = kind.status,
        no = dialect.no,
        starts = kind.starts_at.as_micros(),
        ends = time(kind.ends_at),
        revoked = time(kind.revoked_at),
        reason = if kind.revoked_at.is_some() { "'Not paid'" } else { "NULL" },
    )
}

/// An open request for every twentieth license.
fn open_requests(options: &Options, licensee: &str, (count, now): (u32, Timestamp)) -> String {
    let dialect = Dialect::of(&options.url);
    let new = |digit: &str, of: &str| dialect.id.replace("KIND", digit).replace("OF", of);
    format!(
        "INSERT INTO requests (request_id, license_id, talent_id, owner_id, asker_id, status,
           begun_by, coverage, purpose, channels, unread_by_asker, unread_by_owner, lapses_at,
           version, created_by, created_at, updated_at)
         SELECT {request}, l.license_id, l.talent_id, l.tenant_id, {licensee}, 'open', 'asker',
           '{{{coverage}}}', 'Question ' || n, '[]', 0, 0, {lapses}, 1, {licensee}, {now}, {now}
         FROM licenses l, {series} WHERE l.license_id = {license};",
        request = new("c", &format!("({count} + n)")),
        license = new("3", &format!("(n * {KINDS})")),
        licensee = id(options, licensee),
        coverage = Kind::new(8, now).coverage(),
        lapses = now.plus(90 * DAY).as_micros(),
        now = now.as_micros(),
        series = (dialect.series)(count / KINDS),
    )
}

/// What the product keeps up to date with grants and requests.
fn derived(options: &Options) -> String {
    let dialect = Dialect::of(&options.url);
    let first = |digit: &str| dialect.id.replace("KIND", digit).replace("OF", "0");
    let territories = |side: &str, party: &str| {
        format!(
            "INSERT INTO grant_territories (tenant_id, party, territory, grant_id, exclusive,
               starts_at, until, talent_id, status)
             SELECT {side}, '{party}', 'US', grant_id, exclusive, starts_at,
               coalesce(revoked_at, ends_at, {}), talent_id, status
             FROM grants WHERE grant_id >= {};",
            i64::MAX,
            first("d")
        )
    };
    let counts = |side: &str, list: &str, table: &str| {
        format!(
            "INSERT INTO party_counts (tenant_id, list, status, total)
             SELECT {side}, '{list}', status, count(*) FROM {table} WHERE {side} IS NOT NULL
             GROUP BY {side}, status;"
        )
    };
    let known = |holder: &str, other: &str| {
        format!(
            "INSERT INTO known_parties (holder_id, tenant_id, shared)
             SELECT {holder}, {other}, count(*) FROM requests WHERE request_id >= {}
             GROUP BY {holder}, {other}
             ON CONFLICT (holder_id, tenant_id) DO UPDATE
             SET shared = known_parties.shared + excluded.shared;",
            first("c")
        )
    };
    [
        "DELETE FROM party_counts WHERE list <> 'unread';".to_owned(),
        counts("licensee_id", "grants_held", "grants"),
        counts("licensor_id", "grants_given", "grants"),
        counts("asker_id", "requests_made", "requests"),
        counts("owner_id", "requests_received", "requests"),
        territories("licensee_id", "asker"),
        territories("licensor_id", "owner"),
        known("asker_id", "owner_id"),
        known("owner_id", "asker_id"),
        KNOWN_NAMES.to_owned(),
        "INSERT INTO status_lists SELECT DISTINCT status_list FROM grants WHERE true
           ON CONFLICT (list_id) DO NOTHING;
         INSERT INTO grant_numbers SELECT licensor_id, year, max(serial) FROM grants WHERE true
           GROUP BY licensor_id, year
           ON CONFLICT (licensor_id, year) DO UPDATE SET last_serial = excluded.last_serial;
         INSERT INTO license_versions (license_id, version, external_id, title, description, status,
           license_type, uses, territories, fee, can_crawl, terms, valid_from, expires_at,
           image_count, since, deleted, actor_kind, actor_name)
         SELECT license_id, version, external_id, title, description, status, license_type, uses,
           territories, fee, can_crawl, terms, valid_from, expires_at, image_count, updated_at,
           deleted_at IS NOT NULL, 'system', 'system' FROM licenses WHERE true
           ON CONFLICT (license_id, version) DO NOTHING;"
            .to_owned(),
    ]
    .concat()
}
