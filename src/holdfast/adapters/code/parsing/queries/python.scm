; The outer capture is the kind of symbol; ``name`` is what it is called, ``body`` where its
; signature ends. ``wrapper`` widens the symbol it ends with, ``documented`` holds a docstring.

(function_definition name: (identifier) @name body: (_) @body) @function
(class_definition name: (identifier) @name body: (_) @body) @class
(module (expression_statement (assignment left: (identifier) @name)) @constant)
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @field))
(type_alias_statement left: (type (identifier) @name)) @type
(decorated_definition) @wrapper

(function_definition body: (block . (expression_statement . (string) @doc))) @documented
(class_definition body: (block . (expression_statement . (string) @doc))) @documented
(comment) @comment

(call function: [(identifier) @call (attribute attribute: (identifier) @call)])

(import_statement name: [(dotted_name) @import (aliased_import name: (dotted_name) @import)])
(import_from_statement module_name: (dotted_name) @import)
(import_from_statement module_name: (relative_import (dotted_name)) @import)
(import_from_statement
  module_name: (relative_import . (import_prefix) .) @from
  name: [(dotted_name) @import (aliased_import name: (dotted_name) @import)])
