//! `make bench`: figures as ratios measured in one run. Nothing here asserts a time.

mod access;
mod http;
mod license;
mod measure;
mod storage;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> measure::Outcome {
    http::run().await?;
    access::run().await?;
    license::run().await?;
    storage::run(postgres().as_deref()).await
}

#[expect(clippy::disallowed_methods, reason = "told of its server by the environment")]
fn postgres() -> Option<String> {
    std::env::var("GRANTOR_TEST_POSTGRES_URL").ok()
}
