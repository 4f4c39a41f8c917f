//! `grantor migrate`.

use grantor_domain::Clock as _;
use grantor_storage::migrate::{self, Phase, Plan, PlannedStep};

use crate::bootstrap;
use crate::config::Config;
use crate::system::SystemClock;

/// Applies the pending migrations, and says which ones wait for older nodes. With `only_plan`, says
/// what that would do.
pub(crate) async fn run(config: &Config, only_plan: bool) -> Result<String, String> {
    let problem = |error: grantor_storage::Error| format!("database_url: {error}");
    let store = bootstrap::open_store(config).await?;
    if only_plan {
        let plan = migrate::plan(&store).await.map_err(problem)?;
        return Ok(describe(store.engine().name(), &plan));
    }
    let applied = migrate::run(&store, SystemClock::new().now()).await.map_err(problem)?;
    let waiting = migrate::plan(&store).await.map_err(problem)?;
    let engine = store.engine().name();
    let mut text = match applied.as_slice() {
        [] if waiting.steps.is_empty() => format!("The {engine} schema is up to date."),
        [] => format!("Nothing to apply to {engine} now."),
        names => format!("Applied to {engine}: {}.", names.join(", ")),
    };
    for step in &waiting.steps {
        text.push('\n');
        text.push_str(&line(step));
    }
    Ok(text)
}

fn describe(engine: &str, plan: &Plan) -> String {
    if plan.steps.is_empty() {
        return format!("The {engine} schema is up to date.");
    }
    let lines: Vec<String> = plan.steps.iter().map(line).collect();
    format!("Pending on {engine}:\n{}", lines.join("\n"))
}

/// One line for each migration: its number, its name, its phase and what happens to it.
fn line(step: &PlannedStep) -> String {
    let PlannedStep { version, name, phase, waits_for } = step;
    let fate = match (phase, waits_for.len()) {
        (Phase::Expand | Phase::Migrate, _) => "runs now; nodes of the last release keep serving",
        (Phase::Contract, 0) => "runs now; no older node is alive",
        (Phase::Contract, _) => "waits until these nodes have stopped:",
    };
    let mut words = vec![format!("  {version:04}  {:<8}  {name}: {fate}", phase.name())];
    words.extend(
        waits_for
            .iter()
            .map(|it| format!("{} ({}, migration {})", it.id, it.program, it.schema_version)),
    );
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use grantor_domain::Timestamp;
    use grantor_storage::node::Node;

    use super::*;

    fn step(phase: Phase, waits_for: Vec<Node>) -> PlannedStep {
        PlannedStep { version: 70, name: "things", phase, waits_for }
    }

    #[test]
    fn a_plan_says_what_waits_and_for_whom() {
        let id = "0190a5e4-7b3c-7def-8123-456789abcdef";
        let node = Node {
            id: id.parse().unwrap(),
            beats: 1,
            schema_version: 68,
            key_ring: String::new(),
            program: "0.1.0".to_owned(),
            started_at: Timestamp::from_secs(0),
        };
        let steps = vec![
            step(Phase::Expand, vec![]),
            step(Phase::Contract, vec![]),
            step(Phase::Contract, vec![node]),
        ];
        assert_eq!(
            describe("PostgreSQL", &Plan { steps }),
            format!(
                "Pending on PostgreSQL:\n  \
                 0070  expand    things: runs now; nodes of the last release keep serving\n  \
                 0070  contract  things: runs now; no older node is alive\n  \
                 0070  contract  things: waits until these nodes have stopped: {id} (0.1.0, \
                 migration 68)"
            )
        );
        let nothing = Plan { steps: vec![] };
        assert_eq!(describe("SQLite", &nothing), "The SQLite schema is up to date.");
    }
}
