// A receipt, verified by the SD-JWT library of the OpenWallet Foundation.
//
//     cd FOLDER && node .../tests/foreign/receipt.mjs RECEIPT JWKS
//
// FOLDER is where @sd-jwt/core 0.9.2 and @sd-jwt/crypto-nodejs 0.9.2 are installed. RECEIPT is a file
// with one receipt, JWKS the key set as published at /.well-known/jwks.json. The receipt must verify
// unchanged. Then every character of header and payload is changed in several ways, and none of the
// results may verify. A changed disclosure may verify, because this library drops unknown
// disclosures, but never with another claim.

import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const { SDJwtInstance } = require('@sd-jwt/core');
const { digest } = require('@sd-jwt/crypto-nodejs');

const OTHERS = 'ABQgwz09-_.~=';

function instance(path) {
  const keys = new Map(JSON.parse(readFileSync(path, 'utf8')).keys.map((key) => [key.kid, key]));
  const verifier = (data, signature) => {
    const header = JSON.parse(Buffer.from(data.split('.')[0], 'base64url'));
    const key = createPublicKey({ key: keys.get(header.kid), format: 'jwk' });
    const bytes = Buffer.from(signature, 'base64url');
    return header.alg === 'EdDSA' && verifySignature(null, Buffer.from(data), key, bytes);
  };
  return new SDJwtInstance({ verifier, hasher: digest, hashAlg: 'sha-256' });
}

function* changes(receipt, start, end) {
  for (let index = start; index < end; index += 1) {
    for (const other of OTHERS) {
      if (other !== receipt[index]) {
        yield receipt.slice(0, index) + other + receipt.slice(index + 1);
      }
    }
  }
}

async function accepted(library, texts) {
  let tried = 0;
  const found = [];
  for (const text of texts) {
    tried += 1;
    try {
      found.push((await library.verify(text)).payload);
    } catch {
      // Refused.
    }
  }
  return [tried, found];
}

const [receiptPath, jwksPath] = process.argv.slice(2);
const receipt = readFileSync(receiptPath, 'utf8').trim();
const library = instance(jwksPath);
const { payload: claims } = await library.verify(receipt);
console.log(`npm @sd-jwt/core: verified ${claims.grant_number} with ${Object.keys(claims).length} claims`);
const [signed, wrong] = await accepted(library, changes(receipt, 0, receipt.lastIndexOf('.')));
console.log(`  header and payload: ${wrong.length} of ${signed} changes accepted`);
const [tried, found] = await accepted(
  library,
  changes(receipt, receipt.indexOf('~') + 1, receipt.length),
);
const differs = (one) =>
  Object.keys(one).some((name) => JSON.stringify(one[name]) !== JSON.stringify(claims[name]));
const other = found.filter(differs).length;
console.log(`  disclosures: ${found.length} of ${tried} changes accepted, ${other} with another claim`);
if (wrong.length > 0 || other > 0) {
  console.error('a changed receipt was accepted');
  process.exit(1);
}
