"""What is plugged in today: settings, then adapters, then the app."""
