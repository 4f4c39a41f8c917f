//! The cost of the licensing loop in the real program: decisions, receipts, and lists of grants and
//! requests.

mod list;
mod receipt;

use grantor_testkit::server::Installation;
use grantor_testkit::{Engine, Fixture as _, seed};
use serde_json::{Value, json};

use crate::license::{bearer, text};
use crate::list::{cookie, token};
use crate::measure::{Outcome, report};
use crate::wire::{Served, compare, cost, request, send};

/// The number of licenses, of grants and of requests.
const SIZE: u32 = 100_000;
/// The number of questions in a full request.
const QUESTIONS: u32 = 1_000;
/// What a full request may cost, in milliseconds of CPU time.
const GOAL: f64 = 10.0;
/// How many times as much as a bare handler a request with one question may cost.
const GOAL_OF_ONE: f64 = 6.0;
/// The license of the licensor that is shared with many.
const SHARED: u32 = 11;
const LICENSOR: &str = "Sample Agency";

/// Runs the suite on `SQLite`, and on PostgreSQL if available.
pub(crate) async fn run(postgres: bool) -> Outcome {
    receipt::run().await?;
    for engine in [Engine::Sqlite, Engine::Postgres] {
        if engine == Engine::Sqlite || postgres {
            measure(engine).await?;
        }
    }
    Ok(())
}

/// A running program with API clients of both parties to all grants.
struct Parties {
    served: Served,
    licensee: String,
    licensor: String,
    /// The licensor's console token and the cookies of its pages.
    console: String,
    cookie: String,
}

async fn measure(engine: Engine) -> Outcome {
    let installation = Installation::on(engine).await.with("GRANTOR_LIMITS", "off");
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok())?;
    let (options, account) = (installation.options(), &sample["accounts"][0]);
    let (licensee, now) = (text(&account["tenantId"]), seed::database_time(&options).await);
    seed::public_licenses(&options, SIZE).await;
    seed::show_licenses(&options, licensee, SIZE).await;
    seed::grants(&options, licensee, SIZE, now).await;
    seed::known_parties(&options, licensee, SIZE).await;
    seed::permissions(&options, &license(SHARED), SIZE).await;
    seed::join(&options, text(&account["email"]), LICENSOR, "Organization_Admin").await;
    seed::run(&options, "UPDATE tenants SET plan = 'Enterprise'".to_owned()).await;
    // Splits the names of the parties, so that the start of the server does not have to.
    drop(installation.run("migrate").await.ok());
    seed::index_records(&options).await;
    seed::tidy(&options).await;
    let mut server = installation.serve().await;
    let served = Served { process: server.id(), address: server.address() };
    served.settle().await?;
    // Indexing leaves dead rows, which autovacuum would remove.
    seed::tidy(&options).await;
    report("licensing", &format!("{engine:?}: {SIZE} licenses, grants and requests"));
    let login = json!({ "username": account["email"], "password": account["password"] });
    let console = token(served, "/auth/login", &login).await?;
    let licensor = client_of(served, &console).await?;
    let (licensee, cookie) = (bearer(&sample, served).await?, cookie(served, account).await?);
    let parties = Parties { served, licensee, licensor, console, cookie };
    decisions(&parties).await?;
    receipt::over_http(&parties).await?;
    list::run(&parties, now).await?;
    server.stop().await;
    Ok(())
}

/// Creates an API client in the tenant that a user is signed in to, and returns its token.
async fn client_of(served: Served, console: &str) -> Outcome<String> {
    let body = json!({ "name": "Bench", "environment": "development" }).to_string();
    let headers = [("x-source", "console"), ("authorization", console)];
    let create = request("POST /v1.0.1/org/create/client", &headers, &body);
    let made: Value = serde_json::from_slice(&send(served, &create).await?.body)?;
    let pair = &made["data"]["credentials"];
    bearer(&json!({ "api": { "key": pair["clientId"], "secret": pair["secretKey"] } }), served)
        .await
}

/// Measures one question, and full requests about few and many licenses or talents.
async fn decisions(parties: &Parties) -> Outcome {
    let ask = |questions: u32, (member, subject): Subject, subjects: u32| {
        let question = |number: u32| {
            let usage = ["advertising", "social_media", "voice"][number as usize % 3];
            json!({ member: subject(number % subjects + 1), "use": usage, "territory": "US" })
        };
        let body = json!({ "questions": (0..questions).map(question).collect::<Vec<_>>() });
        let headers = [("authorization", parties.licensee.as_str())];
        request("POST /decisions", &headers, &body.to_string())
    };
    let kinds: [Subject; 2] = [("license_id", license), ("talent_id", talent)];
    for kind in kinds {
        let what = format!("POST /decisions with one question by {}", kind.0);
        let [ours, bare] = compare(&what, parties.served, &[ask(1, kind, 1)]).await?;
        let part = ours / bare / GOAL_OF_ONE;
        report("licensing", &format!("{what}: {part:.2} of the {GOAL_OF_ONE} times it may take"));
        for subjects in [1, 100, QUESTIONS] {
            let (micros, _) = cost(parties.served, &[ask(QUESTIONS, kind, subjects)], 1).await?;
            let (millis, part) = (micros / 1_000.0, micros / 1_000.0 / GOAL);
            report(
                "licensing",
                &format!(
                    "POST /decisions with {QUESTIONS} questions by {}, {subjects} different ones: \
                     {millis:.1} ms of CPU time, {part:.2} of the {GOAL} ms that it may take",
                    kind.0
                ),
            );
        }
    }
    Ok(())
}

/// A member of a question, and the IDs to ask about.
type Subject = (&'static str, fn(u32) -> String);

/// The id of a talent of [`seed::public_licenses`], each of which has ten licenses.
fn talent(number: u32) -> String {
    format!("20000000-0000-0000-0000-{number:012x}")
}

/// The id of a license of [`seed::public_licenses`].
fn license(number: u32) -> String {
    format!("30000000-0000-0000-0000-{number:012x}")
}

/// The id of a grant of [`seed::grants`].
fn grant(number: u32) -> String {
    format!("d0000000-0000-0000-0000-{number:012x}")
}
