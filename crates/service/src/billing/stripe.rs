//! Stripe's HTTP API. Each invoice has one `PaymentIntent`, which is created first and confirmed
//! once its id is stored. Stripe confirms it only once, so that no lost response and no crash
//! charges twice, even after an idempotency key has expired.

use grantor_domain::card::{Card, CardFace, CardToken};
use grantor_domain::id::TenantId;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use url::form_urlencoded;

use super::processor::{AttachedCard, Payment, Processor, ProcessorError, ProcessorFuture};
use grantor_outbound::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use grantor_outbound::{Method, Outbound, OutboundRequest, OutboundResponse, Purpose};

/// The API version that this client uses.
const VERSION: &str = "2024-06-20";
/// Stripe's error code for, among others, a payment that is already confirmed.
const UNEXPECTED_STATE: &str = "payment_intent_unexpected_state";

/// The Stripe payment processor.
pub struct Stripe {
    base: String,
    key: SecretString,
    outbound: Outbound,
}

impl Stripe {
    /// Creates a client for the account of this secret key at this base URL.
    #[must_use]
    pub fn new(base: &str, key: SecretString, outbound: Outbound) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), key, outbound }
    }

    async fn post(
        &self,
        path: &str,
        form: &[(&str, &str)],
        idempotency_key: Option<&str>,
    ) -> Result<Value, ProcessorError> {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        self.call(Method::POST, path, body, idempotency_key).await
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        body: String,
        idempotency_key: Option<&str>,
    ) -> Result<Value, ProcessorError> {
        let headers = self.headers(idempotency_key).ok_or_else(|| unreachable("invalid header"))?;
        let url = format!("{}{path}", self.base);
        let request = OutboundRequest { method, url, headers, body: body.into_bytes() };
        let answer = self.outbound.send(Purpose::Payment, request).await;
        read(&answer.map_err(|error| unreachable(&error.to_string()))?)
    }

    fn headers(&self, idempotency_key: Option<&str>) -> Option<HeaderMap> {
        let mut headers = HeaderMap::new();
        let mut key = HeaderValue::try_from(format!("Bearer {}", self.key.expose_secret())).ok()?;
        key.set_sensitive(true);
        headers.insert(AUTHORIZATION, key);
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        headers.insert(CONTENT_TYPE, form);
        let version = HeaderName::from_static("stripe-version");
        headers.insert(version, HeaderValue::from_static(VERSION));
        if let Some(key) = idempotency_key {
            let name = HeaderName::from_static("idempotency-key");
            headers.insert(name, HeaderValue::try_from(key).ok()?);
        }
        Some(headers)
    }

    /// Creates a payment method from a token, unless the token is one already.
    async fn payment_method(&self, token: &CardToken) -> Result<String, ProcessorError> {
        if token.expose().starts_with("pm_") {
            return Ok(token.expose().to_owned());
        }
        let form = [("type", "card"), ("card[token]", token.expose())];
        text(&self.post("/v1/payment_methods", &form, None).await?, "id")
    }

    async fn confirm(&self, name: &str, payment: &Payment) -> Result<(), ProcessorError> {
        let key = format!("grantor-{}-{}", payment.bill, payment.attempt);
        let form = [("payment_method", payment.card.reference.as_str()), ("off_session", "true")];
        let path = format!("/v1/payment_intents/{name}/confirm");
        match self.post(&path, &form, Some(&key)).await {
            Ok(intent) => outcome(&intent),
            Err(ProcessorError::Declined(code)) if code == UNEXPECTED_STATE => {
                let path = format!("/v1/payment_intents/{name}");
                outcome(&self.call(Method::GET, &path, String::new(), None).await?)
            }
            Err(error) => Err(error),
        }
    }
}

impl Processor for Stripe {
    fn name(&self) -> &'static str {
        "stripe"
    }

    fn make_customer(&self, tenant: TenantId) -> ProcessorFuture<'_, String> {
        Box::pin(async move {
            let tenant = tenant.to_string();
            let key = format!("grantor-customer-{tenant}");
            let form = [("metadata[tenant_id]", tenant.as_str())];
            text(&self.post("/v1/customers", &form, Some(&key)).await?, "id")
        })
    }

    fn attach<'a>(
        &'a self,
        customer: &'a str,
        token: &'a CardToken,
    ) -> ProcessorFuture<'a, AttachedCard> {
        Box::pin(async move {
            let id = self.payment_method(token).await?;
            let path = format!("/v1/payment_methods/{id}/attach");
            let method = self.post(&path, &[("customer", customer)], None).await?;
            let card = &method["card"];
            let number = |name: &str| card[name].as_u64().and_then(|it| u32::try_from(it).ok());
            let face = CardFace {
                brand: text(card, "brand")?,
                last4: text(card, "last4")?,
                expiry_month: number("exp_month")
                    .ok_or_else(|| unreachable("response without exp_month"))?,
                expiry_year: number("exp_year")
                    .ok_or_else(|| unreachable("response without exp_year"))?,
            };
            Ok(AttachedCard { reference: text(&method, "id")?, face })
        })
    }

    fn detach<'a>(&'a self, card: &'a Card) -> ProcessorFuture<'a, ()> {
        Box::pin(async move {
            let path = format!("/v1/payment_methods/{}/detach", card.reference);
            self.post(&path, &[], None).await.map(|_| ())
        })
    }

    fn open<'a>(&'a self, payment: &'a Payment) -> ProcessorFuture<'a, String> {
        Box::pin(async move {
            let bill = payment.bill.to_string();
            let amount = payment.amount.hundredths().to_string();
            let form = [
                ("amount", amount.as_str()),
                ("currency", "usd"),
                ("customer", payment.card.customer.as_str()),
                ("payment_method_types[]", "card"),
                ("description", payment.description.as_str()),
                ("metadata[bill_id]", bill.as_str()),
            ];
            let key = format!("grantor-{bill}");
            text(&self.post("/v1/payment_intents", &form, Some(&key)).await?, "id")
        })
    }

    fn collect<'a>(&'a self, name: &'a str, payment: &'a Payment) -> ProcessorFuture<'a, ()> {
        Box::pin(self.confirm(name, payment))
    }
}

/// The outcome of a payment that Stripe was asked to confirm.
fn outcome(intent: &Value) -> Result<(), ProcessorError> {
    match intent["status"].as_str() {
        Some("succeeded") => Ok(()),
        // Only the cardholder could continue, who is not present.
        Some("requires_action") => {
            Err(ProcessorError::Declined("authentication_required".to_owned()))
        }
        Some("requires_payment_method" | "canceled") => {
            Err(ProcessorError::Declined(code(&intent["last_payment_error"])))
        }
        other => {
            let status = other.unwrap_or("missing");
            Err(unreachable(&format!("unexpected payment status: {status}")))
        }
    }
}

/// Returns the body, or an error by its status. Stripe's own messages are left out, because they
/// may repeat what was sent.
fn read(answer: &OutboundResponse) -> Result<Value, ProcessorError> {
    let status = answer.status;
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if status.is_success() {
        return Ok(body);
    }
    let error = &body["error"];
    let reason = code(error);
    let kind = error["type"].as_str().unwrap_or_default();
    // These codes are the caller's fault; any other invalid request is ours.
    let callers = ["resource_missing", "token_already_used", "token_in_use", UNEXPECTED_STATE];
    let refused = kind == "card_error"
        || kind == "invalid_request_error"
            && status.as_u16() < 409
            && (callers.contains(&reason.as_str()) || error["param"] == "card[token]");
    if refused {
        return Err(ProcessorError::Declined(reason));
    }
    Err(unreachable(&format!("Stripe returned {} {kind} {reason}", status.as_u16())))
}

/// The code of an error, if it is well-formed.
fn code(error: &Value) -> String {
    let is_word = |it: &&str| {
        (1..=64).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_lowercase() || it == b'_')
    };
    let codes = ["decline_code", "code"].into_iter().filter_map(|it| error[it].as_str());
    codes.into_iter().find(is_word).unwrap_or("card_declined").to_owned()
}

fn text(body: &Value, member: &str) -> Result<String, ProcessorError> {
    let found = body[member].as_str().map(str::to_owned);
    found.ok_or_else(|| unreachable(&format!("response without {member}")))
}

fn unreachable(reason: &str) -> ProcessorError {
    ProcessorError::Unreachable(reason.to_owned())
}
