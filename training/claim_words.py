"""What the claims that are made by rules speak about: things, their properties, values, actions."""

from __future__ import annotations

from dataclasses import dataclass

THINGS = (
    "the billing service", "the search index", "the mobile app", "the ingest worker",
    "the staging cluster", "the public API", "the admin page", "the web shop", "the mail sender",
    "the report builder", "the login page", "the payment gateway", "the nightly import",
    "the export job", "the image resizer", "the chat server", "the data warehouse",
    "the customer portal", "the scheduler", "the audit log", "the build pipeline",
    "the notification service", "the recommendation engine", "the inventory service",
    "the checkout flow", "the document store", "the metrics collector", "the session store",
    "the webhook sender", "the partner API", "the desktop client", "the crawler",
    "the translation service", "the invoice generator", "the feature store", "the edge proxy",
    "the file server", "the onboarding wizard", "the support desk", "the event bus",
    "the graph service", "the analytics dashboard", "the CLI", "the Python SDK",
    "the Android client", "the firmware", "the simulator", "the ledger", "the CRM sync",
    "the newsletter", "the intranet", "the booking form", "the price calculator",
    "the fraud check", "the archive", "the map renderer", "the speech service", "the data lake",
)  # fmt: skip
PEOPLE = (
    "Anna", "Ravi", "Miguel", "Chen", "Fatima", "Jonas", "Olga", "Priya", "Sam", "Lucia",
    "Kofi", "Hana", "Peter", "Noor", "Elif", "Tomasz", "Grace", "Ivan", "Yuki", "Marta",
)  # fmt: skip
TEAMS = (
    "the platform team", "the payments team", "the data team", "the mobile team", "operations",
    "the security team", "the frontend team", "team Falcon", "the growth team", "support",
    "the infrastructure team", "the QA team", "finance", "the research group",
)  # fmt: skip
SCOPES = (
    "in staging", "on CI", "for guests", "in the EU region", "for enterprise customers",
    "on Windows", "in the sandbox", "for internal users", "during load tests", "on mobile",
    "in local development", "for the free plan", "in the legacy module", "for admins",
    "on weekends", "in the demo environment", "for large files", "for partners", "in Japan",
    "on ARM machines",
)  # fmt: skip
REASONS = (
    "because the old value caused outages", "since the last audit asked for it",
    "so that bugs are found early", "because customers complained", "to save money",
    "as the vendor recommends it", "to keep reviews short", "because of the new law",
    "so nobody has to remember it", "after the incident in May", "to make tests faster",
    "because the team knows it well", "to avoid lock-in", "since memory is tight",
)  # fmt: skip
ASIDES = (
    "The value of {n} is documented in the wiki.", "{p} looks after {n}.",
    "We measure {n} on the dashboard.", "{n} was discussed in the last review.",
    "A test covers {n}.", "Questions about {n} go to {p}.",
    "{n} can be seen in the configuration file.", "Alerts fire if {n} is missing.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a thing: how it is named, how it is told, and which values it can have.

    ``kind`` is a kind of measure, or empty if the values are names.
    """

    noun: str
    told: tuple[str, ...]
    values: tuple[str, ...] = ()
    kind: str = ""


def _named(noun: str, purpose: str, *values: str) -> Property:
    """Return a property whose value is a product or a way to do something."""
    told = (
        f"{{c}} uses {{v}} for {purpose}", f"use {{v}} for {purpose} in {{c}}",
        f"{purpose} of {{c}} is done with {{v}}", f"we picked {{v}} for {purpose} in {{c}}",
        f"{{v}} is the {noun} of {{c}}", f"the {noun} of {{c}} is {{v}}",
        f"{{c}} relies on {{v}} for {purpose}", f"{purpose} in {{c}} goes through {{v}}",
    )  # fmt: skip
    return Property(noun, told, values)


def _measured(noun: str, kind: str, *told: str) -> Property:
    common = (
        f"the {noun} of {{c}} is {{v}}", f"set the {noun} of {{c}} to {{v}}",
        f"we keep the {noun} of {{c}} at {{v}}", f"{{c}} has a {noun} of {{v}}",
        f"{{v}} is the {noun} for {{c}}",
    )  # fmt: skip
    return Property(noun, (*common, *told), kind=kind)


PROPERTIES = (
    _measured("timeout", "duration", "{c} gives up after {v}", "calls to {c} time out after {v}"),
    _measured("retry limit", "count", "calls to {c} are tried again {v} times",
              "retry {c} at most {v} times"),
    _measured("port", "port", "{c} listens on port {v}", "bind {c} to port {v}",
              "{c} can be reached on port {v}"),
    _measured("batch size", "count", "{c} works on {v} rows at a time"),
    _measured("retention period", "period", "{c} keeps its data for {v}",
              "records of {c} are deleted after {v}"),
    _measured("rate limit", "rate", "{c} accepts {v}", "clients of {c} may send {v}"),
    _measured("cache lifetime", "duration", "{c} caches answers for {v}"),
    _measured("number of replicas", "count", "{c} runs with {v} replicas",
              "we deploy {v} copies of {c}"),
    _measured("memory limit", "size", "{c} may use {v} of memory", "give {c} {v} of RAM"),
    _measured("upload limit", "size", "{c} takes files of up to {v}"),
    _measured("page size", "count", "{c} shows {v} entries on a page"),
    _measured("coverage target", "percent", "tests of {c} must cover {v} of the lines"),
    _measured("number of reviewers", "few", "a change of {c} needs {v} approvals",
              "{v} people review every change of {c}"),
    _measured("backup time", "clock", "{c} is backed up at {v}", "backups of {c} start at {v}"),
    _measured("release day", "weekday", "{c} is released on {v}", "we ship {c} every {v}"),
    _measured("budget", "money", "we spend {v} a month on {c}", "{c} costs {v} a month"),
    _measured("price", "money", "customers pay {v} for {c}"),
    _measured("deadline", "date", "{c} must be ready by {v}", "{c} goes live on {v}"),
    _measured("Python version", "python", "{c} runs on Python {v}", "{c} needs Python {v}"),
    _measured("minimum password length", "few", "passwords of {c} have at least {v} characters"),
    _measured("sampling rate", "percent", "{c} records {v} of the traces"),
    _measured("pool size", "count", "{c} opens {v} connections to the database"),
    _measured("service target", "percent", "{c} is up {v} of the time"),
    _named("database", "storing data", "Postgres", "MySQL", "SQLite", "MongoDB", "DynamoDB",
           "Cassandra", "MariaDB", "CockroachDB"),
    _named("queue", "background jobs", "Kafka", "RabbitMQ", "SQS", "Redis streams", "NATS",
           "Celery", "Sidekiq"),
    _named("cache", "caching", "Redis", "Memcached", "Varnish", "an in-process map"),
    _named("test runner", "unit tests", "pytest", "unittest", "Jest", "Vitest", "Mocha", "nose"),
    _named("logger", "logging", "structlog", "loguru", "log4j", "the standard library", "zap"),
    _named("log format", "log lines", "JSON", "plain text", "logfmt", "key=value pairs"),
    _named("hosting", "hosting", "AWS", "Azure", "Google Cloud", "Hetzner", "our own racks"),
    _named("region", "serving users", "Frankfurt", "Dublin", "Ohio", "Oregon", "Singapore"),
    _named("secret store", "secrets", "Vault", "environment variables", "AWS Secrets Manager",
           "SOPS", "1Password"),
    _named("identity provider", "sign-in", "Okta", "Keycloak", "Auth0", "our own accounts",
           "Google Workspace"),
    _named("CI system", "builds", "Jenkins", "GitHub Actions", "GitLab CI", "Buildkite",
           "CircleCI", "TeamCity"),
    _named("package manager", "dependencies", "pip", "Poetry", "uv", "npm", "pnpm", "Yarn"),
    _named("error tracker", "error reports", "Sentry", "Rollbar", "Bugsnag", "plain logs"),
    _named("monitoring", "metrics", "Prometheus", "Datadog", "CloudWatch", "Grafana Cloud"),
    _named("message format", "messages", "Protobuf", "JSON", "Avro", "MessagePack", "XML"),
    _named("id format", "ids", "UUIDs", "ULIDs", "integers", "Snowflake ids", "slugs"),
    _named("date format", "dates", "ISO 8601", "Unix timestamps", "day/month/year", "RFC 2822"),
    _named("time zone", "times", "UTC", "local time", "Central European Time", "Pacific Time"),
    _named("naming style", "names", "snake_case", "camelCase", "kebab-case", "PascalCase"),
    _named("indentation", "indentation", "tabs", "two spaces", "four spaces"),
    _named("API style", "its interface", "REST", "GraphQL", "gRPC", "JSON-RPC"),
    _named("deployment tool", "deployments", "Helm", "Ansible", "Terraform", "Docker Compose",
           "Nomad", "shell scripts"),
    _named("search engine", "full-text search", "Elasticsearch", "OpenSearch", "Meilisearch",
           "Postgres itself", "Solr"),
    _named("frontend framework", "the user interface", "React", "Vue", "Svelte", "Angular",
           "server-rendered pages"),
    _named("pagination", "pages of results", "cursors", "offsets", "page numbers", "key sets"),
    _named("rounding rule", "amounts", "half-even rounding", "rounding up", "truncation",
           "half-up rounding"),
    _named("branching model", "changes", "trunk-based development", "long-lived branches",
           "git-flow", "release branches"),
    _named("deletion policy", "deleted records", "soft deletes", "hard deletes",
           "an archive table"),
    _named("license", "its source code", "MIT", "Apache-2.0", "GPL-3.0", "a commercial licence"),
    _named("default language", "new users", "English", "German", "French", "Spanish"),
    _named("currency", "prices", "euros", "dollars", "pounds", "Swiss francs"),
    _named("hash", "passwords", "bcrypt", "Argon2", "scrypt", "PBKDF2"),
    _named("feature flag tool", "feature flags", "LaunchDarkly", "Unleash", "a table of our own"),
    _named("support channel", "questions of customers", "e-mail", "the ticket system", "a chat",
           "the phone"),
    Property("owner", ("{v} owns {c}", "{c} belongs to {v}", "{v} is responsible for {c}",
                       "changes of {c} are approved by {v}", "{c} is maintained by {v}",
                       "the owner of {c} is {v}"), (*TEAMS, *PEOPLE)),
    Property("log level", ("{c} logs at level {v}", "the log level of {c} is {v}",
                           "set the log level of {c} to {v}"),
             ("debug", "info", "warning", "error")),
    Property("default branch", ("the default branch of {c} is {v}", "{c} is developed on {v}",
                                "pull requests for {c} go to {v}"),
             ("main", "master", "develop", "trunk")),
    Property("order of results", ("{c} lists the {v} entries first", "{c} sorts by {v}",
                                  "results of {c} are ordered by {v}"),
             ("newest", "oldest", "most popular", "cheapest")),
)  # fmt: skip
ADDED = ("{c} supports {v}", "{c} can read {v}", "{c} is translated into {v}", "{c} talks to {v}",
         "{c} exports {v}")  # fmt: skip
SUPPORTED = ("CSV", "Parquet", "XML", "Italian", "Dutch", "Python 3.11", "Python 3.12", "Firefox",
             "Chrome", "Safari", "PDF", "Excel files", "OAuth", "SAML")  # fmt: skip
ACTIONS = (
    ("mock the database in tests", "mocking the database in tests"),
    ("mock the clock in tests", "mocking the clock in tests"),
    ("commit generated files", "committing generated files"),
    ("commit lock files", "committing lock files"),
    ("squash commits before a merge", "squashing commits before a merge"),
    ("rebase feature branches", "rebasing feature branches"),
    ("push to main directly", "pushing to main directly"),
    ("log user names", "logging user names"), ("log request bodies", "logging request bodies"),
    ("log every query", "logging every query"),
    ("cache search results", "caching search results"),
    ("cache user profiles", "caching user profiles"),
    ("retry failed payments", "retrying failed payments"),
    ("retry timeouts", "retrying timeouts"),
    ("deploy on Fridays", "deploying on Fridays"),
    ("deploy without a ticket", "deploying without a ticket"),
    ("pin dependencies", "pinning dependencies"), ("pin base images", "pinning base images"),
    ("use global variables", "using global variables"),
    ("use inheritance", "using inheritance"), ("use type hints", "using type hints"),
    ("use feature flags for new screens", "using feature flags for new screens"),
    ("write a changelog entry", "writing a changelog entry"),
    ("write a migration by hand", "writing a migration by hand"),
    ("encrypt backups", "encrypting backups"), ("encrypt local databases",
                                                 "encrypting local databases"),
    ("store card numbers", "storing card numbers"),
    ("store secrets in the repository", "storing secrets in the repository"),
    ("sign release artifacts", "signing release artifacts"),
    ("run the linter before a commit", "running the linter before a commit"),
    ("run migrations at start-up", "running migrations at start-up"),
    ("edit production data by hand", "editing production data by hand"),
    ("send e-mails from staging", "sending e-mails from staging"),
    ("ask a second person to review", "asking a second person to review"),
    ("delete old branches", "deleting old branches"),
    ("delete test accounts", "deleting test accounts"),
    ("answer customers in English", "answering customers in English"),
    ("call the vendor's API from the browser", "calling the vendor's API from the browser"),
    ("share test accounts", "sharing test accounts"),
    ("round amounts before adding them", "rounding amounts before adding them"),
    ("validate input on the server", "validating input on the server"),
    ("trust the client's clock", "trusting the client's clock"),
    ("use raw SQL in handlers", "using raw SQL in handlers"),
    ("wrap errors with context", "wrapping errors with context"),
    ("catch all exceptions", "catching all exceptions"),
    ("vendor third-party code", "vendoring third-party code"),
    ("fork upstream packages", "forking upstream packages"),
    ("merge with red tests", "merging with red tests"),
    ("skip flaky tests", "skipping flaky tests"),
    ("record meetings", "recording meetings"), ("bill partial hours", "billing partial hours"),
    ("accept anonymous comments", "accepting anonymous comments"),
    ("load images lazily", "loading images lazily"),
    ("compress responses", "compressing responses"),
    ("expose internal ids", "exposing internal ids"),
    ("reuse invoice numbers", "reusing invoice numbers"),
    ("refund without approval", "refunding without approval"),
    ("work from home on Mondays", "working from home on Mondays"),
    ("write comments in German", "writing comments in German"),
    ("keep old API versions", "keeping old API versions"),
    ("batch notifications", "batching notifications"),
    ("truncate long titles", "truncating long titles"),
    ("follow redirects", "following redirects"), ("sort imports", "sorting imports"),
    ("normalise e-mail addresses", "normalising e-mail addresses"),
)  # fmt: skip
REQUIRED = ("always {i}", "{i}", "we {i}", "you must {i}", "everybody has to {i}",
            "{g} is mandatory", "make sure to {i}", "the rule is to {i}", "we insist on {g}",
            "please {i} every time", "{g} is required")  # fmt: skip
FORBIDDEN = ("never {i}", "do not {i}", "don't {i}", "avoid {g}", "{g} is not allowed",
             "we do not {i}", "nobody may {i}", "{g} is forbidden", "stop {g}", "no {g}",
             "refrain from {g}", "{g} is off the table", "we decided against {g}")  # fmt: skip
OPTIONAL = ("{g} is optional", "nobody has to {i}", "you may {i} if you like",
            "{g} is up to the author", "there is no need to {i}")  # fmt: skip
FEATURES = (
    "two-factor login", "dark mode", "the beta search", "e-mail verification", "the cookie banner",
    "automatic scaling", "strict mode", "telemetry", "hot reload", "the maintenance page",
    "request tracing", "guest checkout", "the spell checker", "auto-merge", "branch protection",
    "nightly builds", "the read replica", "rate limiting", "offline sync", "the new editor",
    "push notifications", "the referral program", "debug output", "TLS 1.0", "IPv6", "compression",
)  # fmt: skip
ON = ("{f} is enabled", "{f} is on", "we turned on {f}", "{f} is active for everybody",
      "keep {f} switched on", "{f} runs in production")  # fmt: skip
OFF = ("{f} is disabled", "{f} is off", "we turned off {f}", "{f} is not active",
       "keep {f} switched off", "{f} was removed", "we no longer have {f}")  # fmt: skip
HABITS = (
    ("home", ("{p} lives in {v}", "{p}'s home is {v}", "{p} is based in {v}"),
     ("Lisbon", "Berlin", "Toronto", "Nairobi", "Osaka", "Austin", "Oslo")),
    ("job", ("{p} works as a {v}", "{p} is a {v}", "{p}'s job is {v}"),
     ("designer", "backend developer", "product manager", "data scientist", "tester")),
    ("employer", ("{p} works for {v}", "{p}'s employer is {v}", "{p} is employed by {v}"),
     ("Acme", "Globex", "Initech", "Umbrella", "Hooli")),
    ("favourite editor", ("{p} prefers {v} as an editor", "{p} writes code in {v}",
                          "{p}'s editor is {v}"), ("Vim", "Emacs", "VS Code", "PyCharm")),
    ("diet", ("{p} eats {v}", "{p} follows a {v} diet"), ("vegan", "keto", "vegetarian", "halal")),
    ("answers", ("{p} wants {v} answers", "{p} likes {v} answers", "give {p} {v} answers"),
     ("short", "detailed", "formal", "informal")),
    ("theme", ("{p} uses the {v} theme", "{p} likes the {v} theme"), ("dark", "light",
                                                                      "high-contrast")),
    ("meeting day", ("{p} meets the team on {v}", "{p}'s team meeting is on {v}"),
     ("Mondays", "Tuesdays", "Thursdays", "Fridays")),
    ("manager", ("{p} reports to {v}", "{p}'s manager is {v}"), PEOPLE[:8]),
    ("number of children", ("{p} has {v} children", "{p} is a parent of {v}"),
     ("two", "three", "four")),
)  # fmt: skip
AMENDED = (
    "from now on {s}", "new rule: {s}", "going forward, {s}", "as of today {s}",
    "starting next week, {s}", "correction: {s}", "actually, {s}", "change of plan: {s}",
    "we are dropping {o}: {s}", "{s}, no longer {o}", "forget {o}, {s}", "instead of {o}, {s}",
    "we moved away from {o}; {s}", "{o} did not work out, so {s}", "no more {o}: {s}",
    "we changed our minds, {s}", "the team voted, and {s}", "after the incident {s}",
    "we are done with {o}; {s}", "scratch that, {s}", "update: {s}", "effective immediately, {s}",
    "we agreed today that {s}", "let us stop with {o}; {s}", "since the last release {s}",
    "ok, decided: {s}", "yes, do it: {s}", "the earlier value was wrong: {s}",
    "it used to be {o}, but now {s}", "{o} is gone; {s}", "the old rule is void: {s}",
)  # fmt: skip
ENDED = (
    "the {n} of {c} is no longer {o}", "the {n} of {c} is not {o} any more",
    "{c} moved from {o} to {v}", "we changed the {n} of {c} from {o} to {v}",
    "the {n} of {c} went from {o} to {v}", "{v} replaces {o} as the {n} of {c}",
    "for {c} we switched from {o} to {v}", "{c} will not have {o} as its {n} in future",
    "let us raise or lower the {n} of {c} to {v}", "make the {n} of {c} {v} instead",
    "{n} of {c}: {v}", "{n} of {c}: now {v} (was {o})",
)  # fmt: skip
OPENINGS = (
    "", "", "", "", "", "", "decision: ", "note: ", "we agreed that ", "it was decided that ",
    "remember: ", "rule: ", "for the record, ", "ok so ", "as discussed, ", "the team says ",
)  # fmt: skip
