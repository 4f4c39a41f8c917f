//! The built-in test processor: accepts Stripe's published test tokens, moves no money and is
//! deterministic. Its charges are stored in the database, so that they survive a restart.

use std::sync::Arc;

use grantor_domain::Clock;
use grantor_domain::card::{Card, CardFace, CardToken};
use grantor_domain::id::TenantId;
use grantor_domain::quota::Month;
use grantor_storage::Store;
use grantor_storage::sandbox::{self, SandboxCharge};

use super::processor::{AttachedCard, Payment, Processor, ProcessorError, ProcessorFuture};

/// How a test card behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behavior {
    /// Payments succeed.
    Pays,
    /// Can be added, but payments fail.
    FailsLater(&'static str),
    /// Cannot be added.
    Refused(&'static str),
}

use Behavior::{FailsLater, Pays, Refused};

/// Stripe's test cards: the token without `tok_`, the brand, the last four digits. `pm_card_`
/// tokens and the spelling with `visa_` mean the same cards.
const CARDS: [(&str, &str, &str, Behavior); 19] = [
    ("visa", "visa", "4242", Pays),
    ("visa_debit", "visa", "5556", Pays),
    ("mastercard", "mastercard", "4444", Pays),
    ("mastercard_debit", "mastercard", "8210", Pays),
    ("mastercard_prepaid", "mastercard", "5100", Pays),
    ("amex", "amex", "0005", Pays),
    ("discover", "discover", "1117", Pays),
    ("diners", "diners", "0004", Pays),
    ("jcb", "jcb", "0505", Pays),
    ("unionpay", "unionpay", "0005", Pays),
    ("chargeCustomerFail", "visa", "0341", FailsLater("generic_decline")),
    ("chargeDeclined", "visa", "0002", Refused("generic_decline")),
    ("chargeDeclinedInsufficientFunds", "visa", "9995", Refused("insufficient_funds")),
    ("chargeDeclinedLostCard", "visa", "9987", Refused("lost_card")),
    ("chargeDeclinedStolenCard", "visa", "9979", Refused("stolen_card")),
    ("chargeDeclinedFraudulent", "visa", "0019", Refused("fraudulent")),
    ("chargeDeclinedExpiredCard", "visa", "0069", Refused("expired_card")),
    ("chargeDeclinedIncorrectCvc", "visa", "0127", Refused("incorrect_cvc")),
    ("chargeDeclinedProcessingError", "visa", "0119", Refused("processing_error")),
];

/// The sandbox payment processor.
pub struct Sandbox {
    store: Store,
    clock: Arc<dyn Clock>,
}

impl Sandbox {
    /// The processor's name in the database.
    pub const NAME: &'static str = "sandbox";

    /// Creates a sandbox on this store.
    #[must_use]
    pub fn new(store: Store, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Test cards expire at the end of next year.
    fn expiry_year(&self) -> u32 {
        let year = Month::of(self.clock.now()).number / 100;
        u32::try_from(year).unwrap_or(9_998) + 1
    }

    async fn charge(&self, name: &str, payment: &Payment) -> Result<(), ProcessorError> {
        let behavior = found(&payment.card.reference).map(|it| it.3);
        let charge = SandboxCharge {
            payment: name.to_owned(),
            attempt: payment.attempt,
            card: payment.card.reference.clone(),
            amount: payment.amount.hundredths(),
            succeeds: behavior == Some(Pays),
        };
        let now = self.clock.now();
        let paid = self.store.write(move |tx| sandbox::charge(tx, &charge, now)).await;
        match (paid, behavior) {
            (Ok(true), _) => Ok(()),
            (Ok(false), Some(FailsLater(reason) | Refused(reason))) => refused(reason),
            (Ok(false), _) => refused("invalid_card"),
            (Err(error), _) => Err(ProcessorError::Unreachable(error.to_string())),
        }
    }
}

fn found(token: &str) -> Option<(&'static str, &'static str, &'static str, Behavior)> {
    let word = token.strip_prefix("tok_").or_else(|| token.strip_prefix("pm_card_"))?;
    let older = word.strip_prefix("visa_").filter(|it| it.starts_with("charge"));
    CARDS.into_iter().find(|it| it.0 == older.unwrap_or(word))
}

fn refused<T>(reason: &str) -> Result<T, ProcessorError> {
    Err(ProcessorError::Declined(reason.to_owned()))
}

impl Processor for Sandbox {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn make_customer(&self, tenant: TenantId) -> ProcessorFuture<'_, String> {
        Box::pin(async move { Ok(format!("sandbox_{tenant}")) })
    }

    fn attach<'a>(&'a self, _: &'a str, token: &'a CardToken) -> ProcessorFuture<'a, AttachedCard> {
        Box::pin(async move {
            let Some((word, brand, last4, behavior)) = found(token.expose()) else {
                return refused("unknown_token");
            };
            if let Refused(reason) = behavior {
                return refused(reason);
            }
            let face = CardFace {
                brand: brand.to_owned(),
                last4: last4.to_owned(),
                expiry_month: 12,
                expiry_year: self.expiry_year(),
            };
            Ok(AttachedCard { reference: format!("tok_{word}"), face })
        })
    }

    fn detach<'a>(&'a self, _: &'a Card) -> ProcessorFuture<'a, ()> {
        Box::pin(async { Ok(()) })
    }

    fn open<'a>(&'a self, payment: &'a Payment) -> ProcessorFuture<'a, String> {
        Box::pin(async move { Ok(format!("sandbox_{}", payment.bill)) })
    }

    fn collect<'a>(&'a self, name: &'a str, payment: &'a Payment) -> ProcessorFuture<'a, ()> {
        Box::pin(self.charge(name, payment))
    }
}
