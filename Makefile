# make setup   everything needed to work on jostle: .venv, pinned packages, a browser
# make demo    check the example application with its planted bugs: the report, and what was found
# make test    lint and the tests, failed ones once more by themselves; this is what continuous integration runs
# make test-fast   the tests that start no browser: within a minute
# make test-hostile   pages, signals and surroundings that attack: all of them; a quick part is in `make test`
# make test-long   the other pages, ways and modes that show what `make test` has shown once
PYTHON ?= python3
# How many tests run side by side.
JOBS ?= 4
# A few at a time to whoever is free. (With worksteal, workers stand idle while one of them is held up by a long test.)
SIDE_BY_SIDE = -n $(JOBS) --dist load --maxschedchunk 8
# Tests start many processes: what these import is compiled once, whatever the surroundings say.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin
STAMP := .venv/.ready-$(shell cat requirements.lock pyproject.toml | cksum | cut -d' ' -f1)

.PHONY: setup demo test test-fast test-hostile test-long lint format bench eval eval-macros eval-slowdown eval-races eval-orders eval-adverse eval-check eval-wild eval-hostile eval-api eval-repair lock minified clean

setup: $(STAMP)
	@$(BIN)/python -m jostle.browser.find --install

$(STAMP):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'jostle needs Python 3.11 or newer; name one: make setup PYTHON=/path/to/python3.11' >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv || \
	  { echo 'The venv module is missing; on Debian: apt-get install python3-venv' >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@rm -f .venv/.ready-*
	@touch $@

demo: setup
	$(BIN)/python -m jostle.cli.demo

test: lint
	$(BIN)/python -m tests.repeating -m 'not long and not hostile' $(SIDE_BY_SIDE)

# A test that starts a browser without the marker for it fails: see tests/conftest.py.
test-fast: setup
	$(BIN)/pytest -m 'not browser and not long and not hostile' $(SIDE_BY_SIDE)

test-hostile: setup
	$(BIN)/pytest tests/hostile $(SIDE_BY_SIDE)

test-long: setup
	$(BIN)/pytest -m long $(SIDE_BY_SIDE)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint src
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/python -m benchmarks.bench

eval: setup
	$(BIN)/python -m benchmarks.evaluate

eval-macros: setup
	$(BIN)/python -m benchmarks.macro_inference
	$(BIN)/python -m benchmarks.macros

eval-slowdown: setup
	$(BIN)/python -m benchmarks.slowdown
	$(BIN)/python -m benchmarks.slowdown_real
	$(BIN)/python -m benchmarks.slowdown_inference
	$(BIN)/python -m benchmarks.slowdown_phases
	$(BIN)/python -m benchmarks.slowdown_instrumented

eval-races: setup
	$(BIN)/python -m benchmarks.races

eval-orders: setup
	$(BIN)/python -m benchmarks.rewriting
	$(BIN)/python -m benchmarks.rewriting_real
	$(BIN)/python -m benchmarks.orders --benchmarks --strategy delays --strategy precedence --strategy adjacency \
	  --strategy random --strategy 'model-check 1' --strategy 'model-check 2' --strategy 'model-check 3'

eval-adverse: setup
	$(BIN)/python -m benchmarks.adverse
	$(BIN)/python -m benchmarks.adverse_real

eval-check: setup
	$(BIN)/python -m benchmarks.check

eval-wild: setup
	$(BIN)/python -m benchmarks.wild

eval-hostile: setup
	$(BIN)/python -m benchmarks.hostile

eval-api: setup
	$(BIN)/python -m benchmarks.api_learning
	$(BIN)/python -m benchmarks.api_quality
	$(BIN)/python -m benchmarks.api_compare
	$(BIN)/python -m benchmarks.api_traffic_cost
	$(BIN)/python -m benchmarks.api_coverage

eval-repair: setup
	$(BIN)/python -m benchmarks.repair

# Pins the newest versions that pyproject.toml allows, for every platform.
lock: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev --no-emit-index-url \
	  --custom-compile-command 'make lock' --output-file requirements.lock pyproject.toml

# The repair controller as it is delivered, after a change of its source.
minified: setup
	$(BIN)/python -m tests.repair.minifying

clean:
	rm -rf .venv .jostle build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
