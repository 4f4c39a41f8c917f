//! The built-in processor: takes Stripe's published test tokens, moves no money, and behaves the same
//! every time. What it charged is in the database, so that a restart knows it.

use std::sync::Arc;

use grantor_domain::Clock;
use grantor_domain::card::{Card, CardFace, CardToken};
use grantor_domain::id::TenantId;
use grantor_domain::quota::Month;
use grantor_storage::Store;
use grantor_storage::sandbox::{self, SandboxCharge};

use super::processor::{Attached, Calling, Payment, Processor, Trouble};

/// What a test card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behavior {
    /// Pays.
    Pays,
    /// Can be added, and pays nothing.
    FailsLater(&'static str),
    /// Cannot be added.
    Refused(&'static str),
}

use Behavior::{FailsLater, Pays, Refused};

/// Stripe's test cards: the token without `tok_`, the brand, the end of the number. A token of
/// `pm_card_` means the same card, and so does the older spelling without `visa_`.
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

/// The sandbox.
pub struct Sandbox {
    store: Store,
    clock: Arc<dyn Clock>,
}

impl Sandbox {
    /// Its name in the store.
    pub const NAME: &'static str = "sandbox";

    /// One that remembers in this store.
    #[must_use]
    pub fn new(store: Store, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Test cards work until the end of next year.
    fn expiry_year(&self) -> u32 {
        let year = Month::of(self.clock.now()).number / 100;
        u32::try_from(year).unwrap_or(9_998) + 1
    }

    async fn charge(&self, name: &str, payment: &Payment) -> Result<(), Trouble> {
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
            (Err(error), _) => Err(Trouble::Unreachable(error.to_string())),
        }
    }
}

fn found(token: &str) -> Option<(&'static str, &'static str, &'static str, Behavior)> {
    let word = token.strip_prefix("tok_").or_else(|| token.strip_prefix("pm_card_"))?;
    let older = word.strip_prefix("visa_").filter(|it| it.starts_with("charge"));
    CARDS.into_iter().find(|it| it.0 == older.unwrap_or(word))
}

fn refused<T>(reason: &str) -> Result<T, Trouble> {
    Err(Trouble::Refused(reason.to_owned()))
}

impl Processor for Sandbox {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn make_customer(&self, tenant: TenantId) -> Calling<'_, String> {
        Box::pin(async move { Ok(format!("sandbox_{tenant}")) })
    }

    fn attach<'a>(&'a self, _: &'a str, token: &'a CardToken) -> Calling<'a, Attached> {
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
            Ok(Attached { reference: format!("tok_{word}"), face })
        })
    }

    fn detach<'a>(&'a self, _: &'a Card) -> Calling<'a, ()> {
        Box::pin(async { Ok(()) })
    }

    fn open<'a>(&'a self, payment: &'a Payment) -> Calling<'a, String> {
        Box::pin(async move { Ok(format!("sandbox_{}", payment.bill)) })
    }

    fn collect<'a>(&'a self, name: &'a str, payment: &'a Payment) -> Calling<'a, ()> {
        Box::pin(self.charge(name, payment))
    }
}
