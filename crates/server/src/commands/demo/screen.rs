//! The text that `grantor demo` and `grantor serve --demo` print.

use std::net::SocketAddr;

use grantor_demo::{Account, Sample};
use grantor_domain::role::{Role, TenantType};
use serde_json::json;

use crate::config::{Config, Database};

/// Where the pages of a running server are.
pub(crate) struct Addresses<'a> {
    pub(crate) config: &'a Config,
    pub(crate) url: &'a str,
    pub(crate) metrics: Option<SocketAddr>,
    /// The listener, if it serves the sample site.
    pub(crate) site: Option<SocketAddr>,
}

impl Addresses<'_> {
    fn table(&self) -> String {
        let page = |name: &str, path: &str| [name.to_owned(), format!("{}{path}", self.url)];
        let mut rows = vec![page("Start here", "/"), page("Console", "/app")];
        if self.has_mailbox() {
            rows.push(page("Mailbox", "/app/dev/mail"));
        }
        rows.push(page("Staff sign-in", "/app/admin/sign-in"));
        rows.push(page("Documentation", "/docs"));
        if let Some(listener) = self.site {
            let address = grantor_demo::site::address(&format!("http://{listener}"));
            rows.push(["Sample site".to_owned(), address]);
        }
        if let Some(address) = self.metrics {
            rows.push(["Metrics".to_owned(), format!("http://{address}/metrics")]);
        }
        table(&rows)
    }

    /// The mailbox page shows the mails that are written to files, only on this machine.
    fn has_mailbox(&self) -> bool {
        self.config.smtp_url.is_none() && self.config.tls.is_none() && self.config.is_local()
    }

    /// Where mailed codes arrive.
    fn code_arrives(&self) -> String {
        match &self.config.smtp_url {
            Some(_) => "arrives by email".to_owned(),
            None if self.has_mailbox() => "arrives in the mailbox".to_owned(),
            None => format!("is in {}/mail", self.config.data_dir.display()),
        }
    }

    fn start_over(&self) -> String {
        let data = self.config.data_dir.display();
        let in_data = matches!(&self.config.database, Database::Sqlite(path)
            if path.starts_with(&self.config.data_dir));
        let remove = if in_data && self.config.s3.is_none() {
            format!("delete {data}")
        } else {
            format!("empty the database and delete {data}")
        };
        format!("To start over with new sample data, stop the server and {remove}.")
    }
}

/// What happens next on a server with the sample site.
const FIRST_MINUTE: &str = "Quillfeather Talent watches the sample site. Within a minute, two of \
                            its talents are found\nthere: see Mentions in the console. The emails \
                            about them follow a minute later.\n\n";

/// The screen of a server that has just created the sample data.
pub(super) fn created(sample: &Sample, addresses: &Addresses<'_>) -> String {
    let watched = if addresses.site.is_some() { FIRST_MINUTE } else { "" };
    format!(
        "Grantor is running with sample data. Press Ctrl+C to stop it.\n\n{}\n\n{watched}\
         Sign in to the console as one of these users. Passwords and tokens are shown only once.\
         \n\n{}\n\n{}\n\n{}",
        addresses.table(),
        users(sample),
        staff(sample, addresses.url),
        try_the_api(sample, addresses.url),
    )
}

/// The screen of a server whose store already has accounts.
pub(super) fn existing(addresses: &Addresses<'_>) -> String {
    let url = addresses.url;
    let code = addresses.code_arrives();
    let hints = table(&[
        ["New password".to_owned(), format!("{url}/app/forgot (the code {code})")],
        ["New API key".to_owned(), format!("{url}/app/clients/new")],
        ["New staff token".to_owned(), format!("{} admin token --email ADDRESS", program())],
    ]);
    format!(
        "Grantor is running. The store already has accounts, so no sample data was added.\n\
         Press Ctrl+C to stop it.\n\n{}\n\n\
         Passwords and API secrets are stored as hashes and cannot be shown again.\n\n{hints}\n\n\
         {}\n\nList public licenses with the API:\n\n\
         curl -s '{url}/metadata?per_page=3'",
        addresses.table(),
        addresses.start_over(),
    )
}

/// The screen of a server whose sample data is incomplete.
pub(super) fn incomplete(addresses: &Addresses<'_>) -> String {
    format!(
        "Grantor is running, but its sample data is incomplete: creating it failed earlier.\n\
         {}\n\n{}",
        addresses.start_over(),
        addresses.table(),
    )
}

/// What `grantor demo` prints.
pub(super) fn credentials(sample: &Sample, url: &str) -> String {
    let heading = ["API CLIENT OF", "API KEY", "API SECRET"].map(ToOwned::to_owned);
    let clients = sample.accounts.iter().map(|account| {
        let client = &account.client;
        let (key, secret) = (client.client.api_key.clone(), client.secret.expose().to_owned());
        [account.name.clone(), key, secret]
    });
    let clients: Vec<_> = std::iter::once(heading).chain(clients).collect();
    format!(
        "The sample data was created. Passwords, secrets and tokens are shown only once.\n\n\
         {}\n\n{}\n\n{}\n\nWith the server running:\n\n{}",
        users(sample),
        table(&clients),
        staff(sample, url),
        try_the_api(sample, url),
    )
}

fn users(sample: &Sample) -> String {
    let mut rows = vec![["ACCOUNT", "EMAIL", "PASSWORD", "ROLE"].map(ToOwned::to_owned)];
    for account in &sample.accounts {
        let (password, role) = (account.password.expose().to_owned(), owner_role(account.kind));
        rows.push([account.name.clone(), account.email.clone(), password, role.to_owned()]);
    }
    let agency = sample.accounts.first().map(|it| it.name.as_str()).unwrap_or_default();
    for member in &sample.team.members {
        let (password, role) = (member.password.expose().to_owned(), member_role(member.role));
        rows.push([agency.to_owned(), member.email.clone(), password, role.to_owned()]);
    }
    table(&rows)
}

fn owner_role(kind: TenantType) -> &'static str {
    match kind {
        TenantType::Platform => "Platform admin",
        TenantType::Agency => "Agency admin",
        TenantType::Brand => "Brand admin",
        TenantType::Individual => "Individual",
    }
}

fn member_role(role: Role) -> &'static str {
    match role {
        Role::OrganizationAdmin => "Organization admin",
        Role::OrganizationUser => "Organization user",
        Role::TeamLead => "Team lead",
        Role::TeamMember => "Team member",
        Role::Individual => "Individual",
    }
}

fn staff(sample: &Sample, url: &str) -> String {
    format!(
        "Sign in as staff ({}) at {url}/app/admin/sign-in\n\
         with this one-time token, valid until {}:\n\n  {}",
        sample.staff,
        sample.token.expires_at,
        sample.token.token.expose()
    )
}

fn try_the_api(sample: &Sample, url: &str) -> String {
    // The agency comes first. It owns most of the licenses.
    let Some(agency) = sample.accounts.first() else { return String::new() };
    format!("Get three licenses of {} with the API:\n\n{}", agency.name, curl(agency, url))
}

/// One shell line that needs only curl and sed.
fn curl(account: &Account, url: &str) -> String {
    let pair = json!({
        "api_key": account.client.client.api_key,
        "api_secret": account.client.secret.expose(),
    });
    let token = format!(
        "curl -s {url}/auth/token -H 'Content-Type: application/json' -d '{pair}' | sed \
         's/.*\"access_token\":\"\\([^\"]*\\)\".*/\\1/'"
    );
    format!("curl -s '{url}/licenses?per_page=3' -H \"Authorization: Bearer $({token})\"")
}

/// The program as it was started, so that a hint can be pasted into a shell.
fn program() -> String {
    let name = std::env::args_os().next().unwrap_or_else(|| "grantor".into());
    name.to_string_lossy().into_owned()
}

/// Aligns the columns of the rows.
fn table<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<_> = (0..COLUMNS).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &[String; COLUMNS]| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        format!("  {}", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["WHO", "EMAIL"], ["Ibáñez-Kerr", "a@b.example"], ["Noa", "noa@x.example"]];
        let expected = "  WHO          EMAIL\n  Ibáñez-Kerr  a@b.example\n  \
                        Noa          noa@x.example";
        assert_eq!(table(&rows.map(|row| row.map(ToOwned::to_owned))), expected);
    }
}
