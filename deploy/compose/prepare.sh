#!/bin/sh
# Makes passwords, keys and certificates for compose.yaml in deploy/compose/secrets, once. Containers read
# the files as users that this machine does not have, so only the folder keeps other users out.
set -eu

cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "deploy/compose/secrets exists already: nothing to do."
  exit 0
fi
command -v openssl > /dev/null || { echo "openssl is required." >&2; exit 1; }

umask 077
rm -rf secrets.part
mkdir secrets.part
cd secrets.part

password=$(openssl rand -hex 24)
access=$(openssl rand -hex 10)
secret=$(openssl rand -hex 20)
printf '%s' "$password" > postgres_password
printf '%s' "postgres://grantor:$password@postgres/grantor" > database_url
printf '%s' "redis://redis:6379" > redis_url
openssl rand -base64 32 > key_ring_secret
printf '%s' "$access" > s3_access_key_id
printf '%s' "$secret" > s3_secret_access_key
cat > s3.json << END
{"identities": [{"name": "grantor", "credentials": [{"accessKey": "$access", "secretKey": "$secret"}],
  "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
END

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
  -subj "/CN=Grantor compose" -addext "basicConstraints=critical,CA:TRUE" \
  -addext "keyUsage=critical,keyCertSign" -keyout ca.key -out ca.pem 2> /dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=grantor.localhost" \
  -keyout proxy.key -out proxy.csr 2> /dev/null
cat > extensions << END
subjectAltName=DNS:grantor.localhost,DNS:objects.grantor.localhost
extendedKeyUsage=serverAuth
END
openssl x509 -req -in proxy.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 825 \
  -extfile extensions -out proxy.crt 2> /dev/null
cat proxy.crt proxy.key > proxy.pem
# Nobody needs to sign anything else.
rm -f ca.key ca.srl proxy.key proxy.crt proxy.csr extensions

chmod 0444 ./*
cd ..
mv secrets.part secrets
echo "Made deploy/compose/secrets. To avoid warnings, let your browser trust secrets/ca.pem."
