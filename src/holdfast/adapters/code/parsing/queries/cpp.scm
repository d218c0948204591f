(class_specifier name: (_) @name body: (_) @body) @class
(namespace_definition name: (_) @name body: (_) @body) @module
(namespace_definition
  body: (declaration_list
    (declaration
      declarator: (init_declarator
        declarator: [
          (identifier) @name
          (array_declarator declarator: (identifier) @name)
        ])) @constant))
(concept_definition name: (_) @name) @type
(alias_declaration name: (_) @name) @type
(field_declaration declarator: (function_declarator declarator: (_) @name)) @prototype
(field_declaration
  declarator: (_ (function_declarator declarator: (_) @name))) @prototype
(declaration
  declarator: (function_declarator
    declarator: [(destructor_name) (operator_name) (qualified_identifier)] @name)) @prototype
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (_) @name))
  body: (_) @body) @function
(function_definition
  declarator: (function_declarator declarator: (_) @name) !body) @function
(template_declaration) @wrapper

(call_expression
  function: [
    (qualified_identifier name: (identifier) @call)
    (qualified_identifier name: (template_function name: (_) @call))
    (qualified_identifier name: (qualified_identifier name: (identifier) @call))
    (template_function name: (_) @call)
    (field_expression field: (template_method name: (_) @call))
  ])
(new_expression type: (type_identifier) @call)
