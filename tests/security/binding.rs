//! The external API's tokens are bound to their client and its secret: the server walks with a
//! model that knows nothing but the contract's sentences (sections 3 to 5).

use std::collections::BTreeMap;
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_keys::{Audience, Claims};
use grantor_testkit::app::{Answer, ORIGIN, TestConfig};
use grantor_testkit::{Engine, repeats};
use http::Method;
use serde_json::{Value, json};

use super::Dice;
use crate::external::{Office, pair, post, text};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// What the contract says, to be got wrong on purpose.
#[derive(Clone, Copy)]
struct Rules {
    life: i64,
    /// Another secret ends the refresh tokens of the one before.
    bound_to_its_secret: bool,
    /// A revoked refresh token takes its access tokens along.
    revoked_as_a_whole: bool,
    /// A client that is not active opens nothing.
    bound_to_its_client: bool,
}

const CONTRACT: Rules = Rules {
    life: 30 * DAY,
    bound_to_its_secret: true,
    revoked_as_a_whole: true,
    bound_to_its_client: true,
};

struct Client {
    id: String,
    status: &'static str,
    pair: Value,
    /// The pair before, and until when it works.
    old: Option<(Value, i64)>,
}

struct Exchange {
    client: usize,
    /// The pair it was got with.
    pair: Value,
    refresh: Value,
    until: i64,
    revoked: bool,
}

struct Access {
    exchange: usize,
    text: Value,
    issued: i64,
    revoked: bool,
}

struct Walk {
    office: Office,
    person: Claims,
    rules: Rules,
    dice: Dice,
    now: i64,
    clients: Vec<Client>,
    exchanges: Vec<Exchange>,
    accesses: Vec<Access>,
}

type Said = (u16, String);
type Step = (&'static str, Said, Said);

fn said(status: u16, code: &str) -> Said {
    (status, code.to_owned())
}

fn heard(answer: &Answer) -> Said {
    let body = if answer.body.is_empty() { Value::Null } else { answer.json() };
    (answer.status.as_u16(), body["error"]["code"].as_str().unwrap_or_default().to_owned())
}

impl Walk {
    async fn on(engine: Engine, rules: Rules, seed: u64) -> Self {
        let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
        let office = Office::with_config(engine, config).await;
        let person = office.app.app.keys.verify(&office.person, ORIGIN, Audience::Console);
        let (clients, exchanges, accesses) = (vec![], vec![], vec![]);
        let (person, dice) = (person.unwrap(), Dice::new(seed));
        Self { office, person, rules, dice, now: 0, clients, exchanges, accesses }
    }

    /// Takes so many steps; gives how often each was, or where model and server parted.
    async fn run(mut self, steps: u32) -> Result<BTreeMap<String, u32>, String> {
        let mut taken = BTreeMap::new();
        for number in 0..steps {
            let (name, expected, got) = self.step().await;
            if expected != got {
                return Err(format!("step {number}: {name}: {expected:?}, {got:?}"));
            }
            *taken.entry(format!("{name} {} {}", got.0, got.1)).or_default() += 1;
        }
        Ok(taken)
    }

    async fn step(&mut self) -> Step {
        let usable = self.clients.iter().filter(|it| ["active", "inactive"].contains(&it.status));
        if usable.count() < 3 {
            return self.make_client().await;
        }
        match self.dice.below(100) {
            0..20 => self.exchange().await,
            _ if self.exchanges.is_empty() => self.exchange().await,
            20..45 => self.refresh().await,
            45..70 => self.enter().await,
            70..74 => self.revoke().await,
            74..77 => self.rotate().await,
            77..82 => self.change_status().await,
            _ => self.wait(),
        }
    }

    /// The person's token does not age: it is not what is looked at here.
    async fn console(&mut self, method: Method, path: &str, body: &Value) -> Answer {
        let iat = self.office.app.app.clock.now().as_secs();
        let claims = Claims { iat, nbf: iat, exp: iat + 3_600, ..self.person.clone() };
        self.office.person = self.office.app.app.keys.sign(&claims).unwrap();
        self.office.console(method, path, body).await
    }

    async fn make_client(&mut self) -> Step {
        let body = json!({ "name": "Crawler", "environment": "staging" });
        let made = self.console(Method::POST, crate::external::CLIENTS, &body).await;
        let client = made.json()["data"].clone();
        let (id, pair) = (text(&client["clientId"]), pair(&client));
        self.clients.push(Client { id, status: "active", pair, old: None });
        ("make", said(201, ""), heard(&made))
    }

    fn recent(&mut self, length: usize) -> usize {
        let among = *self.dice.pick(&[1, 2, 8, length]);
        length - 1 - self.dice.below(among.clamp(1, length))
    }

    async fn exchange(&mut self) -> Step {
        let number = self.recent(self.clients.len());
        let by_old = self.dice.below(4) == 0;
        let client = &self.clients[number];
        let (pair, ends) = match &client.old {
            Some((pair, until)) if by_old => (pair.clone(), *until),
            _ => (client.pair.clone(), i64::MAX),
        };
        let works = self.now < ends;
        let expected = match client.status {
            _ if !works => said(401, "INVALID_CREDENTIALS"),
            "deleted" => said(401, "INVALID_CREDENTIALS"),
            "active" => said(200, ""),
            _ => said(401, "CREDENTIAL_INACTIVE"),
        };
        let answer = post(&self.office.app, "/auth/token", &pair).await;
        if answer.status == 200 {
            let data = &answer.json()["data"];
            let refresh = data["refresh_token"].clone();
            let bound = self.rules.bound_to_its_secret;
            let until = (self.now + self.rules.life).min(if bound { ends } else { i64::MAX });
            let revoked = false;
            self.exchanges.push(Exchange { client: number, pair, refresh, until, revoked });
            self.keep(self.exchanges.len() - 1, &data["access_token"]);
        }
        ("exchange", expected, heard(&answer))
    }

    fn keep(&mut self, exchange: usize, text: &Value) {
        let (text, issued) = (text.clone(), self.now);
        self.accesses.push(Access { exchange, text, issued, revoked: false });
    }

    /// Whether a client lets its tokens work.
    fn lives(&self, client: usize) -> bool {
        let status = self.clients[client].status;
        status == "active" || status == "inactive" && !self.rules.bound_to_its_client
    }

    async fn refresh(&mut self) -> Step {
        let number = self.recent(self.exchanges.len());
        let Exchange { client, ref refresh, until, revoked, .. } = self.exchanges[number];
        let expected = if revoked || !self.lives(client) {
            said(401, "UNAUTHORIZED")
        } else if self.now >= until {
            said(401, "TOKEN_EXPIRED")
        } else {
            said(200, "")
        };
        let body = json!({ "refresh_token": refresh });
        let answer = post(&self.office.app, "/auth/token/refresh", &body).await;
        if answer.status == 200 {
            self.keep(number, &answer.json()["data"]["access_token"]);
        }
        ("refresh", expected, heard(&answer))
    }

    async fn enter(&mut self) -> Step {
        let number = self.recent(self.accesses.len());
        let Access { exchange, ref text, issued, revoked } = self.accesses[number];
        let of = &self.exchanges[exchange];
        let ended = of.revoked && self.rules.revoked_as_a_whole;
        let expected = if self.is_over(issued) {
            said(401, "TOKEN_EXPIRED")
        } else if revoked || ended || !self.lives(of.client) {
            said(401, "UNAUTHORIZED")
        } else {
            said(200, "")
        };
        let answer = self.office.probe(text).await;
        ("enter", expected, heard(&answer))
    }

    /// Access tokens count whole seconds.
    fn is_over(&self, issued: i64) -> bool {
        self.now / SECOND >= issued / SECOND + 3_600
    }

    async fn revoke(&mut self) -> Step {
        let token = if self.dice.below(2) == 0 {
            let number = self.recent(self.exchanges.len());
            self.exchanges[number].revoked = true;
            self.exchanges[number].refresh.clone()
        } else {
            let number = self.recent(self.accesses.len());
            self.accesses[number].revoked = true;
            self.accesses[number].text.clone()
        };
        let body = json!({ "token": token });
        let answer = post(&self.office.app, "/auth/token/revoke", &body).await;
        ("revoke", said(200, ""), heard(&answer))
    }

    async fn rotate(&mut self) -> Step {
        let number = self.recent(self.clients.len());
        let grace = *self.dice.pick(&[0, 0, 10, 60, 86_400]);
        let path = format!(
            "/v1.0.1/org/refresh/client?clientId={}&graceSeconds={grace}",
            self.clients[number].id
        );
        let answer = self.console(Method::PATCH, &path, &json!({})).await;
        let expected = match self.clients[number].status {
            "deleted" => said(404, "NOT_FOUND"),
            "revoked" => said(409, "RESOURCE_CONFLICT"),
            _ => said(200, ""),
        };
        if answer.status == 200 {
            let (until, client) = (self.now + grace * SECOND, &mut self.clients[number]);
            let new = pair(&answer.json()["data"]);
            let replaced = std::mem::replace(&mut client.pair, new);
            for exchange in self.exchanges.iter_mut().filter(|it| it.client == number) {
                if self.rules.bound_to_its_secret {
                    // Only the secret replaced last has a grace.
                    let until = if exchange.pair == replaced { until } else { self.now };
                    exchange.until = exchange.until.min(until);
                }
            }
            client.old = Some((replaced, until));
        }
        ("rotate", expected, heard(&answer))
    }

    async fn change_status(&mut self) -> Step {
        let number = self.recent(self.clients.len());
        let (path, before) = (
            format!("/v1.0.1/org/client/{}", self.clients[number].id),
            self.clients[number].status,
        );
        if self.dice.below(12) == 0 {
            let answer = self.console(Method::DELETE, &path, &json!({})).await;
            let expected = if before == "deleted" { said(404, "NOT_FOUND") } else { said(204, "") };
            self.clients[number].status = "deleted";
            return ("delete", expected, heard(&answer));
        }
        let all = ["active", "active", "active", "inactive", "inactive", "revoked"];
        let status = *self.dice.pick(&all);
        let answer = self.console(Method::PATCH, &path, &json!({ "status": status })).await;
        let expected = match before {
            "deleted" => said(404, "NOT_FOUND"),
            "revoked" if status != "revoked" => said(409, "RESOURCE_CONFLICT"),
            _ => said(200, ""),
        };
        if answer.status == 200 {
            self.clients[number].status = status;
            let ends = status != "active" && self.rules.bound_to_its_client;
            for exchange in self.exchanges.iter_mut().filter(|it| it.client == number && ends) {
                exchange.revoked = true;
            }
        }
        ("change", expected, heard(&answer))
    }

    fn wait(&mut self) -> Step {
        let long = [3_599 * SECOND, 3_600 * SECOND, 15 * DAY, 30 * DAY - SECOND, 30 * DAY];
        let short = [1, SECOND, 10 * SECOND, 59 * SECOND, 60 * SECOND];
        let among = if self.dice.below(12) == 0 { &long } else { &short };
        let wait = *self.dice.pick(among);
        self.office.app.clock.advance(Duration::from_micros(wait.cast_unsigned()));
        self.now += wait;
        ("wait", said(0, ""), said(0, ""))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_and_model_agree_on_sqlite() {
    let walk = Walk::on(Engine::Sqlite, CONTRACT, 1).await;
    let taken = walk.run(repeats(2_000, 50_000)).await.unwrap();
    let outcomes = [
        "exchange 200 ",
        "exchange 401 CREDENTIAL_INACTIVE",
        "exchange 401 INVALID_CREDENTIALS",
        "refresh 200 ",
        "refresh 401 UNAUTHORIZED",
        "refresh 401 TOKEN_EXPIRED",
        "enter 200 ",
        "enter 401 UNAUTHORIZED",
        "enter 401 TOKEN_EXPIRED",
    ];
    assert!(outcomes.iter().all(|it| taken.contains_key(*it)), "{taken:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_and_model_agree_on_postgres() {
    let walk = Walk::on(Engine::Postgres, CONTRACT, 2).await;
    walk.run(repeats(500, 5_000)).await.unwrap();
}

/// The control: each rule got wrong is noticed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_is_wrong_disagrees() {
    let broken = [
        ("a life of a second less", Rules { life: 30 * DAY - SECOND, ..CONTRACT }),
        ("not bound to its secret", Rules { bound_to_its_secret: false, ..CONTRACT }),
        ("not revoked as a whole", Rules { revoked_as_a_whole: false, ..CONTRACT }),
        ("not bound to its client", Rules { bound_to_its_client: false, ..CONTRACT }),
    ];
    let walks = broken.map(|(name, rules)| async move {
        let walk = Walk::on(Engine::Sqlite, rules, 1).await;
        assert!(walk.run(2_000).await.is_err(), "not noticed: {name}");
    });
    futures_util::future::join_all(walks).await;
}
