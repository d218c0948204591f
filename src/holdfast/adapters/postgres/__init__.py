"""The store on a Postgres server, for many tenants.

It is built on the classes of the embedded store: the row formats, the seals, the hash chain and the
rules of search are the same, and only the SQL differs.
"""
