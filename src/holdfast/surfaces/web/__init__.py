"""The web page, where people review candidates and look at their memories."""
