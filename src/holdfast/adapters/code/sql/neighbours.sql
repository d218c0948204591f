-- name: symbols_by_name
-- Whole names first, then the last part of longer ones; ignores case, as people type.
SELECT symbol.id, file.path, symbol.name, symbol.kind, symbol.first, symbol.last,
       symbol.signature, symbol.doc
  FROM symbol JOIN file ON file.id = symbol.file
 WHERE symbol.name = :name OR symbol.short = :short
 ORDER BY symbol.name = :name COLLATE BINARY DESC, symbol.name = :name DESC,
          symbol.short = :short COLLATE BINARY DESC, file.path, symbol.first, symbol.place
 LIMIT :limit;

-- name: files_ending_in
SELECT path FROM file
 WHERE left_out IS NULL AND (path = :path OR substr(path, -length(:path) - 1) = '/' || :path)
 ORDER BY path = :path DESC, path
 LIMIT :limit;

-- name: symbols_at
-- Innermost first: the fewest lines, and the later one of equals.
SELECT file.path, symbol.name, symbol.kind, symbol.first, symbol.last, symbol.signature, symbol.doc
  FROM file JOIN symbol ON symbol.file = file.id
 WHERE file.path = :path AND symbol.first <= :last AND symbol.last >= :first
 ORDER BY symbol.last - symbol.first, symbol.place DESC
 LIMIT :limit;

-- name: symbols_of_path
SELECT file.path, symbol.name, symbol.kind, symbol.first, symbol.last, symbol.signature, symbol.doc
  FROM file JOIN symbol ON symbol.file = file.id
 WHERE file.path = :path
 ORDER BY symbol.place
 LIMIT :limit;

-- name: number_of_symbol
SELECT symbol.id
  FROM file JOIN symbol ON symbol.file = file.id
 WHERE file.path = :path AND symbol.name = :name COLLATE BINARY
 ORDER BY abs(symbol.first - :first)
 LIMIT 1;

-- name: symbols_by_number
SELECT symbol.id, symbol.file, file.language, file.path, symbol.short, symbol.name, symbol.kind,
       symbol.first, symbol.last, symbol.signature, symbol.doc
  FROM json_each(?) AS given
 CROSS JOIN symbol ON symbol.id = given.value
  JOIN file ON file.id = symbol.file;

-- name: called_in
SELECT call.symbol, call.file, call.name, call.receiver
  FROM json_each(?) AS given CROSS JOIN call ON call.symbol = given.value
 ORDER BY call.symbol, call.line
 LIMIT 2000;

-- name: callers_of
SELECT call.symbol, call.file, call.name, call.receiver
  FROM json_each(?) AS given CROSS JOIN call ON call.name = given.value
 WHERE call.symbol IS NOT NULL
 ORDER BY call.file, call.line
 LIMIT 2000;

-- name: definitions_of
-- A call never means a heading of a page, a key of a settings file, or a rule of a style sheet.
SELECT given.value, symbol.id, symbol.file, symbol.short, symbol.name
  FROM json_each(?) AS given CROSS JOIN symbol ON symbol.short = given.value
 WHERE symbol.kind NOT IN ('element', 'heading', 'key', 'rule', 'table')
 ORDER BY symbol.id
 LIMIT 5000;

-- name: imports_of_files
SELECT import.file, import.module
  FROM json_each(?) AS given CROSS JOIN import ON import.file = given.value;

-- name: paths_of_files
SELECT file.id, file.path FROM json_each(?) AS given CROSS JOIN file ON file.id = given.value;
