(function_definition name: (_) @name body: (_) @body) @function
(program (declaration_command (variable_assignment name: (_) @name)) @constant)
(program (variable_assignment name: (_) @name) @constant)

(comment) @comment

(command name: (command_name (word) @call))
(command name: (command_name (word) @importer) . argument: (_) @import)
