//! `/app/webhooks`.

use grantor_testkit::db_test;
use grantor_testkit::listener::{Listener, Script};

use super::kit::{Browser, WebFixture};

/// Makes a webhook to this address; gives its own.
async fn made(browser: &mut Browser<'_>, url: &str) -> String {
    let form = [("url", url), ("description", "Orders"), ("events", "license.created")];
    let seen = browser.post("/app/webhooks/new", &form).await;
    seen.says(200, &["Save this secret now.", "whsec_"]).link("/app/webhooks/")
}

async fn receiver(status: u16) -> Listener {
    Listener::start(move |_| Script::answer(status, b"thanks")).await.unwrap()
}

#[db_test]
async fn a_secret_is_shown_once(fixture: WebFixture) {
    let (mut ada, receiver) = (fixture.ada().await, receiver(200).await);
    ada.get("/app/webhooks").await.says(200, &["No webhooks yet"]);
    let named = "A license was updated license.updated";
    ada.get("/app/webhooks/new").await.says(200, &[named]);
    let address = made(&mut ada, &receiver.url("/hook")).await;
    ada.get(&address).await.says(200, &["Orders", "license.created", "active"]).hides("whsec_");
    ada.get("/app/webhooks").await.says(200, &["/hook", "1 of 23"]);
    let seen = ada.post(&format!("{address}/secret"), &[]).await;
    seen.says(200, &["Secret rotated", "whsec_"]);
    let again = ada.post(&format!("{address}/secret"), &[]).await;
    again.says(200, &["Secret rotated", "whsec_"]);
    ada.get(&address).await.says(200, &["Orders"]).hides("whsec_");
}

#[db_test]
async fn a_refused_webhook_keeps_what_was_typed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("url", "ftp://example.com/a"), ("description", "Orders")];
    let seen = ada.post("/app/webhooks/new", &form).await;
    seen.says(422, &["Orders"]).holds("url", "ftp://example.com/a");
    seen.refuses("events", "Must contain at least one event.");
    let form = [("url", "ftp://example.com/a"), ("events", "license.created")];
    ada.post("/app/webhooks/new", &form)
        .await
        .says(422, &["URL"])
        .holds("url", "ftp://example.com/a");
    ada.post("/app/webhooks/new", &[]).await.refuses("url", "Is required.");
}

#[db_test]
async fn the_answer_to_a_test_is_shown(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let told = [
        (200, "Test event delivered: HTTP 200 in", "good"),
        (500, "Test event failed: HTTP 500 in", "bad"),
    ];
    for (status, said, tone) in told {
        let receiver = receiver(status).await;
        let address = made(&mut ada, &receiver.url("/hook")).await;
        let sent = ada.post(&format!("{address}/test"), &[]).await;
        assert_eq!((sent.status, sent.location.as_deref()), (303, Some(&*address)));
        let seen = ada.get(&address).await;
        seen.says(200, &[said, "webhook.test"]);
        let notice = format!("class=\"notice {tone}\" role=\"status\"");
        assert!(seen.page.contains(&notice), "{}", seen.page);
        ada.get(&address).await.says(200, &["webhook.test"]).hides(said);
        let seen = ada.get(&format!("{address}?status=failed")).await;
        assert_eq!(seen.text.contains("No deliveries"), status == 200, "{}", seen.text);
    }
}

#[db_test]
async fn a_delivery_is_tried_again(fixture: WebFixture) {
    let (mut ada, receiver) = (fixture.ada().await, receiver(500).await);
    let address = made(&mut ada, &receiver.url("/hook")).await;
    let seen = ada.follow(&format!("{address}/test"), &[]).await;
    for plain in ["class=\"small plain\">Send now<", "class=\"plain\">Replay events<"] {
        assert!(seen.page.contains(plain), "one button is filled: {}", seen.page);
    }
    let again = seen.between(&format!("action=\"{address}/deliveries/"), "\"").unwrap();
    let again = format!("{address}/deliveries/{again}");
    ada.follow(&again, &[]).await.says(200, &["Delivery queued again", "pending"]);
    let seen = ada.follow(&format!("{address}/status"), &[("status", "disabled")]).await;
    seen.says(200, &["pending queued until the webhook is enabled"]).hides("next attempt");
    ada.post(&again, &[]).await.says(409, &["The webhook is disabled"]);
}

#[db_test]
async fn a_webhook_is_changed_switched_and_deleted(fixture: WebFixture) {
    let (mut ada, receiver) = (fixture.ada().await, receiver(200).await);
    let address = made(&mut ada, &receiver.url("/hook")).await;
    let edit = format!("{address}/edit");
    ada.get(&edit).await.holds("url", &receiver.url("/hook"));
    let form = [("url", &*receiver.url("/other")), ("events", "mention.created")];
    ada.follow(&edit, &form).await.says(200, &["/other", "mention.created"]);
    ada.post(&edit, &[("url", "")]).await.refuses("url", "Is required.");
    let seen = ada.follow(&format!("{address}/status"), &[("status", "disabled")]).await;
    seen.says(200, &["Webhook disabled", "disabled"]);
    assert!(seen.page.contains("<button class=\"small plain\">Enable</button>"), "{}", seen.page);
    ada.follow(&format!("{address}/delete"), &[]).await.says(200, &["No webhooks yet"]);
    ada.get(&address).await.says(404, &[]);
}

#[db_test]
async fn events_are_sent_once_more(fixture: WebFixture) {
    let (mut ada, receiver) = (fixture.ada().await, receiver(200).await);
    let address = made(&mut ada, &receiver.url("/hook")).await;
    let replay = format!("{address}/replay");
    ada.post(&format!("{address}/test"), &[]).await;
    let form = [("since", "2020-01-01T00:00"), ("types", "webhook.test"), ("dryRun", "true")];
    ada.follow(&replay, &form).await.says(200, &["1 event would be replayed"]);
    ada.follow(&replay, &form[..2]).await.says(200, &["1 event queued for replay", "pending"]);
    let form =
        [("since", "2020-01-01T00:00"), ("until", "2019-01-01T00:00"), ("status", "pending")];
    let seen = ada.post(&replay, &form).await;
    seen.says(422, &[])
        .refuses("until", "Must be after Since (UTC).")
        .holds("since", "2020-01-01T00:00");
    seen.refuses("status", "Must be one of delivered, failed, dropped.");
    ada.post(&replay, &[]).await.refuses("since", "Is required.");
}

#[db_test]
async fn others_see_nothing_of_a_webhook(fixture: WebFixture) {
    let receiver = receiver(200).await;
    let address = made(&mut fixture.ada().await, &receiver.url("/hook")).await;
    let mut mary = fixture.stranger().await;
    mary.get(&address).await.says(404, &[]).hides("/hook");
    for action in ["/edit", "/status", "/secret", "/test", "/replay", "/delete"] {
        let form = [
            ("url", &*receiver.url("/b")),
            ("events", "license.created"),
            ("status", "active"),
            ("since", "2020-01-01"),
        ];
        let form = if action == "/replay" { &form[3..] } else { &form[..] };
        mary.post(&format!("{address}{action}"), form).await.says(404, &[]);
    }
    fixture.colleague("Team_Member").await.get("/app/webhooks").await.says(403, &[]);
}

#[db_test]
async fn a_page_with_a_secret_can_be_loaded_again(fixture: WebFixture) {
    let (mut ada, receiver) = (fixture.ada().await, receiver(200).await);
    let blank = ada.get("/app/webhooks/new").await;
    let url = receiver.url("/hook");
    let form = [("once", &*blank.once()), ("url", &*url), ("events", "license.created")];
    let first = ada.post("/app/webhooks/new", &form).await;
    let again = ada.post("/app/webhooks/new", &form).await;
    assert_eq!((again.status, &again.page), (200, &first.page));
    assert_eq!(ada.get("/app/webhooks").await.page.matches("1 of 23").count(), 1);
    let address = first.says(200, &["whsec_"]).link("/app/webhooks/");
    let number = ada.get(&address).await.once();
    let form = [("once", &*number)];
    let first = ada.post(&format!("{address}/secret"), &form).await;
    let again = ada.post(&format!("{address}/secret"), &form).await;
    assert_eq!(first.says(200, &["whsec_"]).page, again.page);
}

#[db_test]
async fn what_was_sent_is_shown_and_repeated_by_a_command(fixture: WebFixture) {
    let (mut ada, receiver) = (fixture.ada().await, receiver(500).await);
    let address = made(&mut ada, &receiver.url("/hook?key=a")).await;
    ada.post(&format!("{address}/test"), &[]).await;
    let delivery = ada.get(&address).await.link(&format!("{address}/deliveries/"));
    let seen = ada.get(&delivery).await;
    let texts = [
        "Delivery of webhook.test",
        "failed",
        "HTTP 500",
        "thanks",
        "content-type: application/json",
        "webhook-signature: v1,",
        "user-agent: Grantor/",
        "curl -X POST",
        "Send now",
    ];
    seen.says(200, &texts).hides("whsec_");
    let verify = "is the base64 HMAC-SHA256 of {webhook-id}.{webhook-timestamp}.{body}, with";
    seen.says(200, &[verify]);
    assert!(seen.page.contains("<a href=\"/docs/\">API documentation</a>"), "{}", seen.page);
    let call = receiver.calls().remove(0);
    let signature = call.header("webhook-signature").expect("a signature");
    assert!(seen.text.contains(signature), "{}", seen.text);
    // What changes with each attempt updates itself, and what is copied is what was sent.
    let live = seen.page.split_once("data-live=\"request\"").expect("a live part").1;
    let body = String::from_utf8(call.body.clone()).unwrap();
    let copied = format!("data-copy=\"{}\"", body.replace('"', "&quot;"));
    assert!(live.contains(signature) && live.contains(&copied), "{}", seen.page);
    seen.says(200, &["Formatted for reading.", "refuse the signature five minutes after"]);
    let payload = ada.get(&format!("{delivery}/payload.json")).await;
    assert_eq!(payload.kind.as_deref(), Some("application/json"));
    assert_eq!(payload.page.as_bytes(), call.body);
    let sent = ada.follow(&delivery, &[("back", &*delivery)]).await;
    sent.says(200, &["Delivery queued again", "pending", "Copy as curl"]);
    let mut mary = fixture.stranger().await;
    for path in [delivery.clone(), format!("{delivery}/payload.json")] {
        mary.get(&path).await.says(404, &[]).hides("webhook.test");
    }
}

#[db_test]
async fn the_health_of_a_webhook_is_in_words(fixture: WebFixture) {
    let (mut ada, receiver) = (fixture.ada().await, receiver(200).await);
    let address = made(&mut ada, &receiver.url("/hook")).await;
    ada.get("/app/webhooks").await.says(200, &["unused", "No event has arrived yet."]);
    ada.post(&format!("{address}/test"), &[]).await;
    ada.get("/app/webhooks").await.says(200, &["healthy", "Events arrive."]);
    ada.follow(&format!("{address}/status"), &[("status", "disabled")]).await;
    ada.get(&address).await.says(200, &["disabled", "Nothing is sent until you enable it."]);
}

#[db_test]
async fn plain_http_leads_to_the_command_for_developers(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("url", "http://8.8.8.8/hook"), ("events", "license.created")];
    let seen = ada.post("/app/webhooks/new", &form).await;
    let told = "Must use https. The command grantor listen --forward-to http://localhost:3000 \
                forwards events to your computer.";
    seen.says(422, &[]).refuses("url", told).holds("url", "http://8.8.8.8/hook");
    let required = "<legend>Events<span class=\"must\"";
    assert!(seen.page.contains(required), "{}", seen.page);
    ada.follow("/app/profile/language", &[("language", "de"), ("timeZone", "UTC")]).await;
    let told = "Muss https verwenden. Der Befehl grantor listen --forward-to http://localhost:3000 \
                leitet Ereignisse an Ihren Rechner weiter.";
    ada.post("/app/webhooks/new", &form).await.refuses("url", told);
}
