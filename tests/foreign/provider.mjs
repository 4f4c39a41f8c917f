// An identity provider by oidc-provider. It signs in whoever is entered, without a password.
//
//     node provider.mjs PORT REDIRECT_URI ALGORITHM userinfo|token
//
// With `token`, ID tokens tell the email address; with `userinfo`, only the user info endpoint does.

import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';

const [port, redirectUri, algorithm, place] = process.argv.slice(2);

const key = (type, options) => ({
  ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }),
  use: 'sig',
});

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'grantor',
      client_secret: 'secret: of + the/provider',
      redirect_uris: [redirectUri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      id_token_signed_response_alg: algorithm,
    },
  ],
  jwks: {
    keys: [
      key('rsa', { modulusLength: 2048 }),
      key('ec', { namedCurve: 'P-256' }),
      key('ed25519', {}),
    ],
  },
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA'] },
  pkce: { required: () => true, methods: ['S256'] },
  conformIdTokenClaims: place === 'userinfo',
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: id, email_verified: true, name: 'Grace Hopper' }),
  }),
  cookies: { keys: ['a key for cookies'] },
});

provider.listen(Number(port), '127.0.0.1', () => console.log('listening'));
