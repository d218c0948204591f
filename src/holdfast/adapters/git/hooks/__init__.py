"""The scripts that tell Holdfast what git did."""
