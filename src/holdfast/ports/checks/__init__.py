"""The ports of checks: the files they read, the patterns they search, the commands they run."""
