# Two commands for a newcomer: `make demo` and `make test`. Everything else is listed by `make help`.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
export HOLDFAST_MODELS ?= $(CURDIR)/.models
MODEL := $(HOLDFAST_MODELS)/.ready
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Tests often wait for programs and servers that they started: two more workers use that time.
WAITING := $(shell echo $$(($(JOBS) + 2)))
export HOLDFAST_TEST_PROFILE ?= steady
CHECKED := src tests torture benchmarks demo deploy docs interop training
# Targets that do not need each other run at once; each shows its output when it ends.
SYNCED := --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
AT_ONCE := $(SYNCED) --jobs $(JOBS)
# Tests start the program hundreds of times: it must not be compiled again each time.
unexport PYTHONDONTWRITEBYTECODE
# Coverage makes pure Python two to three times as expensive (decision 129), so it is measured only for its
# gate, the core: in the tests of the core, and in the tests of tests/measured.txt, which reach
# branches of the core that no test of the core reaches (decision 194).
OF_CORE := tests/unit tests/usecases
# They take much longer with coverage, and other tests of the core reach what they reach (decision 202).
UNMEASURED := $(shell cat tests/unmeasured.txt)
ALSO := $(shell cat tests/measured.txt)
without = $(foreach one,$(1),$(if $(findstring ::,$(one)),--deselect,--ignore) $(one))
OTHERS := $(filter-out $(OF_CORE) tests/__pycache__,$(patsubst %/,%,$(wildcard tests/*/)))
WHOLE := $(filter-out $(addprefix tests/,docs quality torture tui),$(OTHERS)) $(OF_CORE)
# The folders of tests are in memory where there is room: a test then never waits for a disk.
# The memory counts, not the size of /dev/shm: a folder there may hold more than the machine has.
IN_MEMORY := $(shell [ -w /dev/shm ] && awk '/^MemAvailable/ && $$2 > 12000000 {print "TMPDIR=/dev/shm"}' /proc/meminfo)

VERSIONS := 3.11 3.12 3.13 3.14
# Asked by running it: a version manager leaves names on PATH behind which there is no interpreter.
PYTHONS ?= $(shell for version in $(VERSIONS); do python$$version -c pass 2>/dev/null && echo $$version; done; true)
PYTHONS_TESTS ?= tests --ignore tests/docs --ignore tests/torture

.PHONY: help setup model chroma frameworks sqlcipher browser demo demo-service demo-agent test test-pythons check quick format lint types mypy ty imports compiled coverage coverage-whole \
        torture torture-git torture-postgres bench bench-peers bench-quality bench-postgres bench-http eval interop promises docs site clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

# uv installs with a fifth of the time of pip (decision 209). It does not read the settings of pip, so
# pip installs if they name an index, and wherever uv cannot be had or fails.
INSTALLER := $(VENV)/.installer
EVERYTHING := '.[bedrock,checks,code,encryption,keyring,meaning,postgres,server,tokens,ui]' --group dev
UV := $(BIN)/uv
export UV_SYSTEM_CERTS ?= 1
export UV_HTTP_TIMEOUT ?= 180
$(INSTALLER): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "holdfast needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@rm -f $(UV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	@$(BIN)/python -m pip config list | grep -qE '(^|[.])index-url=' || \
	  $(call with_pip,$(VENV),--only-binary uv uv==0.13.8) 2>/dev/null || true
	@touch $@
with_pip = $(BIN)/python -m pip --python $(1) install --quiet --disable-pip-version-check $(2)
install = { [ -x $(UV) ] && $(UV) pip install --quiet --python $(1) $(2) || $(call with_pip,$(1),--no-compile $(2)); }

$(READY): pyproject.toml | $(INSTALLER)
	@echo "installing the program and its tools into $(VENV)"
	@$(call install,$(VENV),--editable $(EVERYTHING))
# Without compiled code each command takes a third of a second longer where Python may not write it.
	$(BIN)/python -m compileall -q src
	@touch $@

# A home of its own: nobody's settings are touched. The program of this checkout looks for models
# here too.
$(MODEL): src/holdfast/adapters/embedding/graph.py src/holdfast/adapters/embedding/known_models.py src/holdfast/adapters/embedding/weights.py | $(READY)
	@$(BIN)/python -m holdfast model install --force --home $(HOLDFAST_MODELS) && touch $@ || \
	  echo "no model could be installed: memories are found by words only, tests of the model are skipped"

model: $(MODEL) ## install the default embedding model into .models, once

setup: $(READY) $(MODEL) ## make the virtual environment with everything in it, and the default model
	@echo "ready: run '. $(CURDIR)/$(BIN)/activate', go to a git repository of yours, and run 'holdfast init'"

demo: $(MODEL) ## the main job in a minute: memories with evidence, found again and explained
	@$(BIN)/python -m demo

demo-service: $(MODEL) ## a server on Postgres with two tenants, killed in the middle of a write
	@$(BIN)/python -m demo.service

# Half a gigabyte, so it is not in everybody's environment (decision 84). Without a network, the
# tests of Chroma are skipped.
CHROMA := .peers/chroma/.ready
# Of the modules there, tests import few: each is compiled when it is first imported.
$(CHROMA): benchmarks/peers/requirements-chroma.txt | $(INSTALLER)
	@$(PYTHON) -m venv --without-pip $(@D) && $(call install,$(@D),--requirement $<) && touch $@ || echo "Chroma could not be installed: its tests are skipped"

# A real browser for the tests of the web page: Debian's package where this user may install it, the
# driver, and axe-core. What is missing is said here, and its tests are skipped.
BROWSER := .browser/.ready
$(BROWSER): pyproject.toml | $(READY)
	@mkdir -p $(@D)
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } \
	  >/dev/null 2>&1; } || true
	@$(call install,$(VENV),--group browser) || true
	@{ command -v npm >/dev/null && cd $(@D) && \
	  npm install --no-audit --no-fund --loglevel=error --no-save axe-core@4.14.0 >/dev/null 2>&1; } || true
	@missing=""; command -v chromium >/dev/null || missing="$$missing chromium"; \
	$(BIN)/python -c 'import playwright' 2>/dev/null || missing="$$missing playwright"; \
	[ -f $(@D)/node_modules/axe-core/axe.min.js ] || missing="$$missing axe-core"; \
	if [ -z "$$missing" ]; then touch $@; else \
	  echo "not installed:$$missing; tests/web/test_browser.py skips the tests of the web page that need them"; fi

browser: $(BROWSER) ## install a browser for the tests of the web page; make test does it

chroma: $(CHROMA) ## install Chroma into .peers, for its tests; make test does it

# The packages of the frameworks that Holdfast integrates with, for its tests (decision 110). Of
# CrewAI only its own package: the 136 others that it needs have 700 MB, and no test needs them.
FRAMEWORKS := .peers/frameworks/.ready
$(FRAMEWORKS): benchmarks/peers/requirements-frameworks.txt | $(INSTALLER)
	@$(PYTHON) -m venv --without-pip $(@D) && $(call install,$(@D),--requirement $<) && \
	  $(call install,$(@D),--no-deps crewai==1.15.30) && touch $@ || echo "The frameworks could not be installed: the tests of the integrations are skipped"

frameworks: $(FRAMEWORKS) ## install the frameworks into .peers, for the tests of the integrations; make test does it

# A build of apsw that encrypts whole stores, and SQLCipher itself to read them (decision 120). Both
# contain a module that others have too, so they are in a folder that only their tests import.
SQLCIPHER := .peers/sqlcipher/.ready
$(SQLCIPHER): benchmarks/peers/requirements-sqlcipher.txt | $(READY)
	@rm -rf $(@D) && $(call install,$(VENV),--no-deps --target $(@D) --requirement $<) && touch $@ || \
	  echo "SQLCipher could not be installed: the tests of encrypted stores are skipped"

sqlcipher: $(SQLCIPHER) ## install SQLCipher into .peers, for its tests; make test does it

demo-agent: $(MODEL) ## an agent that is killed in the middle of its work, resumes and finishes
	@$(BIN)/python -m demo.agent

# Each part of the set-up waits for downloads, so all of them run at once.
test: ## everything CI needs
	@$(MAKE) --no-print-directory --jobs 4 $(MODEL) $(CHROMA) $(FRAMEWORKS) $(SQLCIPHER) $(BROWSER)
	@$(MAKE) $(AT_ONCE) compiled ty imports lint format-check
	@$(MAKE) --no-print-directory --jobs 2 measured mypy
	@$(MAKE) --no-print-directory --jobs $(WAITING) coverage unmeasured shorts

# The first run has one worker for each core: tests of the core rarely wait.
# The report of coverage, the benchmarks and the demos use the time in which tests of the second wait.
.PHONY: measured unmeasured shorts
measured:
	$(BIN)/python -m coverage erase
	$(IN_MEMORY) $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal --cov --cov-report= $(OF_CORE) $(ALSO) \
	  $(call without,$(UNMEASURED))
unmeasured:
	$(IN_MEMORY) $(BIN)/python -m pytest -q -n $(WAITING) --dist worksteal $(OTHERS) $(UNMEASURED) \
	  $(call without,$(ALSO))
shorts: $(MODEL)
	@$(MAKE) $(SYNCED) $(SHORT_OTHERS) $(SHORT_BENCHMARKS)

# A short benchmark shows that it still runs and judges no time, so others may run beside it.
SHORT_BENCHMARKS := $(addprefix short-,anchors checks encryption peers quality historian http tasks hydrate \
  hook_sessions said workspaces signals terminal_ui web)
SHORT_OTHERS := $(addprefix short-,figures postgres code_index demo service agent)
.PHONY: short $(SHORT_BENCHMARKS) $(SHORT_OTHERS)
short: $(MODEL) ## the short form of every benchmark, and the demos
	@$(MAKE) --no-print-directory --jobs $(JOBS) shorts
$(SHORT_BENCHMARKS): short-%:
	$(BIN)/python -m benchmarks.$* --short
short-figures:
	$(BIN)/python -m benchmarks --short
short-code_index:
	$(BIN)/python -m benchmarks.code_index --files 300
short-postgres:
	$(BIN)/python -m benchmarks.postgres --short --only holdfast,hnsw
short-demo:
	$(BIN)/python -m demo --quiet
short-service:
	$(BIN)/python -m demo.service --quiet
short-agent:
	$(BIN)/python -m demo.agent --quiet

# An environment for each interpreter; the one that `make setup` made stays as it is.
.pythons/%/.ready: pyproject.toml | $(INSTALLER)
	python$* -m venv $(@D)
	@$(call install,$(@D),--editable $(EVERYTHING))
	@touch $@

test-pythons: ## the tests on every interpreter on PATH, python3.11 to python3.14
	@found="$(PYTHONS)"; set -- $$found; \
	if [ $$# = 0 ]; then echo "there is no interpreter of $(VERSIONS) on PATH"; exit 1; fi; \
	if [ $$# = 1 ]; then echo "only python$$1 is on PATH: no other interpreter is tested"; fi; \
	for version in "$$@"; do \
	  echo "python$$version"; \
	  $(MAKE) --no-print-directory .pythons/$$version/.ready || exit 1; \
	  .pythons/$$version/bin/python -m pytest -q -n $(JOBS) --dist worksteal $(PYTHONS_TESTS) || exit 1; \
	done

check: $(READY) ## format, lint, types, imports, unit, contract and quality tests: under two minutes
	@$(MAKE) $(AT_ONCE) format-check lint mypy ty imports
	$(BIN)/python -m pytest -q -n $(JOBS) tests/unit tests/usecases tests/contract tests/quality

quick: $(READY) ## unit tests only
	$(BIN)/python -m pytest -q tests/unit tests/usecases

format: $(READY) ## format the code
	$(BIN)/ruff format $(CHECKED)
	$(BIN)/ruff check --fix --select I $(CHECKED)

format-check: $(READY)
	@$(BIN)/ruff format --check --quiet $(CHECKED) || { echo "run: make format"; exit 1; }

lint: $(READY) ## ruff
	$(BIN)/ruff check --quiet $(CHECKED)

types: mypy ty ## mypy (strict) and ty

# Pytest compiles a test module when it first imports it, and its workers start at the same time: each
# of them would compile all of them. No function counts as a test here, as most of a collection is
# spent on tests; the exit code 5 says that none was found, and so that every module was imported.
compiled: $(READY)
	@said=$$($(BIN)/python -m pytest -q --collect-only -o python_functions=no_test tests 2>&1); \
	  [ $$? = 5 ] || { tail -n 60 <<< "$$said"; exit 1; }

mypy: $(READY)
	$(BIN)/mypy

ty: $(READY)
	$(BIN)/ty check --quiet

imports: $(READY) ## the rooms: imports point down
	$(BIN)/lint-imports

coverage: $(READY) ## judge what make test measured: 100 % of the branches of the core
	$(BIN)/python -m coverage report --fail-under=100 --show-missing --skip-covered \
	  --include='src/holdfast/domain/*,src/holdfast/ports/*,src/holdfast/usecases/*,src/holdfast/heuristics/*,src/holdfast/app/*'

coverage-whole: $(READY) ## measure the whole program with every test but the longest: at least 90 %
	$(BIN)/python -m coverage erase
	$(IN_MEMORY) $(BIN)/python -m pytest -q -n $(WAITING) --dist worksteal --cov --cov-report= $(WHOLE)
	$(BIN)/python -m coverage report --fail-under=90 --skip-covered

torture: $(READY) ## faults at full length: kills, power cuts, crash states, I/O errors, damage
	$(BIN)/python -m torture all --full

torture-git: $(READY) ## every git operation on 20 repositories, each verdict judged: prints the matrix
	$(BIN)/python -m torture git --full

torture-postgres: $(READY) ## crashes of Postgres, 20 tenants in one pool, probes of row security: hours
	$(BIN)/python -m torture postgres --full

bench: $(MODEL) ## every figure of docs/benchmarks.md at full length
	$(BIN)/python -m benchmarks --full

EVAL_DATA ?= ../shared/bench
eval: $(MODEL) ## recall on every set of EVAL_DATA, the targets beside the figures; the same in other words; silence
	$(BIN)/python -m benchmarks.eval_table --data $(EVAL_DATA) $(EVAL_FLAGS)
	$(BIN)/python -m benchmarks.robustness --data $(EVAL_DATA) --budget 1000 --limit 100
	$(BIN)/python -m benchmarks.silence

.peers/peers/.ready: benchmarks/peers/requirements.txt
.peers/txtai/.ready: benchmarks/peers/requirements-txtai.txt
.peers/postgres/.ready: benchmarks/peers/requirements-postgres.txt
.peers/%/.ready: | $(INSTALLER)
	$(PYTHON) -m venv --without-pip $(@D)
	@$(call install,$(@D),--requirement $<)
	@touch $@

bench-peers: $(MODEL) .peers/peers/.ready .peers/txtai/.ready ## holdfast beside other stores, into docs/benchmarks.md: hours
	nice -n 10 $(BIN)/python -m benchmarks.peers --full --write docs/peers.json
	$(BIN)/python -m benchmarks.peers --page docs/peers.json

# A store that cannot be installed is named in the table, and the others are measured.
bench-quality: $(MODEL) ## what holdfast and other stores find on EVAL_DATA, into docs/benchmarks.md
	-@$(MAKE) --no-print-directory --keep-going .peers/peers/.ready .peers/txtai/.ready
	nice -n 10 $(BIN)/python -m benchmarks.quality --data $(EVAL_DATA) --write .peers/quality.json $(QUALITY_FLAGS)
	$(BIN)/python -m benchmarks.quality --page .peers/quality.json

bench-postgres: $(READY) .peers/postgres/.ready ## holdfast on Postgres beside other designs: recall and CPU, by tenant
	nice -n 10 $(BIN)/python -m benchmarks.postgres --full --write docs/postgres.json
	$(BIN)/python -m benchmarks.postgres --page docs/postgres.json

bench-http: $(READY) $(CHROMA) ## requests per second of holdfast serve, on a file and on Postgres
	$(BIN)/python -m benchmarks.http --full --write docs/benchmarks.md

.interop/.ready: interop/package.json
	@command -v npm >/dev/null || { echo "make interop needs npm, to fetch the programs"; exit 1; }
	mkdir -p $(@D) && cp $< $(@D)/ && cd $(@D) && npm install --no-audit --no-fund --loglevel=error
	@touch $@

interop: $(READY) .interop/.ready ## real coding tools, offline, against a model of our own: what reached them
	$(BIN)/python -m interop $(TOOLS)

promises: $(READY) ## count the promises; each must have a test, and each test's promise must exist
	@$(BIN)/python -m pytest -q tests/quality/test_requirements.py
	@$(BIN)/python -c 'from tests.requirements import REQUIREMENTS as p; print(f"{len(p)} promises")'

docs: $(READY) ## write the generated reference pages
	$(BIN)/python -m docs.generate

site: $(READY) ## the documents as a site with search, in .site
	@$(BIN)/python -m docs.site && echo "open .site/index.html"

clean: ## remove what make made
	rm -rf $(VENV) .browser .site .peers/chroma .peers/frameworks .peers/sqlcipher .pythons .models .interop .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* .import_linter_cache torture/build
