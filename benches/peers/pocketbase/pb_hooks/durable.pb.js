// PocketBase itself syncs the log only at checkpoints, so that a power failure loses the last changes. The
// servers that it is compared with sync each change. All changes use one connection, which must not be
// replaced after three idle minutes by one without this setting.
onBootstrap((event) => {
  event.next();
  const changes = event.app.nonconcurrentDB();
  changes.db().setConnMaxIdleTime(0);
  changes.newQuery('PRAGMA synchronous = FULL').execute();
});
