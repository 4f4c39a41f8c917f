//! Rows of licenses, talents, requests, grants and bookmarks. Licenses and talents have the columns that
//! imports read.

use std::collections::HashMap;

use grantor_domain::email::Email;
use grantor_domain::grant::{Coverage, Party};
use grantor_domain::id::{LicenseId, RequestId, TalentId};
use grantor_domain::license::{LicenseFee, LicenseQuery, LicenseSort, LicenseStatus, Territory};
use grantor_domain::page::{Order, Page};
use grantor_domain::person::{Bio, Phone};
use grantor_domain::tag::TaggedKind;
use grantor_domain::{Error, Result};
use grantor_service::identity::access::TenantCaller;
use grantor_service::licensing::bookmark::{self, Content};
use grantor_service::licensing::grant::{self, GrantSearch, GrantView};
use grantor_service::licensing::license::{self, LicenseRecord, LicenseRef};
use grantor_service::licensing::request::{self as requests_service, RequestView};
use grantor_service::licensing::tag;
use grantor_service::licensing::talent::{self, ListedTalent};
use grantor_service::operations::batch::Filter;
use grantor_service::operations::csv_file::Rows;
use grantor_service::operations::record_index::{RecordOrder, RecordSort};
use uuid::Uuid;

use super::{flag, moment, time};
use crate::frame::{Params, Person};
use crate::license::matching;
use crate::view::sentence_case;

/// The order of files: the oldest record first, so that new ones are at the end.
const OLDEST_FIRST: RecordOrder = RecordOrder { sort: RecordSort::Created, order: Order::Asc };

pub(super) const LICENSES: &[&str] = &[
    "Name",
    "External ID",
    "Talent",
    "Talent external ID",
    "Type",
    "Description",
    "Status",
    "Uses",
    "Countries",
    "Fee",
    "Currency",
    "Fee per",
    "Monitoring",
    "Valid from",
    "Expires",
    "Tags",
    "Owner",
    "Created",
    "Updated",
];

pub(super) const TALENTS: &[&str] = &[
    "Name",
    "External ID",
    "Also known as",
    "Email",
    "Phone",
    "Bio",
    "Social media",
    "Status",
    "Tags",
    "Verified",
    "Licenses",
    "Added",
    "Updated",
];

pub(super) const REQUESTS: &[&str] = &[
    "License",
    "Talent",
    "Licensor",
    "Licensee",
    "Your side",
    "Status",
    "Uses",
    "Countries",
    "Starts",
    "Ends",
    "Purpose",
    "Reason",
    "Created",
    "Last change",
];

pub(super) const GRANTS: &[&str] = &[
    "Number",
    "License",
    "Talent",
    "Licensor",
    "Licensee",
    "Your side",
    "Status",
    "Uses",
    "Countries",
    "Starts",
    "Ends",
    "Exclusive",
    "Fee",
    "Currency",
    "Fee per",
    "Accepted",
    "Revoked",
];

pub(super) const BOOKMARKS: &[&str] = &["Kind", "Item", "Note", "Tags", "Added"];

fn caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

/// What else is known about the records of a part: tags and external IDs.
#[derive(Default)]
struct Details {
    tags: HashMap<Uuid, Vec<String>>,
    talents: HashMap<TalentId, String>,
}

impl Details {
    async fn load(
        person: &Person,
        kind: TaggedKind,
        ids: Vec<Uuid>,
        talents: Vec<TalentId>,
    ) -> Result<Self> {
        let tags = tag::list_of(person.app(), &person.caller, kind, ids).await?;
        let talents = talent::external_ids(person.app(), talents).await?;
        Ok(Self { tags, talents })
    }

    fn tags(&self, id: Uuid) -> String {
        self.tags.get(&id).map(|it| it.join(", ")).unwrap_or_default()
    }

    fn talent(&self, id: TalentId) -> String {
        self.talents.get(&id).cloned().unwrap_or_default()
    }
}

pub(super) async fn licenses(person: &Person, params: &Params, page: Page) -> Result<Rows> {
    let Filter::Licenses(reader, query) = matching(person, params)? else {
        return Err(Error::internal("the filter of another list"));
    };
    let (sort, order) = (LicenseSort::CreatedAt, Order::Asc);
    let query = LicenseQuery { page, sort, order, ..*query };
    let found = license::list_full(person.app(), reader, query).await?.items;
    let found: Vec<_> = found.into_iter().map(|it| (it.shown, it.status)).collect();
    license_rows(person, &found).await
}

/// The row of one license that the person sees.
pub(super) async fn license(person: &Person, id: LicenseId) -> Result<Vec<String>> {
    let named = LicenseRef::Id(id);
    let seen = license::get(person.app(), person.caller.reader(), named).await?;
    let rows = license_rows(person, &[(seen.shown, seen.status)]).await?;
    rows.into_iter().next().ok_or_else(|| Error::not_found("License"))
}

async fn license_rows(person: &Person, found: &[(LicenseRecord, LicenseStatus)]) -> Result<Rows> {
    // The agency's own IDs are for the agency alone.
    let own = |it: &&(LicenseRecord, LicenseStatus)| it.0.license.tenant == person.caller.tenant;
    let ids = found.iter().map(|(it, _)| it.license.id.as_uuid()).collect();
    let talents = found.iter().filter(own).map(|(it, _)| it.license.talent).collect();
    let details = Details::load(person, TaggedKind::License, ids, talents).await?;
    Ok(found.iter().map(|(it, status)| license_row(it, *status, &details)).collect())
}

fn license_row(shown: &LicenseRecord, status: LicenseStatus, details: &Details) -> Vec<String> {
    let license = &shown.license;
    let uses: Vec<_> = license.uses.as_slice().iter().map(|it| it.label()).collect();
    let [amount, currency, per] = fee(license.fee);
    vec![
        license.title.as_str().to_owned(),
        license.external_id.as_ref().map(|it| it.as_str().to_owned()).unwrap_or_default(),
        shown.talent_name.clone(),
        details.talent(license.talent),
        license.license_type.label().to_owned(),
        license.description.as_str().to_owned(),
        sentence_case(status.name()),
        uses.join("; "),
        countries(license.territories.as_slice()),
        amount,
        currency,
        per,
        flag(license.can_crawl),
        time(license.valid_from),
        time(license.expires_at),
        details.tags(license.id.as_uuid()),
        shown.owner_name.clone(),
        moment(license.created_at),
        moment(license.updated_at),
    ]
}

fn countries(territories: &[Territory]) -> String {
    territories.iter().map(|it| it.label()).collect::<Vec<_>>().join("; ")
}

/// The amount, the currency and what a fee is paid per.
fn fee(fee: Option<LicenseFee>) -> [String; 3] {
    fee.map_or_else(<[String; 3]>::default, |it| {
        [it.amount.to_string(), it.currency.to_string(), sentence_case(it.per.name())]
    })
}

pub(super) async fn talents(person: &Person, params: &Params, page: Page) -> Result<Rows> {
    let (mut search, ..) = crate::talent::query(params)?;
    search.order = OLDEST_FIRST;
    let found = talent::search(person.app(), &person.caller, search, page).await?.items;
    talent_rows(person, &found).await
}

/// The row of one talent of the tenant.
pub(super) async fn talent(person: &Person, id: TalentId) -> Result<Vec<String>> {
    let found = talent::get(person.app(), &person.caller, id).await?;
    if found.talent.tenant != person.caller.tenant {
        return Err(Error::not_found("Talent"));
    }
    let rows = talent_rows(person, &[found]).await?;
    rows.into_iter().next().ok_or_else(|| Error::not_found("Talent"))
}

async fn talent_rows(person: &Person, found: &[ListedTalent]) -> Result<Rows> {
    let ids = found.iter().map(|it| it.talent.id.as_uuid()).collect();
    let talents = found.iter().map(|it| it.talent.id).collect();
    let details = Details::load(person, TaggedKind::Talent, ids, talents).await?;
    Ok(found.iter().map(|it| talent_row(it, &details)).collect())
}

fn talent_row(listed: &ListedTalent, details: &Details) -> Vec<String> {
    let it = &listed.talent;
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let profiles =
        it.social_media.as_map().iter().map(|(name, handle)| format!("{name}: {handle}"));
    vec![
        it.fullname.as_str().to_owned(),
        details.talent(it.id),
        it.aliases.as_slice().join("; "),
        text(it.email.as_ref().map(Email::as_str)),
        text(it.phone.as_ref().map(Phone::as_str)),
        text(it.bio.as_ref().map(Bio::as_str)),
        profiles.collect::<Vec<_>>().join("; "),
        sentence_case(it.status.name()),
        details.tags(it.id.as_uuid()),
        flag(it.verified),
        listed.license_count.to_string(),
        moment(it.created_at),
        moment(it.updated_at),
    ]
}

pub(super) async fn requests(person: &Person, params: &Params, page: Page) -> Result<Rows> {
    let (mut search, ..) = crate::request::read_list(params)?;
    search.order = OLDEST_FIRST;
    let found = requests_service::search(person.app(), caller(person), search, page).await?;
    Ok(found.items.iter().map(request_row).collect())
}

/// The row of one request that the person sees.
pub(super) async fn request(person: &Person, id: RequestId) -> Result<Vec<String>> {
    let thread = requests_service::get(person.app(), caller(person), id).await?;
    Ok(request_row(&thread.view))
}

fn request_row(view: &RequestView) -> Vec<String> {
    let (record, request) = (&view.record, &view.record.request);
    let asker = record.asker.as_ref().map(|it| it.name.clone());
    let [uses, places, starts, ends] = coverage(&request.coverage);
    vec![
        record.license_title.clone(),
        record.talent_name.clone(),
        record.owner.name.clone(),
        asker.or_else(|| request.email.clone()).unwrap_or_default(),
        side(view.party),
        sentence_case(view.status.name()),
        uses,
        places,
        starts,
        ends,
        request.purpose.clone(),
        request.reason.clone().unwrap_or_default(),
        moment(request.created_at),
        moment(request.updated_at),
    ]
}

fn side(party: Party) -> String {
    match party {
        Party::Owner => "Licensor",
        Party::Asker => "Licensee",
    }
    .to_owned()
}

/// The uses, the countries, the start and the end.
fn coverage(coverage: &Coverage) -> [String; 4] {
    let uses: Vec<_> = coverage.uses.as_slice().iter().map(|it| it.label()).collect();
    [
        uses.join("; "),
        countries(coverage.territories.as_slice()),
        moment(coverage.starts_at),
        time(coverage.ends_at),
    ]
}

pub(super) async fn grants(person: &Person, params: &Params, page: Page) -> Result<Rows> {
    let wanted = crate::grant::read_list(person, params)?;
    let found = if let Some(filter) = wanted.in_force() {
        grant::list(person.app(), caller(person), filter, page).await?
    } else {
        let search = GrantSearch { order: OLDEST_FIRST, ..wanted.search };
        grant::search(person.app(), caller(person), search, page).await?
    };
    Ok(found.items.iter().map(grant_row).collect())
}

fn grant_row(view: &GrantView) -> Vec<String> {
    let (record, grant) = (&view.record, &view.record.grant);
    let [uses, places, starts, ends] = coverage(&grant.terms.coverage);
    let [amount, currency, per] = fee(grant.terms.fee);
    vec![
        grant.number.to_string(),
        record.license_title.clone(),
        record.talent_name.clone(),
        record.licensor.name.clone(),
        record.licensee.name.clone(),
        side(view.party),
        sentence_case(view.status.name()),
        uses,
        places,
        starts,
        ends,
        flag(grant.terms.exclusive),
        amount,
        currency,
        per,
        moment(grant.created_at),
        time(grant.revoked_at),
    ]
}

pub(super) async fn bookmarks(person: &Person, page: Page) -> Result<Rows> {
    let found = bookmark::list(person.app(), caller(person), page).await?;
    let row = |it: &bookmark::BookmarkView| {
        let fields = &it.bookmark.fields;
        let item = match &it.content {
            Some(Content::License(seen)) => seen.shown.license.title.as_str().to_owned(),
            Some(Content::Mention(seen)) => seen.shown.mention.title.clone(),
            None => String::new(),
        };
        vec![
            sentence_case(fields.target.kind().name()),
            item,
            fields.note.as_str().to_owned(),
            fields.tags.as_slice().join(", "),
            moment(it.bookmark.created_at),
        ]
    };
    Ok(found.items.iter().map(row).collect())
}
