"""What answers the hooks of git and of coding tools."""
