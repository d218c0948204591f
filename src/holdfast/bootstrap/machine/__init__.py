"""What needs no open store: settings, models, tools, sources, measurements."""
