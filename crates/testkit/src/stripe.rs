//! A server for the part of Stripe's API that Grantor uses: customers, payment methods, payment
//! intents, errors, idempotency keys. It can lose responses and fail.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grantor_outbound::{Outbound, SystemDns, TimeLimits};
use grantor_service::billing::Stripe;
use serde_json::{Value, json};

use crate::listener::{Call, Listener, Script};

/// The valid API key.
pub const KEY: &str = "sk_test_grantor";

/// A failure of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not executed: 500.
    Broken,
    /// It is executed, but its response is lost.
    Lost,
    /// It is not executed, and the caller waits forever.
    Silent,
}

/// A running server.
pub struct FakeStripe {
    listener: Listener,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    count: u32,
    methods: HashMap<String, Method>,
    intents: HashMap<String, Value>,
    /// The response to each idempotency key, and its form.
    answered: HashMap<String, (Vec<u8>, (u16, Value))>,
    charges: Vec<(String, u64)>,
    /// A part of a path, and the failure of the next request to it.
    faults: Vec<(&'static str, Fault)>,
}

#[derive(Clone)]
struct Method {
    token: String,
    customer: Option<String>,
}

impl FakeStripe {
    /// Starts a server on loopback.
    pub async fn start() -> Self {
        let state = Arc::<Mutex<State>>::default();
        let known = Arc::clone(&state);
        let listener = Listener::start(move |call| answer(&mut lock(&known), call)).await;
        Self { listener: listener.expect("a listener"), state }
    }

    /// The server's URL.
    #[must_use]
    pub fn url(&self) -> String {
        self.listener.url("/")
    }

    /// A payment processor that uses this server, with this key.
    #[must_use]
    pub fn processor(&self, key: &str) -> Arc<Stripe> {
        crate::install_tls_provider();
        let (dns, own) = (Arc::new(SystemDns::default()), "127.0.0.0/8".parse());
        let client = Outbound::new(dns, own.expect("a network"), TimeLimits::default());
        Arc::new(Stripe::new(&self.url(), key.to_owned().into(), client.expect("a client")))
    }

    /// Makes the next request whose path contains this fail.
    pub fn fail(&self, path: &'static str, fault: Fault) {
        lock(&self.state).faults.push((path, fault));
    }

    /// The charges: payment and amount in minor units.
    #[must_use]
    pub fn charges(&self) -> Vec<(String, u64)> {
        lock(&self.state).charges.clone()
    }

    /// Deletes idempotency keys, as Stripe does after a day.
    pub fn forget_keys(&self) {
        lock(&self.state).answered.clear();
    }

    /// All requests so far.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.listener.calls()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer(state: &mut State, call: &Call) -> Script {
    let found = state.faults.iter().position(|it| call.path.contains(it.0));
    let fault = found.map(|at| state.faults.remove(at).1);
    match fault {
        Some(Fault::Broken) => script(500, &json!({ "error": { "type": "api_error" } })),
        Some(Fault::Silent) => Script::Hang,
        Some(Fault::Lost) => {
            once(state, call);
            Script::Close
        }
        None => {
            let (status, body) = once(state, call);
            script(status, &body)
        }
    }
}

fn script(status: u16, body: &Value) -> Script {
    Script::answer(status, body.to_string().as_bytes())
}

/// Repeats the response to the same key and form.
fn once(state: &mut State, call: &Call) -> (u16, Value) {
    if call.header("authorization") != Some(&format!("Bearer {KEY}")) {
        return error(401, "invalid_request_error", "api_key_invalid", None);
    }
    let Some(key) = call.header("idempotency-key") else { return act(state, call) };
    let asked = [call.path.as_bytes(), &call.body].concat();
    match state.answered.get(key) {
        Some((before, answer)) if *before == asked => return answer.clone(),
        Some(_) => return error(400, "idempotency_error", "idempotency_key_reused", None),
        None => {}
    }
    let answer = act(state, call);
    state.answered.insert(key.to_owned(), (asked, answer.clone()));
    answer
}

fn act(state: &mut State, call: &Call) -> (u16, Value) {
    let form: HashMap<String, String> =
        url::form_urlencoded::parse(&call.body).into_owned().collect();
    let given = |name: &str| form.get(name).cloned().unwrap_or_default();
    let parts: Vec<&str> = call.path.split('/').skip(2).collect();
    match (call.method.as_str(), parts.as_slice()) {
        ("POST", ["customers"]) => (200, json!({ "id": state.next("cus"), "object": "customer" })),
        ("POST", ["payment_methods"]) => state.make_method(&given("card[token]")),
        ("POST", ["payment_methods", id, "attach"]) => state.attach(id, &given("customer")),
        ("POST", ["payment_methods", id, "detach"]) => {
            state.methods.remove(*id);
            (200, json!({ "id": id, "object": "payment_method" }))
        }
        ("POST", ["payment_intents"]) => state.make_intent(&given("amount"), &given("customer")),
        ("POST", ["payment_intents", id, "confirm"]) => {
            state.confirm(id, &given("payment_method"), &given("off_session"))
        }
        ("GET", ["payment_intents", id]) => match state.intents.get(*id) {
            Some(intent) => (200, intent.clone()),
            None => missing("intent"),
        },
        _ => error(404, "invalid_request_error", "url_invalid", None),
    }
}

impl State {
    fn next(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}_{}", self.count)
    }

    fn make_method(&mut self, token: &str) -> (u16, Value) {
        if face(token).is_none() {
            return missing("card[token]");
        }
        let id = self.next("pm");
        self.methods.insert(id.clone(), Method { token: token.to_owned(), customer: None });
        (200, method(&id, token))
    }

    fn attach(&mut self, id: &str, customer: &str) -> (u16, Value) {
        let Some(known) = self.methods.get_mut(id) else { return missing("payment_method") };
        if known.token == "tok_chargeDeclined" {
            return declined("generic_decline");
        }
        known.customer = Some(customer.to_owned());
        (200, method(id, &known.token))
    }

    fn make_intent(&mut self, amount: &str, customer: &str) -> (u16, Value) {
        let id = self.next("pi");
        let amount: u64 = amount.parse().expect("whole minor units");
        let intent = json!({
            "id": id, "object": "payment_intent", "amount": amount, "currency": "usd",
            "customer": customer, "status": "requires_payment_method", "last_payment_error": null,
        });
        self.intents.insert(id, intent.clone());
        (200, intent)
    }

    fn confirm(&mut self, id: &str, method: &str, off_session: &str) -> (u16, Value) {
        let (Some(intent), Some(method)) = (self.intents.get_mut(id), self.methods.get(method))
        else {
            return missing("intent");
        };
        assert_eq!(off_session, "true", "nobody is there to answer");
        if intent["status"] == "succeeded" {
            let code = "payment_intent_unexpected_state";
            return error(400, "invalid_request_error", code, None);
        }
        if method.customer.as_deref() != intent["customer"].as_str() {
            return missing("payment_method");
        }
        if method.token == "tok_chargeCustomerFail" {
            let reason = declined("insufficient_funds");
            intent["last_payment_error"] = reason.1["error"].clone();
            return reason;
        }
        intent["status"] = json!("succeeded");
        self.charges.push((id.to_owned(), intent["amount"].as_u64().expect("an amount")));
        (200, intent.clone())
    }
}

fn face(token: &str) -> Option<(&'static str, &'static str)> {
    Some(match token {
        "tok_visa" => ("visa", "4242"),
        "tok_mastercard" => ("mastercard", "4444"),
        "tok_chargeCustomerFail" => ("visa", "0341"),
        "tok_chargeDeclined" => ("visa", "0002"),
        _ => return None,
    })
}

fn method(id: &str, token: &str) -> Value {
    let (brand, last4) = face(token).expect("a known card");
    let card = json!({ "brand": brand, "last4": last4, "exp_month": 8, "exp_year": 2027 });
    json!({ "id": id, "object": "payment_method", "type": "card", "card": card })
}

fn missing(param: &str) -> (u16, Value) {
    error(400, "invalid_request_error", "resource_missing", Some(param))
}

fn declined(reason: &str) -> (u16, Value) {
    let (status, mut body) = error(402, "card_error", "card_declined", None);
    body["error"]["decline_code"] = json!(reason);
    (status, body)
}

fn error(status: u16, kind: &str, code: &str, param: Option<&str>) -> (u16, Value) {
    let message = "Your card 4242424242424242 was not taken";
    let error = json!({ "type": kind, "code": code, "param": param, "message": message });
    (status, json!({ "error": error }))
}
