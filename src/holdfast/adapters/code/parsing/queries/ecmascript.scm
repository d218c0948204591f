; What JavaScript and TypeScript share.

(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(class_declaration name: (_) @name body: (_) @body) @class
(method_definition name: (_) @name body: (_) @body) @method
(lexical_declaration
  (variable_declarator
    name: (identifier) @name
    value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @function
(variable_declaration
  (variable_declarator
    name: (identifier) @name
    value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @function
(expression_statement
  (assignment_expression
    left: [(identifier) (member_expression)] @name
    right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @function
(pair
  key: (property_identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
(lexical_declaration
  (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @class
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @constant)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @constant)
(program
  (export_statement
    (lexical_declaration (variable_declarator name: (identifier) @name)) @constant))
(export_statement) @wrapper

(comment) @comment

(call_expression function: [(identifier) @call (member_expression property: (_) @call)])
(new_expression constructor: [(identifier) @call (member_expression property: (_) @call)])

(import_statement source: (string) @import)
(export_statement source: (string) @import)
(call_expression function: (import) arguments: (arguments . (string) @import))
(call_expression
  function: (identifier) @importer
  arguments: (arguments . (string) @import))
