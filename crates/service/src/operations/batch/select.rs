//! The records that a person selects: single rows, or all that match the filters of a list. The names
//! of records that the person cannot see are not told.

use std::collections::{HashMap, HashSet};

use grantor_domain::batch::{BatchItem, BatchList};
use grantor_domain::id::{LicenseId, MentionId, RequestId, TalentId};
use grantor_domain::license::{LicenseQuery, LicenseSort};
use grantor_domain::mention::{Mention, MentionQuery};
use grantor_domain::page::Page;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::license::reader::{self, Reader};
use grantor_storage::record_index::{
    MentionSearch, RequestSearch, TalentSearch, search_mentions, search_requests, search_talents,
};
use grantor_storage::request::{RequestRecord, Viewer};
use grantor_storage::{Tx, license, mention, request, talent, user};
use uuid::Uuid;

use crate::App;
use crate::identity::access::{Caller, TenantCaller};
use crate::licensing::license::{LicenseRef, resolve};
use crate::licensing::request::side;
use crate::watching::mention::find_visible;

/// One more than a batch can have, to notice that there are too many.
const MOST: u32 = 10_001;
/// How many records are read at a time.
const AT_ONCE: u32 = 500;

/// What is selected.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// These records.
    Ids(Vec<Uuid>),
    /// All records that match.
    Matching(Box<Filter>),
}

/// The filters of a list.
#[derive(Clone, Debug)]
pub enum Filter {
    /// Licenses that a reader sees.
    Licenses(Reader, Box<LicenseQuery>),
    /// The tenant's talents.
    Talents(TalentSearch),
    /// Mentions of all licenses that the person sees.
    Mentions(MentionSearch),
    /// Mentions of one license.
    MentionsOf(LicenseId, MentionQuery),
    /// The tenant's requests.
    Requests(RequestSearch),
}

/// Returns the selected records of a list, in its order, up to one more than a batch can have.
pub async fn select(
    app: &App,
    caller: &Caller,
    list: BatchList,
    chosen: Chosen,
) -> Result<Vec<BatchItem>> {
    let (caller, now) = (TenantCaller::from(caller), app.clock.now());
    app.store
        .read(move |tx| match &chosen {
            Chosen::Matching(filter) => matching(tx, caller, filter, now),
            Chosen::Ids(ids) => {
                let mut ids = ids.clone();
                ids.truncate(MOST as usize);
                let names = names(tx, caller, list, &ids)?;
                Ok(named(ids, names))
            }
        })
        .await
}

/// Each record once, with its name if there is one.
fn named(ids: Vec<Uuid>, mut names: HashMap<Uuid, String>) -> Vec<BatchItem> {
    let mut items: Vec<BatchItem> = Vec::with_capacity(ids.len());
    let mut seen = HashSet::new();
    for id in ids {
        if seen.insert(id) {
            items.push(BatchItem { id, name: names.remove(&id).unwrap_or_default() });
        }
    }
    items
}

/// The names of those of these records that the caller sees.
fn names(
    tx: &mut Tx<'_>,
    caller: TenantCaller,
    list: BatchList,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, String>> {
    let mut names = HashMap::new();
    match list {
        BatchList::Licenses => {
            let mut visible: Vec<LicenseId> = Vec::new();
            for id in ids {
                let id = LicenseId::from(*id);
                visible.extend(reader::find(tx, caller.reader(), id)?.map(|it| it.id));
            }
            names.extend(titles(tx, &visible)?);
        }
        BatchList::Talents => {
            let ids: Vec<_> = ids.iter().map(|it| TalentId::from(*it)).collect();
            let found = talent::names_of(tx, caller.tenant, &ids)?;
            names.extend(found.into_iter().map(|(id, name)| (id.as_uuid(), name)));
        }
        BatchList::Mentions => {
            let ids: Vec<_> = ids.iter().map(|it| MentionId::from(*it)).collect();
            for kept in mention::load(tx, &ids)? {
                if let Some(seen) = find_visible(tx, caller.reader(), kept)? {
                    let it = &seen.shown.mention;
                    names.insert(it.id.as_uuid(), mention_name(it));
                }
            }
        }
        BatchList::Requests => {
            let ids: Vec<_> = ids.iter().map(|it| RequestId::from(*it)).collect();
            for record in request::load(tx, &ids)? {
                if side(tx, caller, &record.request).is_ok() {
                    names.insert(record.request.id.as_uuid(), request_name(&record));
                }
            }
        }
    }
    Ok(names)
}

fn titles(tx: &mut Tx<'_>, ids: &[LicenseId]) -> Result<HashMap<Uuid, String>> {
    let title = |it: license::LicenseRecord| {
        (it.license.id.as_uuid(), it.license.title.as_str().to_owned())
    };
    Ok(license::load(tx, ids)?.into_iter().map(title).collect())
}

fn mention_name(mention: &Mention) -> String {
    let title = mention.title.trim();
    let name = if title.is_empty() { mention.url.as_str() } else { title };
    name.chars().take(200).collect()
}

fn request_name(record: &RequestRecord) -> String {
    let asker = record.asker.as_ref().map(|it| it.name.as_str());
    let asker = asker.or(record.request.email.as_deref()).unwrap_or("–");
    format!("{} · {asker}", record.license_title)
}

/// All records that match.
fn matching(
    tx: &mut Tx<'_>,
    caller: TenantCaller,
    filter: &Filter,
    now: Timestamp,
) -> Result<Vec<BatchItem>> {
    match filter {
        Filter::Licenses(reader, query) => {
            let (page, sort) = (Page::new(1, MOST), LicenseSort::CreatedAt);
            let query = LicenseQuery { page, sort, ..(**query).clone() };
            let found = reader::page(tx, *reader, &query, now)?;
            let ids: Vec<_> = found.items.iter().map(|it| it.id).collect();
            let titles = titles(tx, &ids)?;
            Ok(named(ids.into_iter().map(LicenseId::as_uuid).collect(), titles))
        }
        Filter::Talents(search) => in_parts(|page| {
            let found = search_talents(tx, caller.tenant, search, page)?;
            let item = |talent: &grantor_domain::talent::Talent| BatchItem {
                id: talent.id.as_uuid(),
                name: talent.fullname.as_str().to_owned(),
            };
            Ok(found.items.iter().map(|it| item(&it.talent)).collect())
        }),
        Filter::Mentions(search) => {
            let found = search_mentions(tx, caller.reader(), search, Page::new(1, MOST))?;
            let kept = mention::load(tx, &found.items)?;
            let names = kept.iter().map(|it| &it.mention);
            let names = names.map(|it| (it.id.as_uuid(), mention_name(it))).collect();
            Ok(named(found.items.into_iter().map(MentionId::as_uuid).collect(), names))
        }
        Filter::MentionsOf(license, query) => {
            let (id, _) = resolve(tx, caller.reader(), &LicenseRef::Id(*license))?;
            let query = MentionQuery { page: Page::new(1, MOST), ..query.clone() };
            let found = mention::list(tx, id, &query)?;
            let mentions = found.items.iter().map(|it| &it.mention);
            let item = |it: &Mention| BatchItem { id: it.id.as_uuid(), name: mention_name(it) };
            Ok(mentions.map(item).collect())
        }
        Filter::Requests(search) => {
            let email_key = user::find(tx, caller.user)?.map(|it| it.email_key);
            let viewer = Viewer { tenant: caller.tenant, email_key };
            in_parts(|page| {
                let found = search_requests(tx, &viewer, search, page)?;
                let item = |it: &RequestRecord| BatchItem {
                    id: it.request.id.as_uuid(),
                    name: request_name(it),
                };
                Ok(found.items.iter().map(item).collect())
            })
        }
    }
}

/// Reads a list page by page.
fn in_parts(mut read: impl FnMut(Page) -> Result<Vec<BatchItem>, Error>) -> Result<Vec<BatchItem>> {
    let mut items = Vec::new();
    for number in 1.. {
        let part = read(Page::new(number, AT_ONCE))?;
        let last = part.len() < AT_ONCE as usize;
        items.extend(part);
        if last || items.len() >= MOST as usize {
            break;
        }
    }
    items.truncate(MOST as usize);
    Ok(items)
}

#[cfg(test)]
mod tests {
    use grantor_domain::batch::MAX_ITEMS;

    use super::*;

    #[test]
    fn too_many_are_noticed() {
        assert_eq!(MOST as usize, MAX_ITEMS + 1);
        let full = |page: Page| {
            let item = |at: u32| BatchItem {
                id: Uuid::from_u128(u128::from(page.number() * AT_ONCE + at)),
                name: String::new(),
            };
            Ok((0..AT_ONCE).map(item).collect())
        };
        assert_eq!(in_parts(full).unwrap().len(), MAX_ITEMS + 1);
    }

    #[test]
    fn each_record_is_selected_once() {
        let [one, other] = [1, 2].map(Uuid::from_u128);
        let names = HashMap::from([(one, "One".to_owned())]);
        let items = named(vec![one, other, one], names);
        let names: Vec<_> = items.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["One", ""]);
    }
}
