"""The verb that supervises: one step after the other, each recorded, each with a fallback."""
