//! Tests of the service crate.

mod act;
mod backup;
mod catalog;
mod chore;
mod dashboard;
mod effect;
mod history;
mod idempotency;
mod inbox;
mod insider;
mod listing;
mod lock;
mod mailbox;
mod names;
mod node;
mod object_move;
mod retention;
mod ring;
mod supervision;

use std::sync::Arc;

use grantor_domain::page::{Page, PageRules};
use grantor_service::Context;
use grantor_service::identity::access::{self, Caller};
use grantor_testkit::app::TestApp;

use crate::license::Member;

/// An id that no record has.
const UNKNOWN: &str = "018f3f9e-0000-7000-8000-000000000001";

/// A console user, as a page knows them.
pub(crate) async fn caller(app: &TestApp, member: &Member) -> Arc<Caller> {
    access::console(&app.app, &member.console).await.unwrap()
}

/// The context of their actions.
fn context(app: &TestApp, caller: &Caller) -> Context {
    Context { actor: caller.actor(), ..Context::operator(app.app.clock.monotonic()) }
}

pub(crate) fn page(number: u32, size: u32) -> Page {
    let rules = PageRules { size_name: "limit", default_size: 20, max_size: 100 };
    Page::parse(Some(&number.to_string()), Some(&size.to_string()), rules).unwrap()
}
