(rule_set (selectors) @name (block)) @rule
(media_statement (block) @body) @rule
(supports_statement (block) @body) @rule
(at_rule (block) @body) @rule
(keyframes_statement (keyframe_block_list) @body) @rule

(comment) @comment

(import_statement [(string_value) (call_expression)] @import)
