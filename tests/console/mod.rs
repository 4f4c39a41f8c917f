//! The console API: every documented request, answer and error, on both engines.

mod profile;
mod registration;
mod session;

use grantor_testkit::app::{Answer, TestApp};
use serde_json::{Value, json};

const PASSWORD: &str = "Analytical-Engine-1843";

fn entered(email: &str, organization: &str) -> Value {
    json!({
        "fullname": "Ada Lovelace",
        "email": email,
        "password": PASSWORD,
        "organization": { "name": organization, "type": "Agency", "description": "Talents" },
    })
}

fn refused(code: &str, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message, "details": {} }, "status": "error" })
}

/// Registers and proves an address; gives the answer to the proof.
async fn account(app: &TestApp, email: &str, organization: &str) -> Answer {
    let begun = app.post("/v1.0.1/auth/register", &entered(email, organization)).await;
    let session = begun.json()["data"]["otpSession"].clone();
    let code = app.mailed_code(email).await;
    prove(app, &session, &code).await
}

async fn prove(app: &TestApp, session: &Value, code: &str) -> Answer {
    let body = json!({ "otpSession": session, "otp": code });
    app.post("/v1.0.1/auth/validate/registration", &body).await
}
