//! `make bench`: benchmarks that compare two variants in one run. Nothing asserts a time.

mod access;
mod check;
mod http;
mod license;
mod licensing;
mod likeness;
mod list;
mod measure;
mod names;
mod peers;
mod storage;
mod webhook;
mod wire;

use std::path::Path;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> measure::Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, status, body] = words.as_slice()
        && word == wire::BARE
    {
        return wire::serve_bare(status, Path::new(body)).await;
    }
    // All suites, or those named on the command line.
    let wanted = |suite: &str| words.is_empty() || words.iter().any(|it| it == suite);
    let postgres = postgres();
    if wanted("http") {
        http::run().await?;
    }
    if wanted("access") {
        access::run().await?;
    }
    if wanted("license") {
        license::run().await?;
    }
    if wanted("license-postgres") && postgres.is_some() {
        license::run_on_postgres().await?;
    }
    if wanted("licensing") {
        licensing::run(postgres.is_some()).await?;
    }
    if wanted("list") {
        list::run(postgres.is_some()).await?;
    }
    if wanted("images") {
        likeness::run().await?;
    }
    // Downloads pictures and needs Python, so it runs only when named.
    if words.iter().any(|it| it == "likeness") {
        likeness::recognition::run(&words)?;
    }
    if wanted("checks") {
        check::run().await?;
    }
    if wanted("webhook") {
        webhook::run(postgres.is_some()).await?;
    }
    // Needs packages from npm and PyPI, so it runs only when named.
    if words.iter().any(|it| it == "peers") {
        peers::run().await?;
    }
    // Part of the webhook suite, to run separately.
    if words.iter().any(|it| it == "webhook-pace") {
        webhook::run_pace(postgres.is_some()).await?;
    }
    if wanted("names") {
        names::run()?;
    }
    if wanted("storage") {
        storage::run(postgres.as_deref()).await?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the environment names the PostgreSQL server")]
fn postgres() -> Option<String> {
    std::env::var("GRANTOR_TEST_POSTGRES_URL").ok()
}
