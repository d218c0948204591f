"""Rules that do the work of specialists without a model: each is a function of its inputs."""
