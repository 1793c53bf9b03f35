CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL,
  tail TEXT NOT NULL AS (substr(text, length(rtrim(text, replace(text, '.', ''))) + 1)) VIRTUAL) STRICT;
CREATE TABLE alias(entry INTEGER NOT NULL, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID;
CREATE TABLE base(entry INTEGER NOT NULL, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID;
CREATE TABLE decorator(entry INTEGER NOT NULL, position INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES name, PRIMARY KEY(entry, position)) STRICT, WITHOUT ROWID;
CREATE TABLE reason(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE reference(source INTEGER NOT NULL, position INTEGER NOT NULL,
  kind INTEGER NOT NULL, target INTEGER NOT NULL REFERENCES name,
  file INTEGER NOT NULL, line INTEGER NOT NULL, "column" INTEGER NOT NULL,
  is_exact INTEGER NOT NULL, reason INTEGER REFERENCES reason,
  tier TEXT NOT NULL AS (iif(is_exact, 'exact', 'syntactic')) VIRTUAL,
  PRIMARY KEY(source, position)) STRICT, WITHOUT ROWID;
CREATE TABLE score(entry INTEGER PRIMARY KEY, in_degree INTEGER NOT NULL,
  rank INTEGER NOT NULL, community INTEGER NOT NULL) STRICT;
CREATE TABLE decision(entry INTEGER PRIMARY KEY, origin TEXT NOT NULL,
  title TEXT NOT NULL, quote TEXT NOT NULL, status TEXT NOT NULL, date TEXT NOT NULL,
  label TEXT NOT NULL, places INTEGER NOT NULL, successor INTEGER REFERENCES decision) STRICT;
CREATE TABLE governs(decision INTEGER NOT NULL REFERENCES decision,
  position INTEGER NOT NULL, name INTEGER NOT NULL REFERENCES name,
  PRIMARY KEY(decision, position)) STRICT, WITHOUT ROWID;
CREATE TABLE requirement(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
  specifier TEXT NOT NULL, detail TEXT NOT NULL) STRICT;
CREATE INDEX name_tail ON name(tail);
CREATE INDEX alias_name ON alias(name);
CREATE INDEX base_name ON base(name);
CREATE INDEX reference_target ON reference(target);
CREATE INDEX governs_name ON governs(name);
INSERT INTO metadata VALUES('kind', 'dependency');
INSERT INTO metadata VALUES('name', 'Tap');
INSERT INTO metadata VALUES('version', '1.0');
INSERT INTO name VALUES(0, 'pipe.End');
INSERT INTO name VALUES(1, 't.Tap');
INSERT INTO name VALUES(2, 'tap.Tap');
INSERT INTO name VALUES(3, 'tap.py');
INSERT INTO name VALUES(4, 'turn');
INSERT INTO alias VALUES(2, 0, 1);
INSERT INTO base VALUES(2, 0, 0);
INSERT INTO reason VALUES(0, 'no such name in scope');
INSERT INTO reference VALUES(2, 0, 3, 0, 1, 1, 10, 1, NULL);
INSERT INTO reference VALUES(3, 0, 1, 4, 1, 9, 15, 0, 0);
INSERT INTO score VALUES(2, 1, 85, 1);
INSERT INTO score VALUES(4, 3, 240, 1);
INSERT INTO decision VALUES(0, 'section', 'Use', 'Turn it.', '', '', '', 1, NULL);
INSERT INTO governs VALUES(0, 0, 2);
INSERT INTO governs VALUES(0, 1, 3);
INSERT INTO requirement VALUES(0, 'seal', '<3', 'extra == ''cold''');
