//! The systemd service is sandboxed.

use super::{read, run};

const FILE: &str = "deploy/systemd/grantor.service";

/// What keeps the service from everything that it does not need.
const SANDBOX: [&str; 22] = [
    "User=grantor",
    "UMask=0077",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "PrivateDevices=yes",
    "PrivateUsers=yes",
    "ProtectClock=yes",
    "ProtectControlGroups=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectProc=invisible",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    "RestrictNamespaces=yes",
    "RestrictSUIDSGID=yes",
    "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
];

#[test]
fn the_service_is_sandboxed() {
    let text = read(FILE);
    let lines: Vec<_> = text.lines().collect();
    for line in SANDBOX {
        assert!(lines.contains(&line), "{line}");
    }
    let is_folder = |it: &&str| it.starts_with("ReadWritePaths=") || it.contains("Directory=");
    let folders: Vec<_> = lines.into_iter().filter(is_folder).collect();
    assert_eq!(folders, ["StateDirectory=grantor", "WorkingDirectory=/var/lib/grantor"]);
}

#[test]
fn the_service_runs_commands_that_exist() {
    let text = read(FILE);
    let commands = text.lines().filter_map(|it| it.split_once("=/usr/local/bin/grantor "));
    let commands: Vec<_> = commands.map(|(_, it)| it).collect();
    let config = "--config /etc/grantor/grantor.toml";
    assert_eq!(commands, [format!("check-config {config}"), format!("serve {config}")]);
}

/// Older versions cannot rate a file.
#[test]
fn systemd_rates_its_exposure_as_low() {
    let arguments = ["security", "--offline=yes", "--no-pager", "--threshold=20", FILE];
    if let Some((is_low, text)) = run("systemd-analyze", &arguments) {
        assert!(is_low || !text.contains("Overall exposure level"), "{text}");
    }
}
