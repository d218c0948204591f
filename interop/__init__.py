"""Real coding tools, offline, against a model of our own: does memory really reach them?"""
