//! Invoices.

use grantor_domain::Timestamp;
use grantor_domain::bill::{Bill, BillStatus};
use grantor_domain::id::{BillId, TenantId};
use grantor_domain::license::Amount;
use grantor_domain::page::{Listing, Page};
use grantor_domain::plan::CURRENCY;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

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
            row.get(0)
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
    let amount = row.get::<i64>(7)?;
    Ok(Bill {
        id: row.get(0)?,
        tenant: row.get(1)?,
        subscription: row.get(2)?,
        card: row.get(3)?,
        plan: row.get::<String>(4)?.parse().map_err(Error::Fault)?,
        kind: row.get::<String>(5)?.parse().map_err(Error::Fault)?,
        period_start: row.get(6)?,
        amount: Amount::from_hundredths(amount)
            .ok_or_else(|| Error::Fault(format!("invalid amount of an invoice: {amount}")))?,
        status: row.get::<String>(8)?.parse().map_err(Error::Fault)?,
        payment: row.get(9)?,
        refusals: row.get(10)?,
        billing_date: row.get(11)?,
        due_date: row.get(12)?,
        paid_date: row.get(13)?,
    })
}
