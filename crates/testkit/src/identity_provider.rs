//! An OpenID Connect provider on loopback. It signs in whoever a test names, and can be wrong in
//! every way that matters.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use url::Url;

use crate::listener::{Call, Listener, Script};

/// Our client ID at the provider.
pub const CLIENT_ID: &str = "grantor-client";
/// Our client secret at the provider.
pub const CLIENT_SECRET: &str = "p-secret of the provider";

/// Somebody at the provider.
#[derive(Clone, Debug)]
pub struct ProviderPerson {
    /// The identifier.
    pub subject: String,
    /// The email address, if the provider tells one.
    pub email: Option<String>,
    /// Whether the provider verified the address, if it tells.
    pub email_verified: Option<bool>,
}

impl ProviderPerson {
    /// A person with this address.
    #[must_use]
    pub fn new(subject: &str, email: &str) -> Self {
        let (subject, email) = (subject.to_owned(), Some(email.to_owned()));
        Self { subject, email, email_verified: Some(true) }
    }
}

/// What is wrong with the provider's ID tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// They have another nonce.
    Nonce,
    /// They name another issuer.
    Issuer,
    /// They are for another client.
    Audience,
    /// Another key signs them.
    Signature,
    /// They are not signed.
    Unsigned,
    /// They have expired.
    Expired,
    /// The address is only told at the user info endpoint. This is allowed.
    Terse,
}

struct State {
    issuer: String,
    now: i64,
    key: EcdsaKeyPair,
    other_key: EcdsaKeyPair,
    flaw: Option<Flaw>,
    /// Who signs in at the provider's page in a real browser.
    visitor: Option<ProviderPerson>,
    codes: HashMap<String, Grant>,
    /// Whose access tokens these are.
    tokens: HashMap<String, ProviderPerson>,
}

/// What a code stands for.
struct Grant {
    person: ProviderPerson,
    nonce: String,
    challenge: String,
}

/// A running provider.
pub struct IdentityProvider {
    listener: Listener,
    state: Arc<Mutex<State>>,
}

impl IdentityProvider {
    /// Starts a provider whose clock shows this time, in seconds since 1970.
    pub async fn start(now: i64) -> Self {
        let key = || EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
        let state = State {
            issuer: String::new(),
            now,
            key: key(),
            other_key: key(),
            flaw: None,
            visitor: None,
            codes: HashMap::new(),
            tokens: HashMap::new(),
        };
        let state = Arc::new(Mutex::new(state));
        let known = Arc::clone(&state);
        let listener = Listener::start(move |call| answer(&mut lock(&known), call)).await;
        let listener = listener.expect("a listener");
        lock(&state).issuer = format!("http://{}", listener.address());
        Self { listener, state }
    }

    /// The issuer.
    #[must_use]
    pub fn issuer(&self) -> String {
        lock(&self.state).issuer.clone()
    }

    /// The requests so far, by path.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        self.listener.calls().into_iter().map(|it| it.path).collect()
    }

    /// Makes ID tokens wrong, or right again.
    pub fn set_flaw(&self, flaw: Option<Flaw>) {
        lock(&self.state).flaw = flaw;
    }

    /// Sets who signs in at the provider's page.
    pub fn set_visitor(&self, person: ProviderPerson) {
        lock(&self.state).visitor = Some(person);
    }

    /// Signs a person in at the sign-in page, and returns the query with which the browser comes
    /// back.
    #[must_use]
    pub fn sign_in(&self, url: &str, person: ProviderPerson) -> String {
        let url = Url::parse(url).expect("a URL");
        grant(&mut lock(&self.state), &parameters(url.query().unwrap_or_default()), person)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn parameters(query: &str) -> HashMap<String, String> {
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// Issues a code, and returns the query with which the browser comes back.
fn grant(state: &mut State, asked: &HashMap<String, String>, person: ProviderPerson) -> String {
    assert_eq!(asked["client_id"], CLIENT_ID);
    assert_eq!((&*asked["response_type"], &*asked["code_challenge_method"]), ("code", "S256"));
    assert!(asked["scope"].split(' ').any(|it| it == "openid"), "{}", asked["scope"]);
    let code = format!("code-{}", state.codes.len());
    let (nonce, challenge) = (asked["nonce"].clone(), asked["code_challenge"].clone());
    state.codes.insert(code.clone(), Grant { person, nonce, challenge });
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("code", &code).append_pair("state", &asked["state"]);
    query.finish()
}

fn answer(state: &mut State, call: &Call) -> Script {
    let (path, query) = call.path.split_once('?').unwrap_or((&call.path, ""));
    match path {
        "/.well-known/openid-configuration" => reply(200, &configuration(&state.issuer)),
        "/keys" => reply(200, &keys(&state.key)),
        "/authorize" => {
            let asked = parameters(query);
            let person = state.visitor.clone().expect("somebody who signs in");
            let back = format!("{}?{}", asked["redirect_uri"], grant(state, &asked, person));
            Script::redirect(302, &back)
        }
        "/token" => token(state, call),
        "/userinfo" => user_info(state, call),
        _ => reply(404, &json!({})),
    }
}

fn reply(status: u16, body: &Value) -> Script {
    let body = body.to_string();
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} Told\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n"
    );
    Script::Raw([head, body].concat().into_bytes())
}

fn configuration(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256", "none"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic"],
    })
}

fn keys(key: &EcdsaKeyPair) -> Value {
    let point = key.public_key().as_ref();
    let (x, y) = (encode(&point[1..33]), encode(&point[33..65]));
    let key = json!({
        "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "one", "x": x, "y": y,
    });
    json!({ "keys": [key] })
}

/// Exchanges a code once, with the right secret and the right verifier.
fn token(state: &mut State, call: &Call) -> Script {
    let asked = parameters(&String::from_utf8_lossy(&call.body));
    let pair = format!("{CLIENT_ID}:{}", CLIENT_SECRET.replace(' ', "+"));
    let right = format!("Basic {}", STANDARD.encode(pair));
    let grant = state.codes.remove(asked.get("code").map_or("", String::as_str));
    let verifier = asked.get("code_verifier").map_or("", String::as_str);
    let fits = |it: &Grant| it.challenge == encode(digest(&SHA256, verifier.as_bytes()).as_ref());
    let Some(grant) = grant.filter(fits) else {
        return reply(400, &json!({ "error": "invalid_grant" }));
    };
    if call.header("authorization") != Some(&*right) {
        return reply(401, &json!({ "error": "invalid_client" }));
    }
    let access = format!("access-{}", state.tokens.len());
    let id_token = id_token(state, &grant);
    state.tokens.insert(access.clone(), grant.person);
    reply(
        200,
        &json!({
            "access_token": access, "token_type": "Bearer", "expires_in": 60, "id_token": id_token,
        }),
    )
}

fn user_info(state: &State, call: &Call) -> Script {
    let token = call.header("authorization").and_then(|it| it.strip_prefix("Bearer "));
    match token.and_then(|it| state.tokens.get(it)) {
        Some(person) => reply(
            200,
            &json!({
                "sub": person.subject,
                "email": person.email,
                "email_verified": person.email_verified,
                "name": "Grace Hopper",
            }),
        ),
        None => reply(401, &json!({})),
    }
}

fn id_token(state: &State, grant: &Grant) -> String {
    let flaw = |it: Flaw| state.flaw == Some(it);
    let wrong = |it: Flaw, right: &str| {
        if flaw(it) { format!("{right}/x") } else { right.to_owned() }
    };
    let expires = if flaw(Flaw::Expired) { state.now - 1 } else { state.now + 300 };
    let mut claims = json!({
        "iss": wrong(Flaw::Issuer, &state.issuer),
        "aud": wrong(Flaw::Audience, CLIENT_ID),
        "nonce": wrong(Flaw::Nonce, &grant.nonce),
        "sub": grant.person.subject,
        "iat": state.now,
        "exp": expires,
    });
    if !flaw(Flaw::Terse) {
        claims["email"] = json!(grant.person.email);
        claims["email_verified"] = json!(grant.person.email_verified);
        claims["name"] = json!("Grace Hopper");
    }
    let alg = if flaw(Flaw::Unsigned) { "none" } else { "ES256" };
    let header = json!({ "alg": alg, "typ": "JWT", "kid": "one" });
    let signed = [header, claims].map(|it| encode(it.to_string().as_bytes())).join(".");
    if flaw(Flaw::Unsigned) {
        return format!("{signed}.");
    }
    let key = if flaw(Flaw::Signature) { &state.other_key } else { &state.key };
    let signature = key.sign(&SystemRandom::new(), signed.as_bytes()).expect("a signature");
    format!("{signed}.{}", encode(signature.as_ref()))
}

fn encode(data: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(data)
}
