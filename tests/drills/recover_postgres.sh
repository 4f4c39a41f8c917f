#!/bin/sh
# Recovers a PostgreSQL database to a point in time: a base backup, the archived write-ahead log, and a
# copy of the key ring. Everything happens in a new folder, and nothing of it is left.
#
#   tests/drills/recover_postgres.sh target/release/grantor
#
# Needs PostgreSQL's programs (initdb, pg_basebackup). As root, PostgreSQL runs as the user postgres.
set -eu
export GRANTOR_LOG=warn

grantor=$(realpath "${1:?usage: recover_postgres.sh PATH_OF_GRANTOR}")
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
work=$(mktemp -d)
[ "$(id -u)" = 0 ] && chown postgres "$work"
chmod 755 "$work"

as_postgres() {
  if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$1"; else sh -c "$1"; fi
}
finish() {
  for cluster in primary recovered; do
    as_postgres "$bin/pg_ctl -D $work/$cluster -m immediate stop" >/dev/null 2>&1 || true
  done
  rm -rf "$work"
}
trap finish EXIT
query() { psql -X -q -A -t -h "$work" -p "$1" -U postgres -d grantor -c "$2"; }
# The socket's folder is the host. A name of a host in front would be another server to try.
url() { echo "postgres://postgres@$(echo "$work" | sed 's,/,%2F,g'):$1/grantor"; }
settings="unix_socket_directories = '$work'
listen_addresses = ''"

echo "1. A server that archives its write-ahead log"
as_postgres "mkdir $work/archive && $bin/initdb -D $work/primary -A trust -E UTF8 --locale=C.UTF-8 >/dev/null"
as_postgres "cat >> $work/primary/postgresql.conf" <<CONF
$settings
port = 7001
archive_mode = on
archive_command = 'test ! -f $work/archive/%f && cp %p $work/archive/%f'
archive_timeout = 60
CONF
as_postgres "$bin/pg_ctl -D $work/primary -l $work/primary.log -w start" >/dev/null
psql -X -q -h "$work" -p 7001 -U postgres -d postgres -c "CREATE DATABASE grantor"
"$grantor" demo --data-dir "$work/data" --database-url "$(url 7001)" >/dev/null

echo "2. A base backup, while the server runs, and a copy of the key ring"
as_postgres "$bin/pg_basebackup -h $work -p 7001 -U postgres -D $work/recovered -c fast -X stream"
cp -a "$work/data" "$work/copy"
as_postgres "$bin/pg_verifybackup $work/recovered" >/dev/null

echo "3. A change to keep, the point in time, and a change that must not come back"
"$grantor" admin create --email kept@example.com --fullname "Kept Person" \
  --data-dir "$work/data" --database-url "$(url 7001)" >/dev/null
point=$(query 7001 "SELECT now()")
"$grantor" admin create --email lost@example.com --fullname "Lost Person" \
  --data-dir "$work/data" --database-url "$(url 7001)" >/dev/null
last=$(query 7001 "SELECT pg_walfile_name(pg_switch_wal())")
tries=0
until [ -f "$work/archive/$last" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || { echo "the log was not archived"; exit 1; }
  sleep 0.1
done

echo "4. The server and its disk are lost"
as_postgres "$bin/pg_ctl -D $work/primary -m immediate stop" >/dev/null
as_postgres "rm -rf $work/primary/base"
rm -rf "$work/data"

echo "5. Recovery to $point"
as_postgres "touch $work/recovered/recovery.signal && cat >> $work/recovered/postgresql.conf" <<CONF
$settings
port = 7002
archive_mode = off
restore_command = 'cp $work/archive/%f %p'
recovery_target_time = '$point'
recovery_target_action = 'promote'
CONF
as_postgres "$bin/pg_ctl -D $work/recovered -l $work/recovered.log -w -t 120 start" >/dev/null
tries=0
until [ "$(query 7002 "SELECT pg_is_in_recovery()")" = f ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || { cat "$work/recovered.log"; exit 1; }
  sleep 0.1
done

echo "6. What is there"
found=$(query 7002 "SELECT email FROM admins WHERE email LIKE '%@example.com' ORDER BY email")
echo "$found" | grep -q '^kept@example.com$' || { echo "the change before the point is lost"; exit 1; }
if echo "$found" | grep -q '^lost@example.com$'; then
  echo "the change after the point is there"
  exit 1
fi
"$grantor" doctor --deep --data-dir "$work/copy" --database-url "$(url 7002)"
"$grantor" backup --to "$work/backup" --data-dir "$work/copy" --database-url "$(url 7002)"
"$grantor" restore --check "$work/backup"
echo "Recovered."
