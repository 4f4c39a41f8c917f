//! `grantor webhook`.

use std::process::ExitCode;

use super::table::{Column, Table};
use super::{Desk, explain, moment, take};
use crate::cli::{self, ListOptions, RecordGet};

pub(super) async fn run(desk: &mut Desk<'_>, command: cli::Webhook) -> Result<ExitCode, String> {
    match command {
        cli::Webhook::List(options) => list(desk, &options).await.map(|()| ExitCode::SUCCESS),
        cli::Webhook::Test(options) => test(desk, &options).await,
    }
}

async fn list(desk: &mut Desk<'_>, options: &ListOptions) -> Result<(), String> {
    let client = desk.connect(&options.connect)?;
    let (webhooks, total) = take(client.webhooks(), options.most()).await?;
    if options.json {
        return desk.terminal.json(&webhooks);
    }
    let mut table = Table::new([
        Column::Whole("ID"),
        Column::Whole("STATUS"),
        Column::Cut("URL"),
        Column::Whole("EVENTS"),
        Column::Whole("LAST SUCCESS"),
    ]);
    for webhook in &webhooks {
        let events = webhook.events.len().to_string();
        let last = moment(webhook.last_success_at.as_deref());
        // An active webhook whose deliveries fail needs attention.
        let is_failing = webhook.status == "active" && webhook.failing_since.is_some();
        let status = if is_failing { "failing" } else { &webhook.status };
        table.row([&webhook.id, status, &webhook.url, &events, &last]);
    }
    desk.terminal.list(&table, total)
}

/// Sends a test event. The exit code says whether it arrived.
async fn test(desk: &mut Desk<'_>, options: &RecordGet) -> Result<ExitCode, String> {
    let client = desk.connect(&options.connect)?;
    let result = client.test_webhook(&options.id).await.map_err(|it| explain(&it))?;
    if options.json {
        desk.terminal.json(&result)?;
    } else {
        let status = result.status_code.map_or_else(String::new, |it| format!(" with status {it}"));
        let time = result.duration_ms;
        let text = match (result.delivered, &result.error) {
            (true, _) => format!("Delivered{status} in {time} ms."),
            (false, Some(error)) => format!("Not delivered after {time} ms: {error}"),
            (false, None) => format!("Not delivered{status} after {time} ms."),
        };
        desk.terminal.say(&text)?;
    }
    Ok(if result.delivered { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
