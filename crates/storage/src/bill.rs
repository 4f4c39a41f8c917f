//! Invoices.

use grantor_domain::Timestamp;
use grantor_domain::bill::{Bill, BillStatus};
use grantor_domain::id::{BillId, TenantId};
use grantor_domain::license::Amount;
use grantor_domain::page::{Listing, Page};
use grantor_domain::plan::CURRENCY;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// Inserts an invoice.
pub fn insert(tx: &mut Tx<'_>, bill: &Bill) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO bills (bill_id, tenant_id, subscription_id, card_id, plan, kind,
               period_start, amount, currency, status, description, payment, refusals,
               billing_date, due_date, paid_date)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)"
        ),
        params![
            bill.id,
            bill.tenant,
            bill.subscription,
            bill.card,
            bill.plan.name(),
            bill.kind.name(),
            bill.period_start,
            bill.amount.hundredths(),
            CURRENCY,
            bill.status.name(),
            bill.description(),
            bill.payment,
            bill.refusals,
            bill.billing_date,
            bill.due_date,
            bill.paid_date,
        ],
    )?;
    Ok(())
}

/// Lists a tenant's open invoices, new purchases before renewals.
pub fn list_open(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<Bill>> {
    tx.query(
        sql!(
            "SELECT bill_id, tenant_id, subscription_id, card_id, plan, kind, period_start, amount,
               status, payment, refusals, billing_date, due_date, paid_date
             FROM bills WHERE tenant_id = $1 AND status = 'open' ORDER BY kind, bill_id"
        ),
        params![tenant],
        read,
    )
}

/// Lists a tenant's invoices, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId, page: Page) -> Result<Listing<Bill>> {
    let total: Option<i64> =
        tx.find(sql!("SELECT count(*) FROM bills WHERE tenant_id = $1"), params![tenant], |row| {
            only_column(row)
        })?;
    let items = tx.query(
        sql!(
            "SELECT bill_id, tenant_id, subscription_id, card_id, plan, kind, period_start, amount,
               status, payment, refusals, billing_date, due_date, paid_date
             FROM bills WHERE tenant_id = $1
             ORDER BY billing_date DESC, bill_id DESC LIMIT $2 OFFSET $3"
        ),
        params![tenant, page.size(), page.offset()],
        read,
    )?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// Stores the payment processor's id of an invoice's payment.
pub fn set_payment(tx: &mut Tx<'_>, id: BillId, payment: &str) -> Result<()> {
    tx.execute(
        sql!("UPDATE bills SET payment = $2 WHERE bill_id = $1 AND status = 'open'"),
        params![id, payment],
    )?;
    Ok(())
}

/// Updates the card and the number of declined payments of an open invoice. The card may have
/// changed with its subscription.
pub fn update(tx: &mut Tx<'_>, bill: &Bill) -> Result<()> {
    tx.execute(
        sql!("UPDATE bills SET card_id = $2, refusals = $3 WHERE bill_id = $1 AND status = 'open'"),
        params![bill.id, bill.card, bill.refusals],
    )?;
    Ok(())
}

/// Closes an open invoice. False if it is no longer open.
pub fn close(tx: &mut Tx<'_>, id: BillId, status: BillStatus, now: Timestamp) -> Result<bool> {
    let paid_date = Some(now).filter(|_| status == BillStatus::Paid);
    let closed = tx.execute(
        sql!("UPDATE bills SET status = $2, paid_date = $3 WHERE bill_id = $1 AND status = 'open'"),
        params![id, status.name(), paid_date],
    )?;
    Ok(closed == 1)
}

/// Voids all open invoices of a tenant.
pub fn void_open(tx: &mut Tx<'_>, tenant: TenantId) -> Result<()> {
    tx.execute(
        sql!("UPDATE bills SET status = 'void' WHERE tenant_id = $1 AND status = 'open'"),
        params![tenant],
    )?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<Bill> {
    let amount = row.get::<i64>("amount")?;
    Ok(Bill {
        id: row.get("bill_id")?,
        tenant: row.get("tenant_id")?,
        subscription: row.get("subscription_id")?,
        card: row.get("card_id")?,
        plan: row.get::<String>("plan")?.parse().map_err(Error::Fault)?,
        kind: row.get::<String>("kind")?.parse().map_err(Error::Fault)?,
        period_start: row.get("period_start")?,
        amount: Amount::from_hundredths(amount)
            .ok_or_else(|| Error::Fault(format!("invalid amount of an invoice: {amount}")))?,
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        payment: row.get("payment")?,
        refusals: row.get("refusals")?,
        billing_date: row.get("billing_date")?,
        due_date: row.get("due_date")?,
        paid_date: row.get("paid_date")?,
    })
}
