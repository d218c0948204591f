"""Widgets that every tab uses: lists, pages, dialogs, safe texts, and the threads of the store."""
