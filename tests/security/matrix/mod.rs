//! Every operation, called by every kind of caller on every kind of record. The rows come from the
//! program's route tables, so a new route is in the matrix automatically.

pub(super) mod bodies;
mod callers;
pub(super) mod dump;
mod judge;
pub(super) mod make;
mod policy;
pub(super) mod records;
mod site;
pub(super) mod world;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::State;
use grantor_api::frame::caller::SignedIn;
use grantor_api::frame::extract::Segment;
use grantor_api::frame::problem::Problem;
use grantor_api::frame::route::{Access, Limit, Route, route};
use grantor_api::{Api, ApiState};
use grantor_domain::role::Right;
use grantor_testkit::app::Answer;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde::Serialize;
use utoipa::ToSchema;

use self::dump::Dump;
use self::judge::{Cell, Outcome, PERSONAL, Sort, sorts};
use self::make::Maker;
use self::records::{Operation, Records};
use self::world::World;
use super::print_figure;
use crate::picture;

impl Fixture for World {
    async fn on(engine: Engine) -> Self {
        Self::with(engine, Vec::new).await
    }
}

impl World {
    fn cells(&self) -> Vec<Cell<'_>> {
        let mut cells = Vec::new();
        for operation in &self.operations {
            for caller in &self.callers {
                let sorts = sorts(self, operation, caller);
                cells.extend(sorts.into_iter().map(|sort| Cell { operation, caller, sort }));
            }
        }
        cells
    }

    /// New records to delete; personal records are created by their owner.
    async fn fresh(&self, cell: &Cell<'_>, of: &Records) -> Records {
        let maker = self.maker();
        let (kinds, caller) = (&cell.operation.kinds, cell.caller);
        if !kinds.iter().any(|it| PERSONAL.contains(&it.as_str())) {
            return maker.fresh(kinds, of).await;
        }
        let external = caller.token.as_deref().unwrap_or_default();
        Maker { email: &caller.email, external, ..maker }.fresh(kinds, of).await
    }

    async fn ask(&self, cell: &Cell<'_>) -> Answer {
        let (operation, caller) = (cell.operation, cell.caller);
        let mut records = cell.records(self);
        let gone = operation.row.method == Method::DELETE && cell.sort == Sort::Own;
        if gone && cell.outcome(self) == Outcome::Fine {
            records = self.fresh(cell, &records).await;
        }
        let path = operation.path(&records);
        let mut request = self.app.request(operation.row.method.clone(), &path);
        request = request.header("x-request-id", "r-1");
        if let Some(token) = &caller.token {
            request = request.bearer(token);
        }
        if caller.source {
            request = request.header("x-source", "console");
        }
        if operation.name.ends_with("/image") {
            let form = picture::form(&[], &[&picture::png(8, 8)]);
            request = request.header("content-type", &picture::form_type()).body(form);
        } else if operation.is_public() && operation.changes() {
            request = request.json(&serde_json::json!({}));
        } else if let Some(body) =
            operation.body(&records, self.count.fetch_add(1, Ordering::SeqCst))
        {
            request = request.json(&body);
        }
        request.send().await
    }

    /// Runs all of these cases and returns the faults.
    async fn judge(&self, cells: &[(Cell<'_>, Outcome)]) -> Vec<String> {
        let mut faults = Vec::new();
        let mut told = BTreeMap::new();
        for (cell, outcome) in cells {
            let answer = self.ask(cell).await;
            faults.extend(cell.faults(outcome, &answer));
            let key = (&cell.operation.name, &cell.caller.name);
            told.entry(key).or_insert_with(Vec::new).push((cell, outcome, answer));
        }
        faults.extend(told.values().flat_map(|answers| hints(answers)));
        faults
    }
}

/// A caller who may not access a record must not learn that it exists: where the outcome should be
/// that of a missing record, the responses must be identical to the last byte.
fn hints(answers: &[(&Cell<'_>, &Outcome, Answer)]) -> Vec<String> {
    let missing = answers.iter().find(|(cell, ..)| cell.sort == Sort::Missing);
    let Some((_, expected, missing)) = missing else { return Vec::new() };
    let alike = |(cell, outcome, answer): &&(&Cell<'_>, &Outcome, Answer)| {
        cell.sort.is_whole() && outcome == expected && answer.body != missing.body
    };
    let hint = |(cell, ..): &(&Cell<'_>, &Outcome, Answer)| format!("{cell}: not as if missing");
    answers.iter().filter(alike).map(hint).collect()
}

fn is_staff(cell: &Cell<'_>) -> bool {
    cell.caller.home == callers::Home::Staff
}

fn report(faults: &[String]) -> String {
    format!("{} faults:\n{}", faults.len(), faults.join("\n"))
}

#[db_test]
async fn nobody_gets_more_than_is_theirs(world: World) {
    let cells = world.cells();
    let count = cells.len();
    let judged = cells.into_iter().map(|cell| {
        let outcome = cell.outcome(&world);
        (cell, outcome)
    });
    let (mut fine, refused): (Vec<_>, Vec<_>) =
        judged.partition(|(_, outcome)| *outcome == Outcome::Fine);
    // Reads before changes, changes before deletions; a new password ends other sessions.
    fine.sort_by_key(|(cell, _)| {
        let row = &cell.operation.row;
        let late = row.path == "/user/change/password";
        (is_staff(cell), late, row.method != Method::GET, row.method == Method::DELETE)
    });
    let staff = fine.partition_point(|(cell, _)| !is_staff(cell));

    let before = Dump::of(&world.app).await;
    let mut faults = world.judge(&refused).await;
    let refusing = Dump::of(&world.app).await;
    faults.extend(before.changes(&refusing).into_iter().map(|it| format!("a refusal: {it}")));
    faults.extend(world.judge(&fine[..staff]).await);
    let after = Dump::of(&world.app).await;
    for tenancy in [&world.foreign, &world.granted] {
        faults.extend(refusing.of_tenancy(tenancy).changes(&after.of_tenancy(tenancy)));
    }
    faults.extend(world.judge(&fine[staff..]).await);

    print_figure(&format!("{count} cells, {} of them let in, {} faults", fine.len(), faults.len()));
    assert!(faults.is_empty(), "{}", report(&faults));
    assert!(count >= 5_000, "{count} cells");
}

/// An app with a route that does not check the owner of a license.
struct Careless(World);

impl Fixture for Careless {
    async fn on(engine: Engine) -> Self {
        Self(World::with(engine, careless).await)
    }
}

#[derive(Serialize, ToSchema)]
struct Shown {
    license: String,
}

fn careless() -> Vec<Route> {
    let path = "/probe/license/{licenseId}";
    let permission = Access::Console(Right::Read);
    vec![route(Method::GET, path, permission, Limit::Caller, show, "Shows any license")]
}

async fn show(
    State(state): State<ApiState>,
    _: SignedIn,
    Segment(id): Segment,
) -> Result<Json<Shown>, Problem> {
    let found =
        grantor_service::licensing::license::load(&state.app, id.parse().into_iter().collect())
            .await?;
    Ok(Json(Shown { license: format!("{found:?}") }))
}

/// The control: the same check finds a license that a route shows to everybody.
#[db_test]
async fn a_route_that_forgets_the_tenant_is_caught(careless: Careless) {
    let Careless(world) = careless;
    let cells = world.cells().into_iter().filter(|it| it.operation.name.contains("/probe/"));
    let cells: Vec<_> =
        cells.map(|cell| (cell.outcome(&world), cell)).map(|(a, b)| (b, a)).collect();
    let faults = world.judge(&cells).await;
    let seen = |text: &str| faults.iter().filter(|it| it.contains(text)).count();
    let report = report(&faults);
    assert!(seen("Foreign-7f3a is shown") >= 8, "{report}");
    assert!(seen("Own-1c2d is shown") >= 3, "{report}");
    assert!(seen("Foreign: 200 instead of") >= 8, "{report}");
    assert!(seen("not as if missing") >= 5, "{report}");
}

/// The control: a route for a kind of record that the test data lacks cannot be left out.
#[test]
#[should_panic(expected = "the world has no gadget")]
fn a_route_about_something_new_is_noticed() {
    let permission = Access::Console(Right::Read);
    let path = "/probe/{gadgetId}";
    let route = route(Method::GET, path, permission, Limit::Caller, show, "Shows a gadget");
    Operation::new(Api::Console, route).path(&Records::default());
}

/// The control: a change to the other tenant's rows is detected.
#[db_test]
async fn a_change_of_what_is_foreign_would_be_noticed(world: World) {
    let before = Dump::of(&world.app).await.of_tenancy(&world.foreign);
    let script = "UPDATE talents SET bio = 'x' WHERE fullname LIKE 'Foreign%'";
    seed::run(&world.app.database.options, script.to_owned()).await;
    let after = Dump::of(&world.app).await.of_tenancy(&world.foreign);
    assert_eq!(before.changes(&after).len(), 2, "the row before and after");
}
