"""The Inbox: candidates, what they are based on, and the keys that decide about them."""
