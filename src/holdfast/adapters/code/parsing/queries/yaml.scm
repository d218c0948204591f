(stream
  (document
    (block_node (block_mapping (block_mapping_pair key: (_) @name) @key))))
(comment) @comment
