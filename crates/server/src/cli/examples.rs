//! What help prints after the options: examples, exit codes and where values come from.

/// For `grantor login`.
pub(super) const LOGIN: &str = "\
Create an API client in the console under API clients first. The secret is asked for without
showing it, or read from standard input if that is not a terminal. Both are checked and kept in
~/.config/grantor/credentials.toml, which only you can read.

Examples:
  grantor login --url https://grantor.example.com
  grantor login --profile test --url https://test.example.com --api-key gk_test_… < secret

Other commands also read GRANTOR_URL, GRANTOR_PROFILE, GRANTOR_API_KEY, and GRANTOR_API_SECRET or
GRANTOR_API_SECRET_FILE from the environment.";

/// For `grantor license`.
pub(super) const LICENSE: &str = "\
Examples:
  grantor license list --status public --search 'summit season'
  grantor license list --all --json | jq -r '.[].id'
  grantor license get QF-001
  grantor license update QF-001 --status private --expires-at 2027-01-01T00:00:00Z";

/// For `grantor grant`.
pub(super) const GRANT: &str = "\
Examples:
  grantor grant list --role asker --status active
  grantor grant get GR-2026-000042 --json";

/// For `grantor check`.
pub(super) const CHECK: &str = "\
Exits with 0 if nobody was recognized or everything is allowed, with 2 if something is not allowed,
and with 1 if it could not be checked.

Examples:
  grantor check campaign.jpg
  grantor check https://example.com/news/1
  grantor check --text 'Our autumn campaign with Ann Lee'
  pdftotext brochure.pdf - | grantor check -";

/// For `grantor events`.
pub(super) const EVENTS: &str = "\
Examples:
  grantor events
  grantor events --since 7d --type license --type grant.created
  grantor events --follow --json | jq -c '{type, data}'";

/// For `grantor webhook`.
pub(super) const WEBHOOK: &str = "\
Examples:
  grantor webhook list
  grantor webhook test 0198c0de-0000-7000-8000-000000000001";

/// For `grantor completions`.
pub(super) const COMPLETIONS: &str = "\
Examples:
  grantor completions bash > ~/.local/share/bash-completion/completions/grantor
  grantor completions zsh > ~/.zfunc/_grantor
  grantor completions fish > ~/.config/fish/completions/grantor.fish";
