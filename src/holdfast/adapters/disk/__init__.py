"""Small files of our own on the disk, and turns taken at them."""
