//! What an attacker tries, and that it fails; each with a control that shows the test could.

mod anonymous;
mod assignment;
mod binding;
mod codes;
mod enumeration;
mod flood;
mod forgery;
mod guessing;
mod mail_bound;
mod matrix;
mod refusals;
mod secrets;
mod theft;
mod timing;

use grantor_domain::Entropy;
use grantor_testkit::app::TestApp;
use grantor_testkit::entropy::SeededEntropy;
use serde_json::{Value, json};

use crate::external::post;

const PASSWORD: &str = "Analytical-Engine-1843";

/// Choices that repeat: a run that failed fails again.
struct Dice(SeededEntropy);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(SeededEntropy::new(seed))
    }

    /// A number below this one.
    fn below(&mut self, limit: usize) -> usize {
        let mut drawn = [0; 8];
        self.0.fill(&mut drawn);
        let drawn = u64::from_le_bytes(drawn);
        usize::try_from(drawn % limit as u64).unwrap()
    }

    fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }
}

/// Shows a figure, which is part of the proof.
#[expect(clippy::print_stderr, reason = "a run is asked for its figures")]
fn tell(figures: &str) {
    eprintln!("{figures}");
}

/// Registers a person with a password and proves the address.
async fn register(app: &TestApp, email: &str) {
    let body = json!({ "fullname": "Ada Lovelace", "email": email, "password": PASSWORD });
    let begun = post(app, "/v1.0.1/auth/m/register", &body).await;
    let code = app.mailed_code(email).await;
    let body = json!({ "otpSession": begun.json()["data"]["otpSession"], "otp": code });
    let proved = post(app, "/v1.0.1/auth/validate/registration", &body).await;
    assert_eq!(proved.status, 201, "{}", proved.json());
}

/// Signs that person in; gives what signing in gave.
async fn sign_in(app: &TestApp, email: &str, password: &str) -> Value {
    let body = json!({ "username": email, "password": password });
    let answer = post(app, "/v1.0.1/auth/login", &body).await;
    assert_eq!(answer.status, 201, "{}", answer.json());
    answer.json()["data"].clone()
}
