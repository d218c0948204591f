"""One module for each coding tool."""
