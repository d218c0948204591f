(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @struct
(union_item name: (_) @name) @struct
(enum_item name: (_) @name body: (_) @body) @enum
(trait_item name: (_) @name body: (_) @body) @trait
(impl_item
  type: [
    (type_identifier) @name
    (generic_type type: (_) @name)
    (scoped_type_identifier name: (_) @name)
    (reference_type) @name
    (primitive_type) @name
  ]
  body: (_) @body) @impl
(mod_item name: (_) @name body: (_) @body) @module
(type_item name: (_) @name) @type
(const_item name: (_) @name) @field
(source_file (const_item name: (_) @name) @constant)
(source_file (static_item name: (_) @name) @constant)
(macro_definition name: (_) @name) @macro
(attribute_item) @above

(line_comment) @comment
(block_comment) @comment

(call_expression
  function: [
    (identifier) @call
    (field_expression field: (_) @call)
    (scoped_identifier name: (_) @call)
    (generic_function
      function: [(identifier) @call (scoped_identifier name: (_) @call)])
    (generic_function function: (field_expression field: (_) @call))
  ])
(macro_invocation macro: [(identifier) @call (scoped_identifier name: (_) @call)])

(use_declaration argument: (_) @import)
(extern_crate_declaration name: (_) @import)
(mod_item name: (_) @import !body)
