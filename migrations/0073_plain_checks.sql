-- only sqlite
-- A check against a list of three or more values builds the list anew for each row that is written, which took a
-- third of the time of writing a log entry. The same checks, value by value, build nothing.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
  'CHECK (scheme IN (''external'', ''console'', ''admin'', ''system''))',
  'CHECK (scheme = ''external'' OR scheme = ''console'' OR scheme = ''admin'' OR scheme = ''system'')'),
  'CHECK (level IN (''INFO'', ''WARN'', ''ERROR''))',
  'CHECK (level = ''INFO'' OR level = ''WARN'' OR level = ''ERROR'')')
WHERE type = 'table' AND name = 'log_entries';
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (status IN (''draft'', ''private'', ''public'', ''expired''))',
  'CHECK (status = ''draft'' OR status = ''private'' OR status = ''public'' OR status = ''expired'')')
WHERE type = 'table' AND name = 'licenses';
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (status IN (''pending'', ''delivered'', ''failed'', ''dropped''))',
  'CHECK (status = ''pending'' OR status = ''delivered'' OR status = ''failed'' OR status = ''dropped'')')
WHERE type = 'table' AND name = 'deliveries';
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (status IN (''new'', ''confirmed'', ''dismissed''))',
  'CHECK (status = ''new'' OR status = ''confirmed'' OR status = ''dismissed'')')
WHERE type = 'table' AND name = 'mentions';
PRAGMA writable_schema = RESET;
-- end
