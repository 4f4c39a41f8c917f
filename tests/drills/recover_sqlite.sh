#!/bin/sh
# Recovers a SQLite database to a point in time from what Litestream copied while the server ran, and a
# copy of the key ring. Everything happens in a new folder, and nothing of it is left.
#
#   tests/drills/recover_sqlite.sh target/release/grantor $(which litestream)
#
# Needs the sqlite3 program. Images are in the database, so that Litestream copies them as well.
set -eu
export GRANTOR_LOG=warn GRANTOR_OBJECT_STORE=database

grantor=$(realpath "${1:?usage: recover_sqlite.sh PATH_OF_GRANTOR PATH_OF_LITESTREAM}")
litestream=$(realpath "${2:?usage: recover_sqlite.sh PATH_OF_GRANTOR PATH_OF_LITESTREAM}")
work=$(mktemp -d)
server='' copier=''
finish() {
  for process in $server $copier; do kill -9 "$process" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT
cat > "$work/litestream.yml" <<CONF
dbs:
  - path: $work/data/grantor.sqlite
    replicas:
      - type: file
        path: $work/replica
        sync-interval: 1s
CONF
add_admin() {
  "$grantor" admin create --email "$1@example.com" --fullname "$2" --data-dir "$work/data" >/dev/null
}

echo "1. A running server, and Litestream next to it"
"$grantor" demo --data-dir "$work/data" >/dev/null
cp "$work/data/keys.json" "$work/keys.json"
"$grantor" serve --data-dir "$work/data" --listen 127.0.0.1:0 --metrics-listen off >/dev/null 2>&1 &
server=$!
"$litestream" replicate -config "$work/litestream.yml" >/dev/null 2>&1 &
copier=$!
sleep 5

echo "2. A change to keep, the point in time, and a change that must not come back"
add_admin kept "Kept Person"
sleep 5
point=$(date -u +%Y-%m-%dT%H:%M:%SZ)
sleep 5
add_admin lost "Lost Person"
sleep 5

echo "3. The machine is lost"
kill -9 "$server" "$copier"
rm -rf "$work/data"

echo "4. Recovery to $point"
mkdir -m 700 "$work/data"
"$litestream" restore -config "$work/litestream.yml" -timestamp "$point" "$work/data/grantor.sqlite" >/dev/null 2>&1
cp -p "$work/keys.json" "$work/data/keys.json"

echo "5. What is there"
found=$(sqlite3 "$work/data/grantor.sqlite" "SELECT email FROM admins ORDER BY email")
echo "$found" | grep -q '^kept@example.com$' || { echo "the change before the point is lost"; exit 1; }
if echo "$found" | grep -q '^lost@example.com$'; then
  echo "the change after the point is there"
  exit 1
fi
"$grantor" doctor --deep --data-dir "$work/data"
"$grantor" backup --to "$work/backup" --data-dir "$work/data"
"$grantor" restore --check "$work/backup"
echo "Recovered."
