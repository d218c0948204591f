(create_table (object_reference) @name) @table
(create_view (object_reference) @name) @view
(create_materialized_view (object_reference) @name) @view
(create_function (object_reference) @name) @function
(create_index column: (_) @name) @index
(create_trigger (keyword_trigger) . (object_reference) @name) @trigger
(create_type (object_reference) @name) @type
(create_schema (identifier) @name) @schema
(create_sequence (object_reference) @name) @sequence

(comment) @comment
(marginalia) @comment

(invocation (object_reference name: (_) @call))
