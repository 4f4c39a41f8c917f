//! Charges of the built-in payment sandbox; a real payment processor stores its own.

use grantor_domain::Timestamp;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// A charge.
#[derive(Clone, Debug)]
pub struct SandboxCharge {
    /// The id of the payment.
    pub payment: String,
    /// The number of the attempt.
    pub attempt: u32,
    /// The card.
    pub card: String,
    /// The amount in cents.
    pub amount: i64,
    /// Whether the card accepts the charge.
    pub succeeds: bool,
}

/// Charges the card, unless this attempt was made before or the payment has succeeded. Returns
/// whether the payment has succeeded.
pub fn charge(tx: &mut Tx<'_>, charge: &SandboxCharge, now: Timestamp) -> Result<bool> {
    if is_paid(tx, &charge.payment)? {
        return Ok(true);
    }
    let status = if charge.succeeds { "succeeded" } else { "declined" };
    tx.execute(
        sql!(
            "INSERT INTO sandbox_charges (payment, attempt, card, amount, status, created_at)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (payment, attempt) DO NOTHING"
        ),
        params![charge.payment, charge.attempt, charge.card, charge.amount, status, now],
    )?;
    is_paid(tx, &charge.payment)
}

fn is_paid(tx: &mut Tx<'_>, payment: &str) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM sandbox_charges WHERE payment = $1 AND status = 'succeeded'"),
        params![payment],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}
