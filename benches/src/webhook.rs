//! Webhook deliveries: the throughput with one, ten and a thousand receivers, and the latency from
//! the commit of a change to its arrival.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::post;
use grantor_domain::event::{Event, EventType, EventTypes, NewEvent};
use grantor_domain::id::{TenantId, UserId, WebhookId};
use grantor_domain::limit::Limits;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::{Webhook, WebhookNote, WebhookStatus};
use grantor_domain::{Result, Timestamp};
use grantor_service::webhooks::delivery::{Sender, seal};
use grantor_storage::{delivery, event, user, webhook};
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::server::Installation;
use grantor_testkit::{Engine, Fixture as _, seed};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, interval_at};

use crate::access::api_client;
use crate::license::{bearer, text};
use crate::measure::{Outcome, clock, processor_time, report};
use crate::wire::{Bare, Served, connect, exchange, request, send};

/// The numbers of receivers, and the number of events sent in total.
const RECEIVERS: [usize; 3] = [1, 10, 1_000];
const EVENTS: usize = 10_000;
/// Changes per second and seconds, for the latency: a light load, and that of a busy tenant.
const PACES: [(usize, usize); 2] = [(200, 5), (2_000, 30)];
/// Connections that make changes.
const CONNECTIONS: usize = 32;
/// How often to check whether all events have arrived.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// The start of the title that each change sets.
const TITLE: &str = "Title ";

/// Runs the suite on `SQLite`, and on PostgreSQL if available.
pub(crate) async fn run(postgres: bool) -> Outcome {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        if engine == Engine::Sqlite || postgres {
            for receivers in RECEIVERS {
                rush(engine, receivers).await?;
            }
            paces(engine).await?;
        }
    }
    Ok(())
}

/// Runs only the latency part on both engines.
pub(crate) async fn run_pace(postgres: bool) -> Outcome {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        if engine == Engine::Sqlite || postgres {
            paces(engine).await?;
        }
    }
    Ok(())
}

/// Measures the throughput with a receiver on the same machine.
async fn rush(engine: Engine, receivers: usize) -> Outcome {
    let receiver = Bare::start(200, b"")?;
    let config = TestConfig {
        limits: Limits::off(),
        allowed: "127.0.0.0/8".parse()?,
        ..TestConfig::default()
    };
    let app = TestApp::with_config(engine, config).await;
    fill(&app, receivers, &format!("http://{}/hook", receiver.served.address)).await?;
    let (before, began) = (processor_time("self")?, clock());
    Sender::new(app.app.clone()).settle().await?;
    let (wall, taken) = (began.elapsed(), processor_time("self")?.saturating_sub(before));
    let query = "SELECT CAST(count(*) AS text) FROM deliveries WHERE status = 'delivered'";
    let delivered = seed::rows(&app.database.options, query).await;
    if delivered != [[EVENTS.to_string()]] {
        return Err(format!("only {delivered:?} of {EVENTS} events were delivered").into());
    }
    let count = count(EVENTS);
    report(
        "webhook",
        &format!(
            "{engine:?}, {receivers} receivers: {:.0} deliveries/s, {:.0} µs of CPU time each",
            count / wall.as_secs_f64(),
            taken.as_secs_f64() * 1e6 / count
        ),
    );
    Ok(())
}

/// Creates the receivers of one tenant, and the events, each for one receiver.
async fn fill(app: &TestApp, receivers: usize, url: &str) -> Outcome {
    api_client(app).await;
    let service = app.app.clone();
    let url = url.to_owned();
    let filled: Result<()> = app
        .app
        .store
        .write(move |tx| {
            let now = service.clock.now();
            let owner = user::find_by_email(tx, "ada@example.com")?;
            let owner = owner.ok_or_else(|| grantor_domain::Error::not_found("User"))?;
            let (tenant, user) = (owner.last_tenant, owner.id);
            let ids: Vec<WebhookId> = (0..receivers).map(|_| service.ids.next()).collect();
            for id in &ids {
                let secret = Secret::generate(SecretKind::Webhook, &*service.entropy);
                let receiver = receiver(*id, tenant, user, &url, now);
                webhook::insert(tx, &receiver, &seal(&service, *id, &secret))?;
            }
            for id in ids.iter().cycle().take(EVENTS) {
                let content = test_event(tenant, *id);
                let event = Event { id: service.ids.next(), at: now, content };
                for (_, sequence) in event::insert(tx, &event)? {
                    let place = (event.id, sequence);
                    delivery::insert(tx, service.ids.next(), *id, place, now, now)?;
                }
            }
            Ok(())
        })
        .await;
    filled?;
    seed::tidy(&app.database.options).await;
    Ok(())
}

fn receiver(id: WebhookId, tenant: TenantId, user: UserId, url: &str, now: Timestamp) -> Webhook {
    Webhook {
        id,
        tenant,
        user,
        url: url.to_owned(),
        description: WebhookNote::default(),
        events: EventTypes::ALL,
        status: WebhookStatus::Active,
        created_at: now,
        updated_at: now,
        last_success_at: None,
        failing_since: None,
    }
}

fn test_event(tenant: TenantId, webhook: WebhookId) -> NewEvent {
    NewEvent {
        kind: EventType::WebhookTest,
        owner: tenant,
        license: None,
        resource_version: 1,
        data: json!({ "webhook_id": webhook }),
        recipients: vec![tenant],
        receiver: None,
    }
}

/// For each change by its number: when the response came, when its event arrived, and the age of
/// the event on arrival.
#[derive(Clone, Default)]
struct Timings(Arc<Mutex<HashMap<usize, Timing>>>);

#[derive(Clone, Copy, Default)]
struct Timing {
    answered: Option<Instant>,
    arrived: Option<Instant>,
    age: f64,
}

impl Timings {
    fn note(&self, number: usize, note: impl FnOnce(&mut Timing)) {
        note(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(number).or_default());
    }

    fn arrived(&self) -> usize {
        let timings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        timings.values().filter(|it| it.arrived.is_some()).count()
    }

    /// The changes with a response whose event arrived.
    fn complete(&self) -> Vec<(Instant, Instant, f64)> {
        let timings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let complete = |it: &Timing| Some((it.answered?, it.arrived?, it.age));
        timings.values().filter_map(complete).collect()
    }
}

async fn paces(engine: Engine) -> Outcome {
    for (rate, seconds) in PACES {
        pace(engine, rate, rate * seconds).await?;
    }
    Ok(())
}

/// Measures the latency of events in the real program, with changes at a steady rate spread over
/// the sample's licenses. The timestamp of an event is the start of its change. The commit happens
/// after that and before the response, so both are reported.
async fn pace(engine: Engine, rate: usize, changes: usize) -> Outcome {
    let installation = Installation::on(engine)
        .await
        .with("GRANTOR_LIMITS", "off")
        .with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8");
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok())?;
    let mut server = installation.serve().await;
    let served = Served { process: server.id(), address: server.address() };
    let bearer = bearer(&sample, served).await?;
    let headers = [("authorization", bearer.as_str())];
    let paths = changeable(&sample, served, &headers).await?;
    let timings = Timings::default();
    let hook = listen(timings.clone()).await?;
    let body = json!({ "url": hook, "events": ["license.updated"] }).to_string();
    send(served, &request("POST /webhooks", &headers, &body)).await?;
    let process = served.process.to_string();
    let (before, began) = (processor_time(&process)?, clock());
    let mut changing = JoinSet::new();
    for connection in 0..CONNECTIONS {
        let numbers = (connection..changes).step_by(CONNECTIONS);
        let texts = numbers.map(|number| {
            let body = json!({ "title": format!("{TITLE}{number}") }).to_string();
            (number, request(&paths[number % paths.len()], &headers, &body))
        });
        let every = Duration::from_secs_f64(count(CONNECTIONS) / count(rate));
        let first = Duration::from_secs_f64(count(connection) / count(rate));
        changing.spawn(change(served, texts.collect(), (first, every), timings.clone()));
    }
    while let Some(changed) = changing.join_next().await {
        changed??;
    }
    let wall = began.elapsed();
    let mut ticks = interval(CHECK_INTERVAL);
    while timings.arrived() < changes {
        ticks.tick().await;
    }
    let taken = processor_time(&process)?.saturating_sub(before);
    let complete = timings.complete();
    let since = |it: &(Instant, Instant, f64)| it.1.saturating_duration_since(it.0);
    let answered = spread(complete.iter().map(|it| since(it).as_secs_f64() * 1e3).collect());
    let begun = spread(complete.iter().map(|it| it.2).collect());
    let licenses = paths.len();
    report(
        "webhook",
        &format!(
            "{engine:?}, {rate} changes/s requested on {licenses} licenses, {:.0}/s made, {:.0} µs \
             of CPU time each; latency from the response (just after the commit) to arrival: \
             {answered}; from the start of the change: {begun}",
            count(changes) / wall.as_secs_f64(),
            taken.as_secs_f64() * 1e6 / count(changes),
        ),
    );
    server.stop().await;
    Ok(())
}

/// Makes changes over one connection at a steady rate.
async fn change(
    served: Served,
    texts: Vec<(usize, String)>,
    (first, every): (Duration, Duration),
    timings: Timings,
) -> Outcome {
    let mut stream = connect(served).await?;
    let mut ticks = interval_at((clock() + first).into(), every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    for (number, text) in texts {
        ticks.tick().await;
        let answer = exchange(&mut stream, &text).await?;
        if answer.status != 200 {
            return Err(answer.head.into());
        }
        timings.note(number, |it| it.answered = Some(clock()));
    }
    Ok(())
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}

/// The median, the 99th percentile and the maximum.
fn spread(mut taken: Vec<f64>) -> String {
    taken.sort_by(f64::total_cmp);
    let at = |part: usize| taken[(taken.len() - 1) * part / 100];
    format!("{:.1} ms (median), {:.1} ms (p99), {:.1} ms (max)", at(50), at(99), at(100))
}

/// The request lines for changing the sample licenses that the agency may change.
async fn changeable(
    sample: &Value,
    served: Served,
    headers: &[(&str, &str)],
) -> Outcome<Vec<String>> {
    let mut paths = vec![];
    for license in sample["licenses"].as_array().into_iter().flatten() {
        let path = format!("PATCH /licenses/{}", text(&license["licenseId"]));
        let body = json!({ "title": "Before" }).to_string();
        if send(served, &request(&path, headers, &body)).await?.status == 200 {
            paths.push(path);
        }
    }
    if paths.is_empty() { Err("the sample has no license to change".into()) } else { Ok(paths) }
}

/// Starts a receiver that records when each event arrives and its age in milliseconds.
async fn listen(timings: Timings) -> Outcome<String> {
    let note = move |axum::Json(event): axum::Json<Value>| async move {
        let title = text(&event["data"]["license"]["title"]);
        let number = title.strip_prefix(TITLE).and_then(|it| it.parse().ok());
        if let (Some(number), Ok(written)) = (number, Timestamp::parse(text(&event["timestamp"]))) {
            let age = now().since(written).as_secs_f64() * 1e3;
            timings.note(number, |it| (it.arrived, it.age) = (Some(clock()), age));
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/hook", listener.local_addr()?);
    let router = Router::new().route("/hook", post(note));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(url)
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let micros = since.map_or(0, |it| it.as_micros());
    Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
}
