"""What git and the files around us say."""
