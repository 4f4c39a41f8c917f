//! Deliveries: how many a second get from the queue to a receiver's 200, with one, ten and a
//! thousand receivers; and how long one takes from the commit of its change when there is time.

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
use grantor_service::delivery::{Sender, seal};
use grantor_storage::{delivery, event, user, webhook};
use grantor_testkit::app::{Plan, TestApp};
use grantor_testkit::server::Installation;
use grantor_testkit::{Engine, Fixture as _, seed};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, interval_at};

use crate::access::api_client;
use crate::license::{bearer, text};
use crate::measure::{Outcome, clock, processor_time, say};
use crate::wire::{Bare, Served, ask, connect, exchange, request};

/// Receivers at a time, and events sent to them together.
const RECEIVERS: [usize; 3] = [1, 10, 1_000];
const EVENTS: usize = 10_000;
/// Changes a second where the time of each is measured, and for how many seconds: at ease, and as fast as
/// a busy tenant would.
const PACES: [(usize, usize); 2] = [(200, 5), (2_000, 30)];
/// Connections that make changes.
const CONNECTIONS: usize = 32;
/// How often it is looked whether all have arrived.
const LOOK: Duration = Duration::from_millis(100);
/// How the title begins that each change gives.
const TITLE: &str = "Title ";

/// On both engines, where there is PostgreSQL.
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

/// Only how long one takes, on both engines.
pub(crate) async fn run_pace(postgres: bool) -> Outcome {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        if engine == Engine::Sqlite || postgres {
            paces(engine).await?;
        }
    }
    Ok(())
}

/// As many as possible, with the receiver beside on the same machine.
async fn rush(engine: Engine, receivers: usize) -> Outcome {
    let receiver = Bare::start(200, b"")?;
    let plan = Plan { limits: Limits::off(), allowed: "127.0.0.0/8".parse()?, ..Plan::default() };
    let app = TestApp::planned(engine, plan).await;
    fill(&app, receivers, &format!("http://{}/hook", receiver.served.address)).await?;
    let (before, began) = (processor_time("self")?, clock());
    Sender::new(app.app.clone()).settle().await?;
    let (wall, taken) = (began.elapsed(), processor_time("self")?.saturating_sub(before));
    let query = "SELECT CAST(count(*) AS text) FROM deliveries WHERE status = 'delivered'";
    let delivered = seed::rows(&app.database.options, query).await;
    if delivered != [[EVENTS.to_string()]] {
        return Err(format!("{delivered:?} of {EVENTS} were delivered").into());
    }
    let count = count(EVENTS);
    say(
        "webhook",
        &format!(
            "{engine:?}, {receivers} receivers: {:.0} deliveries a second, {:.0} µs of processor \
             time each",
            count / wall.as_secs_f64(),
            taken.as_secs_f64() * 1e6 / count
        ),
    );
    Ok(())
}

/// Receivers of one tenant, and events, each for one of them.
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
                let told = told(tenant, *id);
                let event = Event { id: service.ids.next(), at: now, told };
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

fn told(tenant: TenantId, webhook: WebhookId) -> NewEvent {
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

/// What is known of each change by its number: when it was answered, when its event arrived, and how
/// old the event was by then.
#[derive(Clone, Default)]
struct Moments(Arc<Mutex<HashMap<usize, Moment>>>);

#[derive(Clone, Copy, Default)]
struct Moment {
    answered: Option<Instant>,
    arrived: Option<Instant>,
    age: f64,
}

impl Moments {
    fn note(&self, number: usize, note: impl FnOnce(&mut Moment)) {
        note(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(number).or_default());
    }

    fn arrived(&self) -> usize {
        let moments = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        moments.values().filter(|it| it.arrived.is_some()).count()
    }

    /// Those that were answered and arrived.
    fn whole(&self) -> Vec<(Instant, Instant, f64)> {
        let moments = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = |it: &Moment| Some((it.answered?, it.arrived?, it.age));
        moments.values().filter_map(whole).collect()
    }
}

async fn paces(engine: Engine) -> Outcome {
    for (rate, seconds) in PACES {
        pace(engine, rate, rate * seconds).await?;
    }
    Ok(())
}

/// Changes at an even pace in the real program, spread over the sample's licenses: how long each
/// takes to arrive. An event's own time is when its change began; the commit comes after that and
/// before the answer, so both are told.
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
    let moments = Moments::default();
    let hook = listen(moments.clone()).await?;
    let body = json!({ "url": hook, "events": ["license.updated"] }).to_string();
    ask(served, &request("POST /webhooks", &headers, &body)).await?;
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
        changing.spawn(change(served, texts.collect(), (first, every), moments.clone()));
    }
    while let Some(changed) = changing.join_next().await {
        changed??;
    }
    let wall = began.elapsed();
    let mut looks = interval(LOOK);
    while moments.arrived() < changes {
        looks.tick().await;
    }
    let taken = processor_time(&process)?.saturating_sub(before);
    let whole = moments.whole();
    let since = |it: &(Instant, Instant, f64)| it.1.saturating_duration_since(it.0);
    let answered = spread(whole.iter().map(|it| since(it).as_secs_f64() * 1e3).collect());
    let begun = spread(whole.iter().map(|it| it.2).collect());
    let licenses = paths.len();
    say(
        "webhook",
        &format!(
            "{engine:?}, {rate} changes a second of {licenses} licenses offered, {:.0} made, {:.0} µs \
             of processor time each: until arrival from the answer, just after the commit, \
             {answered}; from before the change {begun}",
            count(changes) / wall.as_secs_f64(),
            taken.as_secs_f64() * 1e6 / count(changes),
        ),
    );
    server.stop().await;
    Ok(())
}

/// Makes changes over one connection at an even pace.
async fn change(
    served: Served,
    texts: Vec<(usize, String)>,
    (first, every): (Duration, Duration),
    moments: Moments,
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
        moments.note(number, |it| it.answered = Some(clock()));
    }
    Ok(())
}

fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}

/// The median and the slowest.
fn spread(mut taken: Vec<f64>) -> String {
    taken.sort_by(f64::total_cmp);
    let at = |part: usize| taken[(taken.len() - 1) * part / 100];
    format!("{:.1} ms (median), {:.1} ms (p99), {:.1} ms (all)", at(50), at(99), at(100))
}

/// How to change each license of the sample that its agency may change.
async fn changeable(
    sample: &Value,
    served: Served,
    headers: &[(&str, &str)],
) -> Outcome<Vec<String>> {
    let mut paths = vec![];
    for license in sample["licenses"].as_array().into_iter().flatten() {
        let path = format!("PATCH /licenses/{}", text(&license["licenseId"]));
        let body = json!({ "title": "Before" }).to_string();
        if ask(served, &request(&path, headers, &body)).await?.status == 200 {
            paths.push(path);
        }
    }
    if paths.is_empty() { Err("the sample has no license to change".into()) } else { Ok(paths) }
}

/// A receiver that notes when each event arrives and how old it is, in milliseconds.
async fn listen(moments: Moments) -> Outcome<String> {
    let note = move |axum::Json(told): axum::Json<Value>| async move {
        let title = text(&told["data"]["license"]["title"]);
        let number = title.strip_prefix(TITLE).and_then(|it| it.parse().ok());
        if let (Some(number), Ok(written)) = (number, Timestamp::parse(text(&told["timestamp"]))) {
            let age = now().since(written).as_secs_f64() * 1e3;
            moments.note(number, |it| (it.arrived, it.age) = (Some(clock()), age));
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
