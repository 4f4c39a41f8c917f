//! The program in several processes on one database: what one writes the others send.

use std::collections::HashSet;

use grantor_storage::StoreUrl;
use grantor_testkit::server::{GrantorProcess, Installation, Reply, eventually, exchange, request};
use grantor_testkit::{Engine, Fixture as _};
use serde_json::{Value, json};

use super::{Room, path};
use crate::license::text;

impl Room {
    /// A place for another process of this app: the same database and keys.
    fn place(&self) -> Installation {
        let StoreUrl::Postgres(url) = &self.world.app.database.options.url else {
            panic!("several processes need PostgreSQL")
        };
        let place = Installation::default()
            .with("GRANTOR_DATABASE_URL", url)
            .with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8");
        std::fs::create_dir(place.data("")).unwrap();
        let keys = self.world.app.mail_folder().with_file_name("keys.json");
        std::fs::copy(keys, place.data("keys.json")).unwrap();
        place
    }
}

async fn ask(server: &GrantorProcess, what: &str, token: &str, body: &Value) -> Reply {
    let body = body.to_string();
    let length = format!("content-length: {}", body.len());
    let bearer = format!("authorization: Bearer {token}");
    let head = request(what, &["content-type: application/json", &length, &bearer]);
    exchange(server.connect().await, (head + &body).as_bytes()).await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_send_what_a_server_without_any_writes() {
    let room = Room::on(Engine::Postgres).await;
    let webhook = room.webhook(&["license.updated"]).await;
    let license = room.world.license(json!({})).await;
    let places = [room.place(), room.place(), room.place()];
    let server = GrantorProcess::start(places[0].command("serve --no-workers")).await;
    let entered = ask(&server, "POST /auth/token", "", &room.agency().pair).await;
    let token = text(&entered.json()["data"]["access_token"]);
    let change = async |from: usize, to: usize| {
        for number in from..to {
            let body = json!({ "title": format!("Title {number}") });
            let changed = ask(&server, &format!("PATCH /licenses/{license}"), &token, &body).await;
            assert_eq!(changed.status, 200, "{}", changed.body);
        }
    };
    change(0, 20).await;
    assert_eq!(room.calls().len(), 0, "the control: it sends nothing itself");
    let mut workers = vec![];
    for place in &places[1..] {
        workers.push(GrantorProcess::start_worker(place.command("worker")).await);
    }
    change(20, 80).await;
    eventually("every event", async || (room.calls().len() >= 80).then_some(())).await;
    for worker in &mut workers {
        assert_eq!(worker.stop().await, Some(0));
    }
    let ids: HashSet<_> =
        room.calls().iter().map(|it| it.header("webhook-id").unwrap().to_owned()).collect();
    assert_eq!((room.calls().len(), ids.len()), (80, 80), "each once");
    let delivered = room.get(&path(&webhook, "/deliveries?status=delivered")).await;
    assert_eq!(delivered["pagination"]["total"], 80);
}
