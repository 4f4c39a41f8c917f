//! `grantor openapi`.

use grantor_api::{Api, openapi};

use crate::cli::Surface;
use crate::config::Config;

pub(crate) fn run(config: &Config, surface: Surface) -> Result<String, String> {
    let surface = match surface {
        Surface::External => Api::External,
        Surface::Console => Api::Console,
    };
    openapi::document(surface, &config.public_url.to_string(), &config.service_name)
        .to_pretty_json()
        .map_err(|error| error.to_string())
}
