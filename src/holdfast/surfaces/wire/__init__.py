"""What all doors share: how a refusal looks from outside."""
