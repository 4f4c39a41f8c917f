// A hand-written license server on Fastify and better-sqlite3: the same rows and indexes, durable writes, and
// an audit entry and an event with each change. No webhooks, search, limits or permissions.
//
//   node server.mjs FILE LICENSES VISIBLE
//
// If FILE does not exist, fills it with LICENSES licenses, of which the caller sees VISIBLE. Prints its address.

import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';

const [file, licenses, visible] = process.argv.slice(2);
const READER = 'reader';
const filled = existsSync(file);
const db = new Database(file);
process.once('SIGTERM', () => {
  db.close();
  process.exit();
});
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
if (!filled) db.exec(`
  CREATE TABLE licenses (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, talent TEXT NOT NULL, title TEXT NOT NULL,
    description TEXT NOT NULL, status TEXT NOT NULL, type TEXT NOT NULL, uses TEXT NOT NULL,
    territories TEXT NOT NULL, fee TEXT NOT NULL, terms TEXT NOT NULL, version INTEGER NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE readers (
    reader TEXT NOT NULL, license TEXT NOT NULL, title TEXT NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (reader, license)) STRICT, WITHOUT ROWID;
  CREATE INDEX readers_updated_at ON readers (reader, updated_at, license);
  CREATE INDEX readers_title ON readers (reader, title, license);
  CREATE INDEX readers_license ON readers (license);
  CREATE TABLE counts (reader TEXT PRIMARY KEY, total INTEGER NOT NULL) STRICT;
  CREATE TABLE entries (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, action TEXT NOT NULL, message TEXT NOT NULL,
    details TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX entries_tenant ON entries (tenant, created_at);
  CREATE INDEX entries_action ON entries (tenant, action, created_at);
  CREATE TABLE events (
    sequence INTEGER PRIMARY KEY, type TEXT NOT NULL, license TEXT NOT NULL, data TEXT NOT NULL) STRICT;
`);
const insert = db.prepare(
  'INSERT INTO licenses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
);
const show = db.prepare('INSERT INTO readers VALUES (?, ?, ?, ?)');
const count = db.prepare(
  'INSERT INTO counts VALUES (?, ?) ON CONFLICT (reader) DO UPDATE SET total = total + excluded.total',
);
const put = (id, title, at) =>
  insert.run(
    id, 'tenant', 'talent', title, 'For all that is asked', 'public', 'advertising',
    '["advertising","social_media"]', '["WORLD"]', '{"amount":"250.00","currency":"EUR","per":"month"}',
    '{}', 1, at, at,
  );
const idOf = (number) => `30000000-0000-0000-0000-${number.toString(16).padStart(12, '0')}`;
if (!filled) db.transaction(() => {
  for (let number = 1; number <= licenses; number += 1) {
    put(idOf(number), `License ${number}`, number);
    if (number <= visible) show.run(READER, idOf(number), `License ${number}`, number);
  }
  count.run(READER, Number(visible));
})();

const total = db.prepare('SELECT total FROM counts WHERE reader = ?');
const page = db.prepare(
  `SELECT l.* FROM readers r JOIN licenses l ON l.id = r.license
   WHERE r.reader = ? ORDER BY r.license DESC LIMIT ? OFFSET ?`,
);
const one = db.prepare(
  'SELECT l.* FROM readers r JOIN licenses l ON l.id = r.license WHERE r.reader = ? AND r.license = ?',
);
const rename = db.prepare(
  'UPDATE licenses SET title = ?, version = version + 1, updated_at = ? WHERE id = ?',
);
const renameSeen = db.prepare('UPDATE readers SET title = ?, updated_at = ? WHERE license = ?');
const log = db.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)');
const tell = db.prepare('INSERT INTO events (type, license, data) VALUES (?, ?, ?)');

const body = (row) => ({
  id: row.id, title: row.title, description: row.description, status: row.status,
  license_type: row.type, talent: { id: row.talent, name: 'Talent', aliases: [] },
  owner: { id: row.tenant, name: 'Sample Agency', type: 'Agency' }, uses: JSON.parse(row.uses),
  territories: JSON.parse(row.territories), fee: JSON.parse(row.fee), terms: JSON.parse(row.terms),
  can_crawl: false, valid_from: null, expires_at: null, image_count: 0, version: row.version,
  created_at: new Date(row.created_at).toISOString(), updated_at: new Date(row.updated_at).toISOString(),
});

const note = (action, row) => {
  log.run(randomUUID(), 'tenant', action, 'A license was changed', '{"changedFields":["title"]}', Date.now());
  tell.run(action, row.id, JSON.stringify(body(row)));
  return row;
};
const patch = db.transaction((id, title) => {
  rename.run(title, Date.now(), id);
  renameSeen.run(title, Date.now(), id);
  return note('license.updated', one.get(READER, id));
});
const post = db.transaction((title) => {
  const id = randomUUID();
  put(id, title, Date.now());
  show.run(READER, id, title, Date.now());
  count.run(READER, 1);
  return note('license.created', one.get(READER, id));
});

const app = Fastify();
app.addHook('onRequest', async (request, reply) => {
  if (request.headers.authorization !== 'Bearer token') reply.code(401).send({ error: 'unauthorized' });
});
app.get('/licenses', async (request) => {
  const size = Number(request.query.per_page ?? 20);
  const number = Number(request.query.page ?? 1);
  const rows = page.all(READER, size, (number - 1) * size);
  return { data: rows.map(body), pagination: { page: number, per_page: size, total: total.get(READER).total } };
});
app.get('/licenses/:id', async (request, reply) => {
  const row = one.get(READER, request.params.id);
  return row ? { data: body(row) } : reply.code(404).send({ error: 'not found' });
});
app.patch('/licenses/:id', async (request) => ({ data: body(patch(request.params.id, request.body.title)) }));
app.post('/licenses', async (request, reply) => reply.code(201).send({ data: body(post(request.body.title)) }));
const address = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(address.replace('http://', ''));
