"""Parts that need no open store: settings, models, tools, sources, measurements."""
