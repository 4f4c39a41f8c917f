//! What the built-in payment sandbox charged: a real processor remembers that itself.

use grantor_domain::Timestamp;

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// A charge that is asked for.
#[derive(Clone, Debug)]
pub struct SandboxCharge {
    /// The payment it is of.
    pub payment: String,
    /// Which attempt at it.
    pub attempt: u32,
    /// The card.
    pub card: String,
    /// How much, in hundredths.
    pub amount: i64,
    /// Whether the card pays.
    pub succeeds: bool,
}

/// Charges, unless this attempt was made before or the payment has succeeded; gives whether it has.
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
