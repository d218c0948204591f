(element
  (start_tag
    (attribute (attribute_name) @attribute (quoted_attribute_value (attribute_value) @name)))) @element
(element (start_tag (tag_name) @tag) . (text) @name) @heading

(comment) @comment

(start_tag
  (attribute (attribute_name) @importer (quoted_attribute_value (attribute_value) @import)))
