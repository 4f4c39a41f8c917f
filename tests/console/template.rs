//! `/mail/templates` and what the mails say.

use grantor_domain::admin::AdminRole;
use grantor_testkit::app::Answer;
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::admin::{Office, staff};
use super::{entered, faults, refusal, refused};

const CREATE: &str = "/v1.0.1/mail/create/template";

impl Office {
    async fn ask(&self, method: Method, path: &str, body: Value) -> Answer {
        self.ask_as(&self.token, method, path, body).await
    }

    async fn ask_as(&self, token: &str, method: Method, path: &str, body: Value) -> Answer {
        self.app.request(method, path).bearer(token).json(&body).send().await
    }

    async fn templates(&self, query: &str) -> Value {
        let path = format!("/v1.0.1/mail/templates{query}");
        let answer = self.app.request(Method::GET, &path).bearer(&self.token).send().await;
        assert_eq!(answer.status, 200);
        answer.json()["data"].clone()
    }

    /// The subject and text of the mail that a registration sends.
    async fn registration_mail(&self, email: &str) -> String {
        self.app.post("/v1.0.1/auth/register", &entered(email, email)).await;
        self.app.newest_mail(email).await
    }
}

fn input(name: &str, subject: &str, body: &str) -> Value {
    json!({ "name": name, "subject": subject, "body": body })
}

fn at(template: &Value) -> String {
    format!("/v1.0.1/mail/template/{}", template["templateId"].as_str().unwrap())
}

#[db_test]
async fn every_mail_is_listed_with_its_text(office: Office) {
    let data = office.templates("?limit=100").await;
    let names: Vec<_> =
        data["templates"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names.len(), 50);
    let first = &data["templates"][0];
    let shown = json!([first["templateId"], first["name"], first["customized"]]);
    assert_eq!(shown, json!([null, "registration", false]));
    assert_eq!(
        first["variables"][1],
        json!({ "name": "code", "sample": "012345", "required": true })
    );
    assert_eq!(first["preview"]["subject"], "012345 is your Grantor code");
    let page = office.templates("?limit=10&page=5").await;
    assert_eq!(page["templates"].as_array().unwrap().len(), 10);
    let pagination = json!({ "page": 5, "limit": 10, "total": 50, "totalPages": 5 });
    assert_eq!(page["pagination"], pagination);
}

#[db_test]
async fn a_text_is_sent_until_it_is_reset(office: Office) {
    let body = "Welcome <b>,\n\n{{code}}";
    let made = office.ask(Method::POST, CREATE, input("registration", "Begin", body)).await;
    let template = made.json()["data"].clone();
    let shown = json!([template["name"], template["customized"], template["preview"]["text"]]);
    let text = "Welcome <b>,\n\n    012345\n";
    assert_eq!((made.status.as_u16(), shown), (201, json!(["registration", true, text])));
    let mail = office.registration_mail("one@example.com").await;
    assert!(mail.contains("Subject: Begin") && mail.contains("Welcome &lt;b&gt;,"), "{mail}");
    let text = json!({ "subject": "Begin anew", "body": "{{code}} for {{minutes}} minutes" });
    let changed = office.ask(Method::PUT, &at(&template), text).await;
    assert_eq!(
        (changed.status.as_u16(), &changed.json()["data"]["subject"]),
        (200, &json!("Begin anew"))
    );
    let mail = office.registration_mail("two@example.com").await;
    assert!(mail.contains("Subject: Begin anew") && mail.contains("for 5 minutes"), "{mail}");
    let reset =
        office.app.request(Method::DELETE, &at(&template)).bearer(&office.token).send().await;
    assert_eq!((reset.status.as_u16(), reset.body.len()), (204, 0));
    let mail = office.registration_mail("three@example.com").await;
    assert!(mail.contains("is your Grantor code"), "{mail}");
}

#[db_test]
async fn a_mail_has_one_text(office: Office) {
    let text = input("magic_link", "In", "[Go]({{link}}) {{link}} {{code}}");
    assert_eq!(office.ask(Method::POST, CREATE, text.clone()).await.status, 201);
    let again = office.ask(Method::POST, CREATE, text).await;
    let message = "This email already has a custom template; replace it instead";
    assert_eq!(again.whole(), (409, refused("RESOURCE_EXISTS", message)));
}

#[db_test]
async fn a_preview_changes_nothing(office: Office) {
    let path = "/v1.0.1/mail/preview/template";
    let text = input("password_changed", "For {{email}}", "{{greeting}}");
    let shown = office.ask(Method::POST, path, text).await;
    let data = &shown.json()["data"];
    let preview = json!([data["subject"], data["text"]]);
    assert_eq!(preview, json!(["For ada@example.com", "Hello Ada Lovelace,\n"]));
    let listed = office.templates("?limit=100").await;
    assert!(listed["templates"].as_array().unwrap().iter().all(|it| it["customized"] == false));
}

#[db_test]
async fn a_text_that_would_not_do_is_refused(office: Office) {
    let cases = [
        (
            json!({}),
            json!({ "name": "is required", "subject": "is required", "body": "is required" }),
        ),
        (
            input("registration", "{{who}}", "no code"),
            json!({
                "subject": "uses the unknown variable who; available variables: {{greeting}}, {{code}}, {{minutes}}",
                "body": "must contain {{code}}",
            }),
        ),
    ];
    for (body, details) in cases {
        let answer = office.ask(Method::POST, CREATE, body).await;
        assert_eq!(faults(&answer), (400, details));
    }
    let unknown = office.ask(Method::POST, CREATE, input("newsletter", "a", "b")).await;
    assert!(
        faults(&unknown).1["name"].as_str().unwrap().starts_with("must be one of registration,")
    );
}

#[db_test]
async fn what_is_not_there_cannot_be_changed(office: Office) {
    let path = "/v1.0.1/mail/template/0190a000-0000-7000-8000-000000000000";
    let gone = (404, refused("NOT_FOUND", "Email template not found"));
    let text = json!({ "subject": "a", "body": "b" });
    assert_eq!(office.ask(Method::PUT, path, text).await.whole(), gone);
    let deleted = office.app.request(Method::DELETE, path).bearer(&office.token).send().await;
    assert_eq!(deleted.whole(), gone);
    let bad = office.ask(Method::PUT, "/v1.0.1/mail/template/7", json!({})).await;
    assert_eq!(refusal(&bad), (400, "INVALID_FORMAT".to_owned()));
}

#[db_test]
async fn support_reads_and_writes_nothing(office: Office) {
    let support = staff(&office.app, "help@example.com", AdminRole::SupportAdmin).await;
    let text = input("registration", "Begin", "{{code}}");
    let message = "The role Support_Admin does not allow you to manage email templates";
    let refused = (403, refused("INSUFFICIENT_PERMISSIONS", message));
    assert_eq!(office.ask_as(&support, Method::POST, CREATE, text.clone()).await.whole(), refused);
    let listed = office.app.request(Method::GET, "/v1.0.1/mail/templates").bearer(&support).send();
    assert_eq!(listed.await.status, 200);
    let admin = staff(&office.app, "admin@example.com", AdminRole::Admin).await;
    assert_eq!(office.ask_as(&admin, Method::POST, CREATE, text).await.status, 201);
}
