//! Payment cards and the tenants' customer ids at the payment processor.

use grantor_domain::Timestamp;
use grantor_domain::card::{Card, CardFace};
use grantor_domain::id::{CardId, TenantId};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// Inserts a card.
pub fn insert(tx: &mut Tx<'_>, card: &Card) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO cards (card_id, tenant_id, processor, customer, reference, brand, last4,
               expiry_month, expiry_year, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        ),
        params![
            card.id,
            card.tenant,
            card.processor,
            card.customer,
            card.reference,
            card.face.brand,
            card.face.last4,
            card.face.expiry_month,
            card.face.expiry_year,
            card.created_at,
        ],
    )?;
    Ok(())
}

/// Returns a tenant's card.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId, id: CardId) -> Result<Option<Card>> {
    tx.find(
        sql!(
            "SELECT card_id, tenant_id, processor, customer, reference, brand, last4, expiry_month,
               expiry_year, created_at
             FROM cards WHERE card_id = $1 AND tenant_id = $2"
        ),
        params![id, tenant],
        read,
    )
}

/// Lists a tenant's cards, newest first.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<Card>> {
    tx.query(
        sql!(
            "SELECT card_id, tenant_id, processor, customer, reference, brand, last4, expiry_month,
               expiry_year, created_at
             FROM cards WHERE tenant_id = $1 ORDER BY created_at DESC, card_id DESC"
        ),
        params![tenant],
        read,
    )
}

/// Lists cards that expire at the end of this month and whose tenants were not told yet.
pub fn list_expiring(tx: &mut Tx<'_>, year: u32, month: u32, at_most: u32) -> Result<Vec<Card>> {
    tx.query(
        sql!(
            "SELECT card_id, tenant_id, processor, customer, reference, brand, last4, expiry_month,
               expiry_year, created_at
             FROM cards WHERE expiry_year = $1 AND expiry_month = $2 AND NOT EXISTS (
               SELECT 1 FROM told_states WHERE subject_id = card_id AND kind = 'card_expiring')
             ORDER BY card_id LIMIT $3"
        ),
        params![year, month, at_most],
        read,
    )
}

/// Deletes a tenant's card. False if there is none with this id.
pub fn delete(tx: &mut Tx<'_>, tenant: TenantId, id: CardId) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM cards WHERE card_id = $1 AND tenant_id = $2"),
        params![id, tenant],
    )?;
    Ok(deleted == 1)
}

/// Returns a tenant's customer id at a payment processor.
pub fn find_customer(tx: &mut Tx<'_>, tenant: TenantId, processor: &str) -> Result<Option<String>> {
    tx.find(
        sql!("SELECT reference FROM processor_customers WHERE tenant_id = $1 AND processor = $2"),
        params![tenant, processor],
        only_column,
    )
}

/// Stores a tenant's customer id at a payment processor, unless there is one already.
pub fn put_customer(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    processor: &str,
    reference: &str,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO processor_customers (tenant_id, processor, reference, created_at)
             VALUES ($1, $2, $3, $4) ON CONFLICT (tenant_id, processor) DO NOTHING"
        ),
        params![tenant, processor, reference, now],
    )?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<Card> {
    Ok(Card {
        id: row.get("card_id")?,
        tenant: row.get("tenant_id")?,
        processor: row.get("processor")?,
        customer: row.get("customer")?,
        reference: row.get("reference")?,
        face: CardFace {
            brand: row.get("brand")?,
            last4: row.get("last4")?,
            expiry_month: row.get("expiry_month")?,
            expiry_year: row.get("expiry_year")?,
        },
        created_at: row.get("created_at")?,
    })
}
