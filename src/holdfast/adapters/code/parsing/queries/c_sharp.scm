(class_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @struct
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(record_declaration name: (_) @name) @record
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function
(property_declaration name: (_) @name accessors: (_)? @body) @property
(event_declaration name: (_) @name) @property
(event_field_declaration
  (variable_declaration (variable_declarator name: (_) @name))) @property
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field

(comment) @comment

(invocation_expression
  function: [
    (identifier) @call
    (generic_name . (identifier) @call)
    (member_access_expression name: (identifier) @call)
    (member_access_expression name: (generic_name . (identifier) @call))
    (conditional_access_expression
      (member_binding_expression name: (identifier) @call))
  ])
(object_creation_expression type: [(identifier) @call (generic_name . (identifier) @call)])

(using_directive [(qualified_name) (identifier)] @import .)
