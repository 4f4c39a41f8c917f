// A license server on PocketBase, with the columns, rows and indexes of ../fastify/server.mjs where PocketBase can
// have them: it has no STRICT tables, its ids are short, and it returns columns instead of nested objects. Creates
// LICENSES licenses, of which the user sees VISIBLE; both are environment variables.
//
//   GET /api/collections/visible/records?sort=-id&skipTotal=0&perPage=20&page=1
//   GET /api/collections/visible/records/000000000000001
//   PATCH /api/collections/licenses/records/000000000000001
//
// Reads go to a view, because that was the fastest way to page and count that PocketBase's REST API offers: it
// counts only the indexed rows of `readers`, and reads only the licenses that it returns. In CPU time, pages of
// `readers` with expanded licenses take 1.4 times as long; of a view that joins both, 4 times; of `licenses` under
// the rule below, 5 to 25 times, depending on their order; and with the readers in each license, 50 times. A single
// license from `licenses` takes 1.3 times as long.
migrate((app) => {
  const [licenses, visible] = ['LICENSES', 'VISIBLE'].map((name) => Number($os.getenv(name)));
  const of = (type) => (name) => ({ name, type });
  const one = (name, collection) => ({
    name, type: 'relation', collectionId: collection.id, maxSelect: 1, required: true,
  });
  const create = (name, fields, more = {}) => {
    const collection = new Collection({ name, type: 'base', fields, ...more });
    app.save(collection);
    return collection;
  };
  const created = { name: 'created', type: 'autodate', onCreate: true };
  const updated = { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true };
  const texts = ['tenant', 'talent', 'title', 'description', 'status', 'type'];
  const objects = ['uses', 'territories', 'fee', 'terms'];

  const all = create('licenses', [
    ...texts.map(of('text')), ...objects.map(of('json')), of('number')('version'), created, updated,
  ]);
  const users = app.findCollectionByNameOrId('users');
  create('readers', [one('reader', users), one('license', all)], {
    indexes: [
      'CREATE UNIQUE INDEX readers_reader ON readers (reader, license)',
      'CREATE UNIQUE INDEX readers_license ON readers (license, reader)',
    ],
  });
  const rule = '@request.auth.id != "" && readers_via_license.reader ?= @request.auth.id';
  Object.assign(all, { listRule: rule, viewRule: rule, updateRule: rule });
  app.save(all);
  create('entries', [...['tenant', 'action', 'message'].map(of('text')), of('json')('details'), created], {
    indexes: [
      'CREATE INDEX entries_tenant ON entries (tenant, created)',
      'CREATE INDEX entries_action ON entries (tenant, action, created)',
    ],
  });
  create('events', [...['type', 'license'].map(of('text')), of('json')('data')]);

  const object = (row) => `json_object(${[
    ...['id', ...texts, 'version', 'created', 'updated'].map((it) => `'${it}', ${row}.${it}`),
    ...objects.map((it) => `'${it}', json(${row}.${it})`),
  ]})`;
  const own = 'reader = @request.auth.id';
  app.save(new Collection({
    name: 'visible', type: 'view', listRule: own, viewRule: own,
    viewQuery: `
      SELECT r.license AS id, r.reader,
        (SELECT ${object('l')} FROM licenses l WHERE l.id = r.license) AS license FROM readers r`,
  }));
  const run = (sql) => app.db().newQuery(sql).execute();
  // What the other servers write with each change. Hooks in JavaScript would more than double the cost of a PATCH.
  // Its answer has the version before it.
  run(`
    CREATE TRIGGER licenses_changed AFTER UPDATE OF title ON licenses BEGIN
      UPDATE licenses SET version = old.version + 1 WHERE id = new.id;
      INSERT INTO entries (tenant, action, message, details, created)
      VALUES (new.tenant, 'license.updated', 'A license was changed', '{"changedFields":["title"]}', new.updated);
      INSERT INTO events (type, license, data) VALUES ('license.updated', new.id, ${object('new')});
    END`);
  // Otherwise each request is also written to a database.
  const settings = app.settings();
  settings.logs.maxDays = 0;
  app.save(settings);
  if (licenses === 0) return;

  const user = new Record(users, { email: 'reader@example.com' });
  user.setPassword('password');
  app.save(user);
  run(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${licenses})
    INSERT INTO licenses (id, ${texts}, ${objects}, version, created, updated)
    SELECT printf('%015x', n), 'tenant', 'talent', 'License ' || n, 'For all that is asked', 'public',
      'advertising', '["advertising","social_media"]', '["WORLD"]',
      '{"amount":"250.00","currency":"EUR","per":"month"}', '{}', 1, '${user.get('created')}',
      '${user.get('created')}' FROM numbers`);
  run(`
    INSERT INTO readers (id, reader, license)
    SELECT id, '${user.id}', id FROM licenses ORDER BY id LIMIT ${visible}`);
  run('ANALYZE');
});
