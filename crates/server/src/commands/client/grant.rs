//! `grantor grant`.

use grantor_client::{Client, Grant, GrantFilter};

use super::table::{Column, Table};
use super::{Desk, day, explain, moment, take};
use crate::cli::{self, GrantList, RecordGet};

pub(super) async fn run(desk: &mut Desk<'_>, command: cli::Grant) -> Result<(), String> {
    match command {
        cli::Grant::List(options) => list(desk, options).await,
        cli::Grant::Get(options) => get(desk, &options).await,
    }
}

async fn list(desk: &mut Desk<'_>, options: GrantList) -> Result<(), String> {
    let client = desk.connect(&options.list.connect)?;
    let GrantList { role, status, license, talent, ends_before, list } = options;
    let (license_id, talent_id) = (license, talent);
    let filter = GrantFilter { role, status, license_id, talent_id, ends_before, number: None };
    let (grants, total) = take(client.grants(&filter), list.most()).await?;
    if list.json {
        return desk.terminal.json(&grants);
    }
    let mut table = Table::new([
        Column::Whole("NUMBER"),
        Column::Whole("STATUS"),
        Column::Cut("TALENT"),
        Column::Cut("LICENSOR"),
        Column::Cut("LICENSEE"),
        Column::Whole("ENDS"),
        Column::Whole("ID"),
    ]);
    for grant in &grants {
        table.row([
            &grant.number,
            &grant.status,
            &grant.talent.name,
            &grant.licensor.name,
            &grant.licensee.name,
            day(grant.terms.ends_at.as_deref()),
            &grant.id,
        ]);
    }
    desk.terminal.list(&table, total)
}

async fn get(desk: &mut Desk<'_>, options: &RecordGet) -> Result<(), String> {
    let client = desk.connect(&options.connect)?;
    let grant = find(&client, &options.id).await?;
    if options.json {
        return desk.terminal.json(&grant);
    }
    let terms = grant.terms;
    let fee = terms.fee.map(|it| format!("{} {} per {}", it.amount, it.currency, it.per));
    desk.terminal.details(&[
        ("ID", grant.id),
        ("Number", grant.number),
        ("Status", grant.status),
        ("License", grant.license.name),
        ("Talent", grant.talent.name),
        ("Licensor", grant.licensor.name),
        ("Licensee", grant.licensee.name),
        ("Uses", terms.uses.join(", ")),
        ("Territories", terms.territories.join(", ")),
        ("Starts", moment(Some(&terms.starts_at))),
        ("Ends", moment(terms.ends_at.as_deref())),
        ("Exclusive", if terms.exclusive { "yes" } else { "no" }.to_owned()),
        ("Fee", fee.unwrap_or_default()),
        ("Channels", terms.channels.join(", ")),
        ("Conditions", terms.conditions.unwrap_or_default()),
        ("Accepted", moment(Some(&grant.created_at))),
        ("Revoked", moment(grant.revoked_at.as_deref())),
        ("Reason", grant.revoke_reason.unwrap_or_default()),
    ])
}

/// Finds a grant by its ID or number.
async fn find(client: &Client, id: &str) -> Result<Grant, String> {
    if !id.starts_with("GR-") {
        return client.grant(id).await.map_err(|it| explain(&it));
    }
    let filter = GrantFilter { number: Some(id.to_owned()), ..GrantFilter::default() };
    let mut grants = client.grants(&filter);
    let mut found: Vec<Grant> = Vec::new();
    while let Some(grant) = grants.next().await.map_err(|it| explain(&it))? {
        // Older servers list all grants.
        if grant.number == id {
            found.push(grant);
        }
    }
    // Each licensor counts its own grants.
    let several = found.iter().map(|it| it.id.as_str()).collect::<Vec<_>>().join(", ");
    match (found.pop(), found.is_empty()) {
        (Some(grant), true) => Ok(grant),
        (Some(_), false) => Err(format!("several grants have this number: {several}")),
        (None, _) => Err(format!("there is no grant with the number {id}")),
    }
}
