"""A title and a subject that name each other say one thing from both ends."""

from __future__ import annotations

import pytest

from holdfast.heuristics.conflict.judging import judged
from tests.requirements import requirement

MIRRORED = [
    (
        "Queue: RabbitMQ is used for jobs that may be retried.",
        "RabbitMQ: is the queue with durable messages.",
    ),
    ("Queue: RabbitMQ is used for jobs.", "RabbitMQ: is the queue via the shared broker."),
    ("Cache: Redis is used for sessions.", "Redis: is the cache with a memory limit."),
    ("Cache: Redis was chosen for sessions.", "Redis: our cache using two replicas."),
    ("Database: Postgres is our choice for orders.", "Postgres: the database with daily backups."),
    ("Search engine: Meilisearch is used.", "Meilisearch: is a search engine with typo tolerance."),
    ("Broker: Kafka is the broker.", "Kafka: is the broker with ordered partitions."),
    ("Proxy: Envoy was chosen for partners.", "Envoy: is the proxy with retries switched on."),
    ("CI: Jenkins runs nightly builds.", "Jenkins: is the CI with cached layers."),
    ("Logging: Loki is used for services.", "Loki: is the logging backend with short labels."),
    ("Scheduler: Celery is our choice.", "Celery: is the scheduler with acknowledged tasks."),
    ("Object store: MinIO is used for uploads.", "MinIO: the object store with versioning."),
    ("Auth: Keycloak is used for logins.", "Keycloak: is the auth server with brute force checks."),
    ("Monitoring: Grafana is used for teams.", "Grafana: is the monitoring with shared folders."),
    ("Templates: Jinja is used for mails.", "Jinja: is for templates with autoescape."),
    ("Bundler: Vite is the bundler.", "Vite: is the bundler with source maps."),
    ("ORM: SQLAlchemy is used in the API.", "SQLAlchemy: is the ORM with async sessions."),
    ("Gateway: Kong was chosen for partners.", "Kong: is a gateway with rate limits."),
    ("Linter: ruff is used on every commit.", "ruff: is the linter with the default rules."),
    ("Flags: Unleash is our choice for rollouts.", "Unleash: is the flags server with audit."),
    ("Metrics: Prometheus is used for alerts.", "Prometheus: is for metrics with recording rules."),
    ("Runtime: Podman is used on servers.", "Podman: is the runtime without a daemon."),
    ("Balancer: HAProxy serves the edge.", "HAProxy: is the balancer with health checks."),
    ("Engine: Temporal handles refunds.", "Temporal: is the engine using signals."),
    ("Queue: RabbitMQ", "**RabbitMQ**: is the queue."),
]
RIVALS = [
    ("The queue is RabbitMQ.", "The queue is Kafka."),
    ("RabbitMQ is the queue.", "Kafka is the queue."),
    ("Our cache is Redis.", "Memcached is our cache."),
    ("Broker: Kafka", "Broker: NATS"),
    ("Database: billing is in Postgres.", "Billing: the database is in MySQL."),
    ("Queue: RabbitMQ is retried 5 times.", "RabbitMQ: the queue is retried 3 times."),
    ("RabbitMQ: is the queue.", "RabbitMQ: is not the queue."),
    ("Database: Postgres is the main store.", "Database: MySQL is the main store."),
]


@requirement("conflict.both-can-hold")
@pytest.mark.parametrize(("one", "other"), MIRRORED)
def test_a_title_and_a_subject_that_name_each_other_do_not_contradict(one: str, other: str) -> None:
    assert judged(one, other, None) is None
    assert judged(other, one, None) is None


@pytest.mark.parametrize(("one", "other"), RIVALS)
def test_two_values_for_one_thing_still_contradict(one: str, other: str) -> None:
    assert judged(one, other, None) is not None
    assert judged(other, one, None) is not None
