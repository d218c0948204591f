"""Tables, trees, colours and plots."""
