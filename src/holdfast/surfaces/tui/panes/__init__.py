"""The tabs besides the Inbox: one module each."""
