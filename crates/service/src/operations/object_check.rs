//! Compares the images, the evidence and the catalog pictures in the database with the objects in
//! the object store.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use grantor_domain::{Result, hex};
use grantor_storage::catalog_picture::{self, CatalogPicture};
use grantor_storage::evidence::{self, CopiesOf};
use grantor_storage::image::{self, Image};
use grantor_storage::object::{ObjectKey, ObjectKind, Objects};
use grantor_storage::{Error, Store};
use tokio::task::JoinSet;

/// Rows per page.
const PAGE: usize = 500;
/// Objects compared at the same time; each has at most 10 MiB.
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
    /// The number of images and catalog pictures in the database.
    pub pictures: u64,
    /// The number of pictures that evidence has.
    pub copies: u64,
    /// How many of both were read completely and compared with their hash.
    pub hashed: u64,
    /// The faulty objects, by kind of fault.
    pub faults: BTreeMap<Fault, Faulty>,
    /// How many objects with a hash were looked at.
    seen: u64,
}

/// Which objects are read completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// About this many, spread evenly.
    Sample(u64),
    /// All of them.
    All,
}

/// An object that a row has.
struct Expected {
    key: ObjectKey,
    /// Its length and SHA-256. A row does not know those of a thumbnail.
    sum: Option<(u64, String)>,
}

/// Checks that the objects of every row exist and have the right size, and the hash of as many as
/// requested: images with their thumbnails, and the pictures that evidence has.
pub async fn compare(store: &Store, objects: &Objects, depth: Depth) -> Result<Findings> {
    let total: std::result::Result<u64, Error> =
        store.read(|tx| Ok(image::count(tx)? + evidence::count_copies(tx)?)).await;
    let total = total?;
    let every = match depth {
        Depth::All => 1,
        Depth::Sample(count) => total.div_ceil(count.max(1)).max(1),
    };
    // Fails early: a missing bucket would otherwise look like missing objects.
    objects.list(ObjectKind::Image, None, 1).await?;
    let mut findings = Findings::default();
    findings.compare_images(store, objects, every).await?;
    findings.compare_copies(store, objects, every).await?;
    findings.compare_catalog(store, objects, every).await?;
    Ok(findings)
}

impl Findings {
    async fn compare_images(&mut self, store: &Store, objects: &Objects, every: u64) -> Result<()> {
        let mut after = None;
        loop {
            let page: std::result::Result<Vec<Image>, Error> =
                store.read(move |tx| image::list_after(tx, after, PAGE)).await;
            let page = page?;
            let full = page.len() == PAGE;
            after = page.last().map(|it| it.id);
            self.pictures += page.len() as u64;
            self.compare_page(objects, page.into_iter().flat_map(of_image), every).await?;
            if !full {
                return Ok(());
            }
        }
    }

    async fn compare_copies(&mut self, store: &Store, objects: &Objects, every: u64) -> Result<()> {
        let mut after = None;
        loop {
            let page: std::result::Result<Vec<CopiesOf>, Error> =
                store.read(move |tx| evidence::list_after(tx, after, PAGE)).await;
            let page = page?;
            let full = page.len() == PAGE;
            after = page.last().map(|it| it.id);
            let copies: Vec<Expected> = page.into_iter().flat_map(of_evidence).collect();
            self.copies += copies.len() as u64;
            self.compare_page(objects, copies.into_iter(), every).await?;
            if !full {
                return Ok(());
            }
        }
    }

    async fn compare_catalog(
        &mut self,
        store: &Store,
        objects: &Objects,
        every: u64,
    ) -> Result<()> {
        let mut after = None;
        loop {
            let page: std::result::Result<Vec<CatalogPicture>, Error> =
                store.read(move |tx| catalog_picture::list_after(tx, after, PAGE)).await;
            let page = page?;
            let full = page.len() == PAGE;
            after = page.last().map(|it| it.id);
            self.pictures += page.len() as u64;
            self.compare_page(objects, page.into_iter().flat_map(of_catalog), every).await?;
            if !full {
                return Ok(());
            }
        }
    }

    async fn compare_page(
        &mut self,
        objects: &Objects,
        mut page: impl Iterator<Item = Expected>,
        every: u64,
    ) -> Result<()> {
        let mut running = JoinSet::new();
        loop {
            while running.len() < CONCURRENT {
                let Some(expected) = page.next() else { break };
                let whole = expected.sum.is_some() && self.seen.is_multiple_of(every);
                self.seen += u64::from(expected.sum.is_some());
                self.hashed += u64::from(whole);
                let objects = objects.clone();
                running.spawn(async move { find_fault(&objects, &expected, whole).await });
            }
            let Some(found) = running.join_next().await else { return Ok(()) };
            let found = found.map_err(|error| Error::Fault(error.to_string()))??;
            if let Some((fault, key)) = found {
                let faulty = self.faults.entry(fault).or_default();
                faulty.count += 1;
                if faulty.first.len() < MAX_LISTED {
                    faulty.first.push(key);
                }
            }
        }
    }
}

fn of_image(image: Image) -> [Expected; 2] {
    let key = |kind| ObjectKey::new(kind, image.id.as_uuid());
    let sum = Some((u64::from(image.bytes), image.sha256));
    [
        Expected { key: key(ObjectKind::Image), sum },
        Expected { key: key(ObjectKind::Thumbnail), sum: None },
    ]
}

fn of_catalog(shown: CatalogPicture) -> [Expected; 2] {
    let key = |kind| ObjectKey::new(kind, shown.id.as_uuid());
    let sum = Some((u64::from(shown.bytes), shown.sha256));
    [
        Expected { key: key(ObjectKind::CatalogPicture), sum },
        Expected { key: key(ObjectKind::CatalogThumbnail), sum: None },
    ]
}

fn of_evidence(copies: CopiesOf) -> impl Iterator<Item = Expected> {
    let CopiesOf { id, picture, reference } = copies;
    let both = [(ObjectKind::Evidence, picture), (ObjectKind::Reference, reference)];
    both.into_iter().filter_map(move |(kind, copy)| {
        let sum = copy.map(|it| (u64::from(it.bytes), it.sha256));
        sum.map(|sum| Expected { key: ObjectKey::new(kind, id.as_uuid()), sum: Some(sum) })
    })
}

async fn find_fault(
    objects: &Objects,
    Expected { key, sum }: &Expected,
    whole: bool,
) -> std::result::Result<Option<(Fault, ObjectKey)>, Error> {
    let fault = match (objects.size(*key).await?, sum) {
        (None, _) => Some(Fault::Missing),
        (Some(size), Some((bytes, _))) if size != *bytes => Some(Fault::WrongSize),
        (Some(0), None) => Some(Fault::WrongSize),
        (Some(_), Some((_, sha256))) if whole => {
            let bytes = objects.get(*key).await?.unwrap_or_default();
            let same = hex::encode(digest(&SHA256, &bytes).as_ref()) == *sha256;
            (!same).then_some(Fault::WrongHash)
        }
        (Some(_), _) => None,
    };
    Ok(fault.map(|it| (it, *key)))
}
