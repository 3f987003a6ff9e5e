# Everything happens in .venv, which is made from the lock files as needed; if PYTHON is named, as in
# `make check PYTHON=python3.13`, in a folder for that Python.

VENV := $(if $(filter command%,$(origin PYTHON)),.venv-$(notdir $(PYTHON)),.venv)
PYTHON = $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
BIN := $(VENV)/bin
PYTEST = $(BIN)/pytest -n auto --dist loadgroup --no-loadscope-reorder
LOG := $(VENV)/install.log
UV_LOCK = $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-annotate

# Tests start many processes: none of them should compile again what another has compiled.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help run demo test quick test-long clients mutants check types lint docs collect fix bench screenshots replays contract lock clean

help:  ## what there is
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

run: $(VENV)/runtime  ## the whole service on this machine, until Ctrl-C
	@$(BIN)/annals run

demo: $(VENV)/runtime  ## a whole match over REST against bots
	@$(BIN)/annals demo

test: $(VENV)/dev  ## all tests; with GAME=qin those of one game; with COVER=1 what they cover
	@$(BIN)/python -m tests.page.chromium
	@$(PYTEST) $(if $(GAME),--game $(GAME)) $(if $(COVER),--cov)

quick: $(VENV)/dev  ## a cross-section of the tests, in some minutes
	@$(PYTEST) -m 'not slow and not long' --ignore=tests/service/api/test_schemathesis.py

test-long: $(VENV)/dev  ## the tests that take minutes
	@$(PYTEST) -m long

clients: build/clients/installed  ## what makes clients from openapi.yaml, for `make test-long`

build/clients/installed: tests/clients/requirements.txt tests/clients/package.json | $(BIN)/python
	@for tool in java npm; do command -v $$tool >/dev/null \
		|| { echo "Some of the clients need $$tool (Debian: apt install default-jre npm)." >&2; exit 1; }; done
	$(BIN)/python -m venv build/clients
	build/clients/bin/python -m pip install -q -r tests/clients/requirements.txt
	cp tests/clients/package.json build/clients
	npm install --prefix build/clients --no-audit --no-fund --loglevel error
	@touch $@

SAMPLE = 150
JOBS = 1
mutants: $(VENV)/mutants  ## how many faults put into the rules of GAME=... its tests find out
	@$(BIN)/python -m tests.mutants --game "$(GAME)" --sample $(SAMPLE) --jobs $(JOBS)

check: $(VENV)/dev  ## what every change must pass besides the tests
	@$(MAKE) --no-print-directory --jobs=2 types lint docs collect

types: $(VENV)/dev
	$(BIN)/mypy

lint: $(VENV)/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/vulture
	$(BIN)/deptry .

docs: $(VENV)/dev  ## the guides as a site in build/site; a broken link or anchor fails
	rm -rf build/guides && mkdir -p build/guides
	tar -cf - *.md docs domain/games/*/RULES.md | tar -xf - -C build/guides
	$(BIN)/python -c 'from service.http.guides import CONFIG; print(CONFIG)' >build/zensical.toml
	$(BIN)/zensical build --clean --strict --config-file build/zensical.toml

collect: $(VENV)/dev  ## finds and compiles all tests, once for all processes that are to run some
	@mkdir -p build
	@$(BIN)/pytest --collect-only -qq >build/collected.log || { cat build/collected.log >&2; exit 1; }

fix: $(VENV)/dev  ## formats, and mends what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/dev  ## speed and memory; with AGAINST=../other the service beside that of another checkout
	@$(BIN)/python -m bench $(if $(AGAINST),--against "$(AGAINST)")

screenshots: $(VENV)/dev  ## the page with every game in each mode on a telephone, a tablet and a screen, in docs/pictures/page
	@$(BIN)/python -m tests.page.chromium
	@$(BIN)/python -m tests.page.screenshots docs/pictures/page

replays: $(VENV)/dev  ## records the golden games (with GAME=qin of one game) anew; then read the diff
	$(BIN)/pytest tests/games/test_replays.py tests/games/test_rules_versions.py \
		tests/games/test_golden_texts.py --update-replays \
		$(if $(GAME),--game $(GAME))

contract: $(VENV)/dev  ## writes anew what openapi.yaml has from the code and from real answers
	$(BIN)/pytest --update-contract \
		tests/service/api/test_games_in_contract.py::test_the_contract_has_the_records_of_the_code \
		tests/service/api/test_examples_in_contract.py::test_the_examples_are_what_the_service_answers

lock: $(VENV)/dev  ## newest versions of all dependencies, with their hashes
	echo 'setuptools>=77' | $(UV_LOCK) --upgrade pyproject.toml - -o requirements.lock
	$(UV_LOCK) --upgrade --extra dev -c requirements.lock pyproject.toml requirements.lock \
		-o requirements-dev.lock
	echo mutmut | $(UV_LOCK) --upgrade -c requirements-dev.lock - -o requirements-mutants.lock

clean:  ## removes what can be made again; the data in var/ stays
	rm -rf .venv .venv-* *.egg-info build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .cache
	rm -rf .coverage* .hypothesis bench/out
	find . -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Annals needs Python 3.11 or newer on the PATH; found" \
		"$$(python3 --version 2>/dev/null || echo none)." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "This Python cannot make a" \
		"virtual environment: install its venv package (Debian: apt install python3-venv)." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/runtime: requirements.lock pyproject.toml | $(BIN)/python
	$(call install,$<)

$(VENV)/dev: requirements-dev.lock pyproject.toml | $(BIN)/python
	$(call install,$<)

$(VENV)/mutants: requirements-mutants.lock $(VENV)/dev
	@$(BIN)/python -m pip install -q --require-hashes --no-deps -r $<
	@touch $@

# The lock files name all there is: nothing is to be resolved (old versions of pip would take the newest
# release of what is asked for with an extra, and then miss its hash).
define install
@echo "Installing what $(1) names ..."
@{ $(BIN)/python -m pip install -q --require-hashes --no-deps -r $(1) \
	&& $(BIN)/python -m pip install -q --no-deps --no-build-isolation -e . \
	&& $(BIN)/python -m pip check; } >$(LOG) 2>&1 || { \
	if ! command -v cc >/dev/null && grep -qiE 'building wheel|build dependencies|compil' $(LOG); \
	then echo "A package has to be built on this machine, and there is no C compiler:" \
		"install one (Debian: apt install build-essential). Details: $(LOG)"; \
	else echo "Installing failed: $$(grep -i error $(LOG) | tail -n 1) Details: $(LOG)"; \
	fi >&2; exit 1; }
@touch $@
endef
