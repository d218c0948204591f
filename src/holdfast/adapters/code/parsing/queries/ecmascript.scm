; What JavaScript and TypeScript share.

(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(class_declaration name: (_) @name body: (_) @body) @class
(method_definition name: (_) @name body: (_) @body) @method
(lexical_declaration
  (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @function
(variable_declaration
  (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @function
(expression_statement
  (assignment_expression
    left: [(identifier) (member_expression)] @name
    right: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])) @function
; One function under two names: "req.get = req.header = function …".
(variable_declarator
  name: (identifier) @name
  value: (assignment_expression
    right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @function
(expression_statement
  (assignment_expression
    left: [(identifier) (member_expression)] @name
    right: (assignment_expression
      right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))) @function
(variable_declarator
  value: (assignment_expression
    left: [(identifier) (member_expression)] @name
    right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function)
(assignment_expression
  right: (assignment_expression
    left: [(identifier) (member_expression)] @name
    right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function)
(pair
  key: (property_identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @method
; A function that is passed on has the name that it is given, or that it has itself:
; "defineGetter(req, 'protocol', function protocol () …)".
(call_expression
  arguments: (arguments
    .
    [(identifier) (member_expression) (this)] @owner
    .
    (string (string_fragment) @name @given)
    .
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @method
(call_expression
  function: (member_expression property: (property_identifier) @definer)
  arguments: (arguments
    .
    [(identifier) (member_expression) (this)] @owner
    .
    (string (string_fragment) @name @given)
    .
    (object))) @property
(function_expression name: (_) @name body: (_) @body) @function
(generator_function name: (_) @name body: (_) @body) @function
(class name: (_) @name body: (_) @body) @class
(lexical_declaration
  (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @class
(expression_statement
  (assignment_expression
    left: [(identifier) (member_expression)] @name
    right: (class !name body: (_) @body))) @class
(program (lexical_declaration (variable_declarator name: (identifier) @name)) @constant)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @constant)
(program
  (export_statement
    (lexical_declaration (variable_declarator name: (identifier) @name)) @constant))
(program
  (expression_statement
    (assignment_expression
      left: (member_expression
        object: [(identifier) (member_expression)] @definer
        property: (property_identifier)) @name)) @constant)
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
