//! The policy as a person reads it: for every operation who may, on what is their own, on what was
//! granted to them, and on what is foreign. Made from the same expectations that the matrix holds
//! every answer against, and compared with a file, so that a change of the production rules shows
//! as a difference that somebody must accept:
//!
//! `INSTA_UPDATE=always make check TEST=the_policy`

use std::fmt::Write as _;

use grantor_testkit::{Engine, Fixture as _};

use super::judge::{Cell, Outcome, Sort, sorts};
use super::records::Operation;
use super::world::World;

/// The sorts of records that reveal a policy; the others are as if missing.
const SHOWN: [(&str, Sort); 4] = [
    ("own", Sort::Own),
    ("granted", Sort::Granted),
    ("granted draft", Sort::Drafted),
    ("foreign", Sort::Foreign),
];

/// Who may, by name; nothing where nobody is to try.
fn allowed(world: &World, operation: &Operation, sort: Sort) -> Option<Vec<String>> {
    let mut tried = false;
    let mut names = Vec::new();
    for caller in &world.callers {
        if !sorts(world, operation, caller).contains(&sort) {
            continue;
        }
        tried = true;
        let cell = Cell { operation, caller, sort };
        match cell.outcome(world) {
            Outcome::Fine => names.push(caller.name.clone()),
            Outcome::Open => return Some(vec!["everybody".to_owned()]),
            Outcome::Refused(..) => {}
        }
    }
    tried.then_some(names)
}

/// The whole policy, an operation after the other.
fn policy(world: &World) -> String {
    let mut text = String::new();
    for operation in &world.operations {
        let _ = writeln!(text, "{:?} {}", operation.surface, operation.name);
        for (name, sort) in SHOWN {
            if let Some(names) = allowed(world, operation, sort) {
                let names = if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
                let _ = writeln!(text, "    {name}: {names}");
            }
        }
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn the_policy_is_the_one_that_was_accepted() {
    let world = World::on(Engine::Sqlite).await;
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(".");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("policy", policy(&world)));
}

/// The control: a rule that lets one more in is another policy.
#[tokio::test(flavor = "multi_thread")]
async fn another_rule_is_another_policy() {
    let mut world = World::on(Engine::Sqlite).await;
    let before = policy(&world);
    let open = |it: &&mut Operation| it.name == "DELETE /org/team/{teamId}";
    let operation = world.operations.iter_mut().find(open).expect("an operation");
    operation.row.access =
        grantor_api::frame::route::Access::Console(grantor_domain::role::Right::Read);
    let after = policy(&world);
    let changed: Vec<_> =
        before.lines().zip(after.lines()).filter(|(old, new)| old != new).map(|it| it.1).collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(changed[0].contains("Team_Member"), "{changed:?}");
}
