//! The gain of grouped commits, and the cost of a page of the catalog on each engine.
//!
//! Wall-clock time means little on a busy machine: compare the ratios, which come from interleaved
//! rounds, and the CPU time of this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::license::{LicenseFilter, LicenseQuery, LicenseSort};
use grantor_domain::page::{Order, Page, PageRules};
use grantor_storage::license::reader::{self, Reader};
use grantor_storage::{Store, license, meta};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _, seed};
use tokio::task::JoinSet;

use crate::measure::{Outcome, clock, median, processor_time, report};

const CALLERS: usize = 32;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(600);
const LICENSES: u32 = 10_000;
const PAGES: u64 = 25;

/// Runs the suite. Without a PostgreSQL server it measures only `SQLite`.
pub(crate) async fn run(postgres_url: Option<&str>) -> Outcome {
    commits().await?;
    pages(postgres_url).await
}

async fn commits() -> Outcome {
    let test = TestStore::on(Engine::Sqlite).await;
    let mut options = test.options.clone();
    options.group = 1;
    let single = Store::open(&options).await?;
    let rates = interleave(&[test.store.clone(), single], write).await?;
    report(
        "storage",
        &format!(
            "durable commits on SQLite, {CALLERS} writers: {:.0}/s in groups of at most {}, {:.0}/s \
             individually: {:.1} times",
            rates[0].per_second,
            test.options.group,
            rates[1].per_second,
            rates[0].per_second / rates[1].per_second,
        ),
    );
    Ok(())
}

async fn pages(postgres_url: Option<&str>) -> Outcome {
    let mut tests = vec![TestStore::on(Engine::Sqlite).await];
    if let Some(server) = postgres_url {
        tests.push(TestStore::on_server(server).await);
    }
    let mut stores = Vec::new();
    for test in &tests {
        seed::public_licenses(&test.options, LICENSES).await;
        seed::tidy(&test.options).await;
        stores.push(Store::open(&test.options).await?);
    }
    let rates = interleave(&stores, read).await?;
    for (store, rate) in stores.iter().zip(&rates) {
        report(
            "storage",
            &format!(
                "pages of 20 of {LICENSES} public licenses on {}, {CALLERS} readers: {:.0}/s, \
                 {:.0} µs of Grantor's CPU time each",
                store.engine().name(),
                rate.per_second,
                rate.processor_micros,
            ),
        );
    }
    if let [sqlite, postgres] = rates.as_slice() {
        report(
            "storage",
            &format!(
                "SQLite / PostgreSQL: {:.2} times the pages per second, {:.2} times the CPU time",
                sqlite.per_second / postgres.per_second,
                sqlite.processor_micros / postgres.processor_micros,
            ),
        );
    }
    Ok(())
}

async fn write(store: Store, number: u64) -> Outcome {
    let name = format!("row {number}");
    let written: grantor_storage::Result<()> =
        store.write(move |tx| meta::put(tx, &name, "there")).await;
    Ok(written?)
}

async fn read(store: Store, number: u64) -> Outcome {
    const RULES: PageRules = PageRules { size_name: "size", default_size: 20, max_size: 20 };
    let page = Page::parse(Some(&(number % PAGES + 1).to_string()), None, RULES)
        .map_err(|_| "the page number is invalid")?;
    let query = LicenseQuery {
        page,
        status: None,
        search: None,
        q: None,
        license_type: None,
        sort: LicenseSort::CreatedAt,
        order: Order::Desc,
        include_image_urls: false,
        filter: LicenseFilter::default(),
    };
    let now = Timestamp::from_secs(0);
    let shown: grantor_storage::Result<_> = store
        .read(move |tx| {
            let listing = reader::page(tx, Reader::Everybody, &query, now)?;
            let ids: Vec<_> = listing.items.iter().map(|it| it.id).collect();
            license::load(tx, &ids)
        })
        .await;
    match shown?.len() {
        20 => Ok(()),
        other => Err(format!("a page of {other}").into()),
    }
}

#[derive(Clone, Copy)]
struct Rate {
    per_second: f64,
    processor_micros: f64,
}

/// Runs rounds on all stores in turn, so that a slow phase of the machine affects all of them.
/// Returns the median of each.
async fn interleave<F>(stores: &[Store], work: fn(Store, u64) -> F) -> Outcome<Vec<Rate>>
where
    F: Future<Output = Outcome> + Send + 'static,
{
    let mut rates: Vec<Vec<Rate>> = vec![Vec::new(); stores.len()];
    // Every number is new: writing an existing value would not touch the disk.
    let count = Arc::new(AtomicU64::new(0));
    for _ in 0..=ROUNDS {
        for (store, rates) in stores.iter().zip(&mut rates) {
            rates.push(round(store, work, &count).await?);
        }
    }
    Ok(rates.iter().map(|rates| middle(rates)).collect())
}

fn middle(rates: &[Rate]) -> Rate {
    Rate {
        per_second: median(rates.iter().map(|rate| rate.per_second).collect()),
        processor_micros: median(rates.iter().map(|rate| rate.processor_micros).collect()),
    }
}

async fn round<F>(store: &Store, work: fn(Store, u64) -> F, count: &Arc<AtomicU64>) -> Outcome<Rate>
where
    F: Future<Output = Outcome> + Send + 'static,
{
    let before = count.load(Ordering::Relaxed);
    let (start, processor) = (clock(), processor_time("self")?);
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (store, count) = (store.clone(), Arc::clone(count));
        callers.spawn(async move {
            while start.elapsed() < ROUND {
                work(store.clone(), count.fetch_add(1, Ordering::Relaxed)).await?;
            }
            Outcome::Ok(())
        });
    }
    for outcome in callers.join_all().await {
        outcome?;
    }
    let (wall, processor) = (start.elapsed(), processor_time("self")?.saturating_sub(processor));
    let count = f64::from(u32::try_from(count.load(Ordering::Relaxed) - before)?);
    Ok(Rate {
        per_second: count / wall.as_secs_f64(),
        processor_micros: processor.as_secs_f64() * 1e6 / count,
    })
}
