"""Values about a database server that many tenants share: its size, its tenants."""
