(function_declaration name: (_) @name body: (_)? @body) @function
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @owner
        (generic_type type: (_) @owner)
        (pointer_type [(type_identifier) @owner (generic_type type: (_) @owner)])
      ]))
  name: (_) @name
  body: (_)? @body) @method
(type_spec name: (_) @name type: (struct_type)) @struct
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(method_elem name: (_) @name) @method
(source_file (const_declaration (const_spec name: (_) @name) @constant))
(source_file (var_declaration (var_spec name: (_) @name) @constant))
(source_file (var_declaration (var_spec_list (var_spec name: (_) @name) @constant)))
(type_declaration) @wrapper

(comment) @comment

(call_expression
  function: [
    (identifier) @call
    (selector_expression field: (_) @call)
  ])
(import_spec path: (_) @import)
