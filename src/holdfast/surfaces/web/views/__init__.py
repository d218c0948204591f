"""The pages by subject: each reads what a page shows, or carries out one of its forms."""
