; Also read for C++, whose grammar has all of these.

(function_definition
  declarator: (function_declarator declarator: (_) @name)
  body: (_) @body) @function
(function_definition
  declarator: (_ declarator: (function_declarator declarator: (_) @name))
  body: (_) @body) @function
(function_definition
  declarator: (_ declarator: (_ declarator: (function_declarator declarator: (_) @name)))
  body: (_) @body) @function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @prototype
(declaration
  declarator: (_ declarator: (function_declarator declarator: (identifier) @name))) @prototype
(struct_specifier name: (_) @name body: (_) @body) @struct
(union_specifier name: (_) @name body: (_) @body) @struct
(enum_specifier name: (_) @name body: (_) @body) @enum
(type_definition declarator: (type_identifier) @name) @type
(type_definition
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (_) @name)))) @type
(translation_unit
  (declaration
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      ])) @constant)
(preproc_def name: (_) @name value: (_)) @constant
(preproc_function_def name: (_) @name) @macro

(comment) @comment

(call_expression function: [(identifier) @call (field_expression field: (_) @call)])
(preproc_include path: (_) @import)
