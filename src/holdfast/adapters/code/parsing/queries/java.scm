(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(annotation_type_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(record_declaration name: (_) @name body: (_) @body) @record
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name body: (_) @body) @method
(compact_constructor_declaration name: (_) @name body: (_) @body) @method
(field_declaration declarator: (variable_declarator name: (_) @name)) @field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @field

(line_comment) @comment
(block_comment) @comment

(method_invocation name: (_) @call)
(object_creation_expression
  type: [
    (type_identifier) @call
    (generic_type . (type_identifier) @call)
    (scoped_type_identifier (type_identifier) @call .)
  ])

(import_declaration (scoped_identifier) @import)
(import_declaration (identifier) @import)
