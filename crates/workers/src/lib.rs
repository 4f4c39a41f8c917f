//! Background jobs. Every node with workers runs the same schedule. Jobs claim their rows with a
//! lease, so that any number of nodes can run them at once.

mod scan;
mod schedule;
mod supervision;
mod webhook;

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::Result;
use grantor_service::identity::client;
use grantor_service::licensing::{grant, license, reminder, request};
use grantor_service::operations::object_sweep::{self, SweepCursor};
use grantor_service::operations::record_index;
use grantor_service::operations::retention::{self, Retention};
use grantor_service::operations::{chore, growth};
use grantor_service::organizations::party;
use grantor_service::watching::pod::Pace;
use grantor_service::watching::{case, likeness, source, talent_names, websub};
use grantor_service::{App, Context, billing, log, notices, undo};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use self::scan::{Feeds, Pods, Scan as _};
use self::schedule::{Job, Schedule};
pub use self::supervision::supervise;

/// How many mails one run may send.
const MAILS_AT_ONCE: u32 = 64;

/// Runs all jobs until the stop token is cancelled, then finishes the running ones.
pub async fn run(app: App, retention: Retention, stop: CancellationToken) {
    let mut schedule = Schedule::new(app.clone(), stop.clone());
    let (waiter, sender) = (app.clone(), app.clone());
    schedule.add(
        Job { name: "mail", every: Duration::from_secs(1) },
        move || woken_by_mail(waiter.clone()),
        move || send_mail(sender.clone()),
    );
    let (waiter, worker) = (app.clone(), app.clone());
    schedule.add(
        Job { name: "chores", every: Duration::from_secs(1) },
        move || woken_by_chores(waiter.clone()),
        move || do_chores(worker.clone()),
    );
    let warner = app.clone();
    schedule.add(
        Job { name: "client expiry", every: Duration::from_mins(1) },
        std::future::pending,
        move || warn_expiring(warner.clone()),
    );
    let ender = app.clone();
    schedule.add(
        Job { name: "license expiry", every: Duration::from_secs(1) },
        std::future::pending,
        move || expire(ender.clone()),
    );
    let keeper = app.clone();
    schedule.add(
        Job { name: "requests and grants", every: Duration::from_millis(500) },
        std::future::pending,
        move || advance(keeper.clone()),
    );
    let reminder = app.clone();
    schedule.add(
        Job { name: "reminders", every: Duration::from_secs(10) },
        std::future::pending,
        move || remind(reminder.clone()),
    );
    add_indexing(&mut schedule, &app);
    add_recognition(&mut schedule, &app);
    add_upkeep(&mut schedule, &app, retention);
    let send = || webhook::send(app.clone(), stop.clone());
    let scan_pods = || scan::run::<Pods>(app.clone(), stop.clone());
    let scan_feeds = || scan::run::<Feeds>(app.clone(), stop.clone());
    tokio::join!(
        schedule.finished(),
        supervise(app.clone(), webhook::JOB, send),
        supervise(app.clone(), Pods::JOB, scan_pods),
        supervise(app.clone(), Feeds::JOB, scan_feeds)
    );
}

/// Adds the jobs that keep the indexes of licenses, other records and the log current.
fn add_indexing(schedule: &mut Schedule, app: &App) {
    let indexer = app.clone();
    schedule.add(
        Job { name: "license index", every: Duration::from_millis(500) },
        std::future::pending,
        move || index_licenses(indexer.clone()),
    );
    let indexer = app.clone();
    schedule.add(
        Job { name: "record index", every: Duration::from_millis(500) },
        std::future::pending,
        move || index_records(indexer.clone()),
    );
    let indexer = app.clone();
    schedule.add(
        Job { name: "log index", every: Duration::from_millis(500) },
        std::future::pending,
        move || index_log(indexer.clone()),
    );
}

/// Adds the jobs that keep what content is compared with current.
fn add_recognition(schedule: &mut Schedule, app: &App) {
    let indexer = app.clone();
    schedule.add(
        Job { name: "names", every: Duration::from_millis(500) },
        std::future::pending,
        move || index_names(indexer.clone()),
    );
    let reader = app.clone();
    schedule.add(
        Job { name: "reference images", every: Duration::from_mins(1) },
        std::future::pending,
        move || read_hashes(reader.clone()),
    );
}

/// Adds the jobs that tell people what happened.
fn add_telling(schedule: &mut Schedule, app: &App) {
    let composer = app.clone();
    schedule.add(
        Job { name: "notices", every: Duration::from_secs(1) },
        std::future::pending,
        move || compose_mails(composer.clone()),
    );
    let sender = app.clone();
    schedule.add(
        Job { name: "chat", every: Duration::from_secs(1) },
        std::future::pending,
        move || send_chat_messages(sender.clone()),
    );
    let warner = app.clone();
    schedule.add(
        Job { name: "card expiry", every: Duration::from_hours(1) },
        std::future::pending,
        move || warn_expiring_cards(warner.clone()),
    );
}

/// Adds the job that counts what was created, for the overview of staff.
fn add_growth(schedule: &mut Schedule, app: &App) {
    let counter = app.clone();
    schedule.add(
        Job { name: "growth", every: Duration::from_mins(1) },
        std::future::pending,
        move || count_growth(counter.clone()),
    );
}

/// Adds the job that deletes what can no longer be taken back.
fn add_forgetting(schedule: &mut Schedule, app: &App) {
    let forgetter = app.clone();
    schedule.add(
        Job { name: "undo", every: Duration::from_secs(10) },
        std::future::pending,
        move || forget_expired(forgetter.clone()),
    );
}

/// Adds the jobs that are not urgent.
fn add_upkeep(schedule: &mut Schedule, app: &App, retention: Retention) {
    add_telling(schedule, app);
    add_forgetting(schedule, app);
    add_growth(schedule, app);
    let collector = app.clone();
    schedule.add(
        Job { name: "billing", every: Duration::from_secs(10) },
        std::future::pending,
        move || collect(collector.clone()),
    );
    let subscriber = app.clone();
    schedule.add(
        Job { name: "websub", every: Duration::from_secs(2) },
        std::future::pending,
        move || subscribe(subscriber.clone()),
    );
    let looker = app.clone();
    schedule.add(
        Job { name: "cases", every: Duration::from_secs(5) },
        std::future::pending,
        move || look_at_cases(looker.clone()),
    );
    let (sweeper, cursor) = (app.clone(), Arc::new(Mutex::new(SweepCursor::default())));
    schedule.add(
        Job { name: "object sweep", every: Duration::from_hours(1) },
        std::future::pending,
        move || sweep_objects(sweeper.clone(), Arc::clone(&cursor)),
    );
    let (hasher, cursor) = (app.clone(), Arc::new(Mutex::new(likeness::BackfillCursor::default())));
    schedule.add(
        Job { name: "image hashes", every: Duration::from_secs(5) },
        std::future::pending,
        move || hash_images(hasher.clone(), Arc::clone(&cursor)),
    );
    let (describer, cursor) =
        (app.clone(), Arc::new(Mutex::new(likeness::DescribeCursor::default())));
    schedule.add(
        Job { name: "image features", every: Duration::from_secs(5) },
        std::future::pending,
        move || describe_images(describer.clone(), Arc::clone(&cursor)),
    );
    schedule.add(
        Job { name: "retention", every: Duration::from_mins(10) },
        std::future::pending,
        {
            let app = app.clone();
            move || sweep(app.clone(), retention)
        },
    );
}

async fn woken_by_mail(app: App) {
    app.mailer.wait_for_mail().await;
}

async fn woken_by_chores(app: App) {
    app.wakeups.chores().await;
}

async fn do_chores(app: App) -> Result<u64> {
    chore::work(&app).await
}

/// Stores what time changed: requests that lapsed, and grants that started or ended.
async fn advance(app: App) -> Result<u64> {
    let context = Context::system(app.clock.monotonic());
    let lapsed = request::lapse(&app, &context).await?;
    Ok(lapsed + grant::advance(&app, &context).await?)
}

/// Tells people that a license or grant ends soon.
async fn remind(app: App) -> Result<u64> {
    let context = Context::system(app.clock.monotonic());
    reminder::send(&app, &context).await
}

async fn send_mail(app: App) -> Result<u64> {
    app.mailer.send_due(MAILS_AT_ONCE).await.map(|sent| sent as u64)
}

async fn compose_mails(app: App) -> Result<u64> {
    notices::compose_due(&app, app.clock.now()).await
}

async fn send_chat_messages(app: App) -> Result<u64> {
    notices::send_chat_messages(&app).await
}

async fn warn_expiring_cards(app: App) -> Result<u64> {
    let context = Context::system(app.clock.monotonic());
    notices::warn_expiring_cards(&app, &context).await
}

async fn warn_expiring(app: App) -> Result<u64> {
    let context = Context::system(app.clock.monotonic());
    client::warn_expiring(&app, &context).await
}

async fn expire(app: App) -> Result<u64> {
    let context = Context::system(app.clock.monotonic());
    license::expire(&app, &context).await
}

async fn index_licenses(app: App) -> Result<u64> {
    license::index_changed(&app).await
}

async fn index_records(app: App) -> Result<u64> {
    record_index::index_changed(&app).await
}

async fn index_names(app: App) -> Result<u64> {
    talent_names::settle(&app).await
}

/// Reads hashes and features ahead, so that the first picture need not wait for them.
async fn read_hashes(app: App) -> Result<u64> {
    likeness::refresh(&app).await.map(|()| 0)
}

async fn index_log(app: App) -> Result<u64> {
    log::index_written(&app).await
}

async fn count_growth(app: App) -> Result<u64> {
    growth::count(&app).await
}

async fn collect(app: App) -> Result<u64> {
    let context = Context::system(app.clock.monotonic());
    billing::collect_due(&app, &context).await
}

/// Starts, renews and ends subscriptions to the hubs of feeds.
async fn subscribe(app: App) -> Result<u64> {
    websub::send_due(&app).await
}

/// Looks at the addresses of cases, each once a day.
async fn look_at_cases(app: App) -> Result<u64> {
    case::look_due(&app, Pace::default()).await
}

async fn forget_expired(app: App) -> Result<u64> {
    undo::forget_expired(&app).await
}

async fn sweep(app: App, retention: Retention) -> Result<u64> {
    let swept = retention::sweep(&app, retention).await?;
    let adopted = source::adopt_keys(&app).await?;
    Ok(swept + adopted + party::split_names(&app).await?)
}

async fn sweep_objects(app: App, cursor: Arc<Mutex<SweepCursor>>) -> Result<u64> {
    object_sweep::sweep(&app, &mut *cursor.lock().await).await
}

async fn hash_images(app: App, cursor: Arc<Mutex<likeness::BackfillCursor>>) -> Result<u64> {
    likeness::hash_stored(&app, &mut *cursor.lock().await).await
}

async fn describe_images(app: App, cursor: Arc<Mutex<likeness::DescribeCursor>>) -> Result<u64> {
    likeness::describe_stored(&app, &mut *cursor.lock().await).await
}
