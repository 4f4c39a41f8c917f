//! The cost of the licensing loop in the real program: decisions, receipts, and lists of grants and
//! requests.

mod list;
mod receipt;

use grantor_testkit::server::Installation;
use grantor_testkit::{Engine, Fixture as _, seed};
use serde_json::{Value, json};

use crate::license::{bearer, text};
use crate::measure::{Outcome, report};
use crate::wire::{Served, compare, cost, request, send};

/// The number of licenses, of grants and of requests.
const SIZE: u32 = 100_000;
/// The number of questions in a full request.
const QUESTIONS: u32 = 1_000;
/// What a full request may cost, in milliseconds of CPU time.
const GOAL: f64 = 10.0;
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
}

async fn measure(engine: Engine) -> Outcome {
    let installation = Installation::on(engine).await.with("GRANTOR_LIMITS", "off");
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok())?;
    let (options, account) = (installation.options(), &sample["accounts"][0]);
    let (licensee, now) = (text(&account["tenantId"]), seed::database_time(&options).await);
    seed::public_licenses(&options, SIZE).await;
    seed::show_licenses(&options, licensee, SIZE).await;
    seed::grants(&options, licensee, SIZE, now).await;
    seed::join(&options, text(&account["email"]), LICENSOR, "Organization_Admin").await;
    seed::run(&options, "UPDATE tenants SET plan = 'Enterprise'".to_owned()).await;
    seed::tidy(&options).await;
    let mut server = installation.serve().await;
    let served = Served { process: server.id(), address: server.address() };
    report("licensing", &format!("{engine:?}: {SIZE} licenses, grants and requests"));
    let licensor = client_of(served, account).await?;
    let parties = Parties { served, licensee: bearer(&sample, served).await?, licensor };
    decisions(&parties).await?;
    receipt::over_http(&parties).await?;
    list::run(&parties, now).await?;
    server.stop().await;
    Ok(())
}

/// Creates an API client in the tenant that a user is signed in to, and returns its token.
async fn client_of(served: Served, account: &Value) -> Outcome<String> {
    let login = json!({ "username": account["email"], "password": account["password"] });
    let source = ("x-source", "console");
    let sign_in = request("POST /v1.0.1/auth/login", &[source], &login.to_string());
    let session: Value = serde_json::from_slice(&send(served, &sign_in).await?.body)?;
    let token = format!("Bearer {}", text(&session["data"]["accessToken"]));
    let body = json!({ "name": "Bench", "environment": "development" }).to_string();
    let headers = [source, ("authorization", token.as_str())];
    let create = request("POST /v1.0.1/org/create/client", &headers, &body);
    let made: Value = serde_json::from_slice(&send(served, &create).await?.body)?;
    let pair = &made["data"]["credentials"];
    bearer(&json!({ "api": { "key": pair["clientId"], "secret": pair["secretKey"] } }), served)
        .await
}

/// Measures one question, and full requests about few and many licenses.
async fn decisions(parties: &Parties) -> Outcome {
    let ask = |questions: u32, licenses: u32| {
        let question = |number: u32| {
            let usage = ["advertising", "social_media", "voice"][number as usize % 3];
            let license = license(number % licenses + 1);
            json!({ "license_id": license, "use": usage, "territory": "US" })
        };
        let body = json!({ "questions": (0..questions).map(question).collect::<Vec<_>>() });
        let headers = [("authorization", parties.licensee.as_str())];
        request("POST /decisions", &headers, &body.to_string())
    };
    compare("POST /decisions with one question", parties.served, &[ask(1, 1)]).await?;
    for licenses in [1, 100, QUESTIONS] {
        let (micros, _) = cost(parties.served, &[ask(QUESTIONS, licenses)], 1).await?;
        let millis = micros / 1_000.0;
        report(
            "licensing",
            &format!(
                "POST /decisions with {QUESTIONS} questions about {licenses} licenses: \
                 {millis:.1} ms of CPU time, {:.2} of the {GOAL} ms that it may take",
                millis / GOAL
            ),
        );
    }
    Ok(())
}

/// The id of a license of [`seed::public_licenses`].
fn license(number: u32) -> String {
    format!("30000000-0000-0000-0000-{number:012x}")
}

/// The id of a grant of [`seed::grants`].
fn grant(number: u32) -> String {
    format!("d0000000-0000-0000-0000-{number:012x}")
}
