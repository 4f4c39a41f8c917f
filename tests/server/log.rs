//! What is logged, and what never is.

use grantor_testkit::server::{GrantorProcess, Installation, exchange};
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};

use super::{send, sign_in};

#[tokio::test]
async fn every_line_is_json_when_nobody_watches() {
    let mut server = Installation::default().with("GRANTOR_LOG", "debug").serve().await;
    server.get("/health").await;
    assert_eq!(server.stop().await, Some(0));
    let log = server.log();
    assert!(log.len() > 4, "{log:?}");
    for line in log {
        let event: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
        for key in ["timestamp", "level", "message", "target"] {
            assert!(event[key].is_string(), "{key} is missing in {line}");
        }
    }
}

#[tokio::test]
async fn people_are_spoken_to_as_people_on_demand() {
    let installation = Installation::default();
    let ran = installation.run("keys rotate --log-format human").await;
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("INFO created the schema") && !ran.err.contains('{'), "{}", ran.err);
    assert!(!ran.err.contains('\u{1b}'), "no colors where there is no terminal");
}

/// The status of the same request by HTTP/2, whose library has a log of its own.
#[expect(clippy::disallowed_methods, reason = "this goes to the server under test")]
async fn by_http2(server: &GrantorProcess, body: &'static str) -> u16 {
    grantor_testkit::install_tls_provider();
    let client = reqwest::Client::builder().http2_prior_knowledge().build().unwrap();
    let request = client
        .post(format!("http://{}/metadata?token=MARKER-query", server.address()))
        .header("authorization", "Bearer MARKER-authorization")
        .header("x-request-id", "id-by-http2")
        .body(body);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.version(), http::Version::HTTP_2);
    answer.status().as_u16()
}

#[tokio::test]
async fn secrets_of_a_request_are_never_logged() {
    let mut server = Installation::default().with("GRANTOR_LOG", "debug").serve().await;
    let body = r#"{"password":"MARKER-body"}"#;
    let paths = ["/health", "/metadata", "/v1.0.1/auth/login", "/nowhere"];
    for (number, path) in paths.into_iter().enumerate() {
        for method in ["GET", "POST"] {
            let request = format!(
                "{method} {path}?token=MARKER-query&page=MARKER-page HTTP/1.1\r\nhost: a\r\n\
                 authorization: Bearer MARKER-authorization\r\ncookie: grantor=MARKER-cookie\r\n\
                 x-request-id: id-{number}-{method}\r\nconnection: close\r\n\
                 content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            let reply = exchange(server.connect().await, request.as_bytes()).await.unwrap();
            assert!(matches!(reply.status, 200 | 400 | 404 | 405), "{}", reply.head);
        }
    }
    assert_eq!(by_http2(&server, body).await, 405);
    let broken = "GET /?MARKER-broken HTTP/1.1\r\nauthorization : Bearer MARKER-broken\r\n\r\n";
    assert_eq!(exchange(server.connect().await, broken.as_bytes()).await.unwrap().status, 400);
    assert_eq!(server.stop().await, Some(0));
    let log = server.log().join("\n");
    assert!(!log.contains("MARKER"), "{log}");
    // The same log does tell of each of these requests.
    assert!(log.contains("id-by-http2"), "{log}");
    for number in 0..paths.len() {
        for method in ["GET", "POST"] {
            assert!(log.contains(&format!("id-{number}-{method}")), "{log}");
        }
    }
}

/// What a stranger hears of an account whose row is corrupt, and what its owner and the operator do.
#[db_test]
async fn a_password_hash_that_cannot_be_read_is_told_to_the_operator_alone(
    installation: Installation,
) {
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok()).unwrap();
    let server = installation.serve().await;
    let mut account = sample["accounts"][0].clone();
    let token = sign_in(&server, &account).await.json()["data"]["accessToken"].clone();
    let script = format!(
        "UPDATE users SET password_hash = substr(password_hash, 1, 40) WHERE email = '{}'",
        account["email"].as_str().unwrap()
    );
    seed::run(&installation.options(), script).await;
    let right = sign_in(&server, &account).await;
    let line = server.line("a stored password hash is corrupt").await;
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&line["level"], &line["user"]), (&json!("ERROR"), &account["userId"]));
    let bearer = format!("authorization: Bearer {}", token.as_str().unwrap());
    let headers = [&*bearer, "x-source: console"];
    let body = json!({ "password": account["password"], "newPassword": "Difference-Engine-1822" });
    let change = "PATCH /v1.0.1/user/change/password";
    let owner = send(server.connect().await, change, &headers, body).await.unwrap();
    assert_eq!((owner.status, &owner.json()["error"]["code"]), (500, &json!("INTERNAL_ERROR")));
    account["email"] = json!("nobody@example.com");
    let nobody = sign_in(&server, &account).await;
    assert_eq!((right.status, right.json()), (nobody.status, nobody.json()));
}
