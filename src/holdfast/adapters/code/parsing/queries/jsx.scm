(jsx_opening_element name: (identifier) @component)
(jsx_self_closing_element name: (identifier) @component)
