//! Compares the images in the database with the objects in the object store.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::{Result, hex};
use grantor_storage::image::{self, Image};
use grantor_storage::object::{ObjectKey, ObjectKind, Objects};
use grantor_storage::{Error, Store};
use tokio::task::JoinSet;

/// Rows per page.
const PAGE: usize = 500;
/// Images compared at the same time; each has at most 10 MiB.
const CONCURRENT: usize = 8;
/// Keys listed per kind of fault.
const MAX_LISTED: usize = 3;

/// What can be wrong with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// It does not exist.
    Missing,
    /// Its size differs from its row.
    WrongSize,
    /// Its SHA-256 differs from its row.
    WrongHash,
}

/// Objects with the same fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faulty {
    /// The number of objects.
    pub count: u64,
    /// The first of them.
    pub first: Vec<ObjectKey>,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// The number of images in the database.
    pub pictures: u64,
    /// How many were read completely and compared with their hash.
    pub hashed: u64,
    /// The faulty objects, by kind of fault.
    pub faults: BTreeMap<Fault, Faulty>,
}

/// Which images are read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// About this many, spread evenly.
    Sample(u64),
    /// All of them.
    All,
}

/// Checks that the objects of every row exist and have the right size, and the hash of as many as
/// requested.
pub async fn compare(store: &Store, objects: &Objects, depth: Depth) -> Result<Findings> {
    let total: std::result::Result<u64, Error> = store.read(image::count).await;
    let total = total?;
    let every = match depth {
        Depth::All => 1,
        Depth::Sample(count) => total.div_ceil(count.max(1)).max(1),
    };
    // Fails early: a missing bucket would otherwise look like missing objects.
    objects.list(ObjectKind::Image, None, 1).await?;
    let (mut findings, mut after) = (Findings::default(), None);
    loop {
        let page: std::result::Result<_, Error> =
            store.read(move |tx| image::list_after(tx, after, PAGE)).await;
        let page = page?;
        let full = page.len() == PAGE;
        after = page.last().map(|it: &Image| it.id);
        findings.compare_page(objects, page, every).await?;
        if !full {
            return Ok(findings);
        }
    }
}

impl Findings {
    async fn compare_page(
        &mut self,
        objects: &Objects,
        page: Vec<Image>,
        every: u64,
    ) -> Result<()> {
        let (mut images, mut running) = (page.into_iter(), JoinSet::new());
        loop {
            while running.len() < CONCURRENT {
                let Some(image) = images.next() else { break };
                let whole = self.pictures.is_multiple_of(every);
                self.pictures += 1;
                self.hashed += u64::from(whole);
                let objects = objects.clone();
                running.spawn(async move { faults(&objects, &image, whole).await });
            }
            let Some(found) = running.join_next().await else { return Ok(()) };
            let found = found.map_err(|error| Error::Fault(error.to_string()))??;
            for (fault, key) in found {
                let faulty = self.faults.entry(fault).or_default();
                faulty.count += 1;
                if faulty.first.len() < MAX_LISTED {
                    faulty.first.push(key);
                }
            }
        }
    }
}

async fn faults(
    objects: &Objects,
    image: &Image,
    whole: bool,
) -> std::result::Result<Vec<(Fault, ObjectKey)>, Error> {
    let [picture, thumbnail] = [ObjectKind::Image, ObjectKind::Thumbnail]
        .map(|kind| ObjectKey::new(kind, image.id.as_uuid()));
    let mut found = Vec::new();
    match objects.size(picture).await? {
        None => found.push((Fault::Missing, picture)),
        Some(size) if size != u64::from(image.bytes) => found.push((Fault::WrongSize, picture)),
        Some(_) if whole => {
            let bytes = objects.get(picture).await?.unwrap_or_default();
            if hex::encode(digest(&SHA256, &bytes).as_ref()) != image.sha256 {
                found.push((Fault::WrongHash, picture));
            }
        }
        Some(_) => {}
    }
    match objects.size(thumbnail).await? {
        None => found.push((Fault::Missing, thumbnail)),
        Some(0) => found.push((Fault::WrongSize, thumbnail)),
        Some(_) => {}
    }
    Ok(found)
}
