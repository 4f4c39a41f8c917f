//! Routes that do on purpose what no endpoint does: fail in every way, respond slowly, panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Json as Reply;
use axum::extract::State;
use axum::response::IntoResponse as _;
use grantor_api::ApiState;
use grantor_api::frame::describe::ResponseOf;
use grantor_api::frame::extract::Json;
use grantor_api::frame::problem::Problem;
use grantor_api::frame::request::Anonymous;
use grantor_api::frame::route::{Access, Limit, Route, route};
use grantor_domain::audit::Resource;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_service::act::{Act, Done, UnitOfWork};
use http::{Method, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(super) struct Note {
    name: String,
    count: u32,
}

/// A table of such routes, the same for both APIs.
pub(super) fn routes(ran: &Arc<AtomicU32>) -> Vec<Route> {
    let ran = Arc::clone(ran);
    let (open, free) = (Access::Public, Limit::Unlimited);
    let act = move |state, anonymous, body| change(Arc::clone(&ran), state, anonymous, body);
    vec![
        route(Method::POST, "/probe/echo", open, free, echo, "Gives back what it gets"),
        route(Method::GET, "/probe/panic", open, free, panics, "Panics"),
        route(Method::GET, "/probe/slow", open, free, never, "Takes forever"),
        route(Method::GET, "/probe/bare", open, free, bare, "Forgets the envelope"),
        route(Method::GET, "/probe/conflict", open, free, conflict, "Refuses"),
        route(Method::GET, "/probe/outage", open, free, outage, "Is not available"),
        route(Method::POST, "/probe/change", open, free, act, "Changes something").idempotent(),
    ]
}

async fn echo(Json(note): Json<Note>) -> Reply<Note> {
    Reply(note)
}

async fn panics() -> Reply<Note> {
    panic!("the secret reason")
}

async fn never() -> Reply<Note> {
    std::future::pending().await
}

async fn bare() -> ResponseOf<Note> {
    ResponseOf::new((StatusCode::IM_A_TEAPOT, "plain text").into_response())
}

async fn conflict() -> Result<Reply<Note>, Problem> {
    Err(Error::conflict("It is not so far").into())
}

async fn outage() -> Result<Reply<Note>, Problem> {
    Err(Error::unavailable("the database at 10.1.2.3 is gone").into())
}

/// Counts its runs. The name `refuse` is rejected, `slow` waits until the node stops before it
/// makes the change, and `panic` panics after the change.
async fn change(
    ran: Arc<AtomicU32>,
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(note): Json<Note>,
) -> Result<Reply<Note>, Problem> {
    ran.fetch_add(1, Ordering::SeqCst);
    let name = note.name.clone();
    if name == "fault" {
        return Err(Error::internal("a fault before anything was changed").into());
    }
    if name == "slow" {
        let _ = state.app.stopping.subscribe().wait_for(|it| *it).await;
    }
    let changed = state.app.act(&context, Change(note)).await?;
    assert_ne!(name, "panic", "as asked");
    Ok(Reply(changed))
}

struct Change(Note);

impl Act for Change {
    type Permit = ();
    type Output = Note;
    const ACTION: &'static str = "note.create";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        if self.0.name == "refuse" {
            return Err(Error::new(ErrorKind::AccessDenied, "Not this one"));
        }
        Ok(())
    }

    fn carry_out(&self, _: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Note>> {
        let resource = Resource { kind: "note", id: None, name: Some(self.0.name.clone()) };
        Ok(Done::new(self.0.clone(), resource, "A note was made"))
    }
}
