"""The JSON Schemas of requests and answers, described once for all doors."""
