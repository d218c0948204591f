"""The vectors of a store in Chroma, in a folder or on a server; derived from the store."""
