(table [(bare_key) (dotted_key) (quoted_key)] @name) @table
(table_array_element [(bare_key) (dotted_key) (quoted_key)] @name) @table
(document (pair . (_) @name) @key)
(comment) @comment
