(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(program (assignment left: (constant) @name) @constant)
(body_statement (assignment left: (constant) @name) @field)
(call
  method: (identifier) @definer
  arguments: (argument_list (simple_symbol) @name @property) !block)
(call
  method: (identifier) @definer
  arguments: (argument_list . (simple_symbol) @name)
  block: (_)) @function

(comment) @comment

(call method: [(identifier) (constant)] @call)
(call
  method: (identifier) @importer
  arguments: (argument_list . (string (string_content) @import)))
