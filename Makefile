# All targets use .venv, which is built from the lock files when needed. With PYTHON set, as in
# `make check PYTHON=python3.13`, each Python has its own folder.

VENV := $(if $(filter command%,$(origin PYTHON)),.venv-$(notdir $(PYTHON)),.venv)
PYTHON = $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
BIN := $(VENV)/bin
PYTEST = $(BIN)/pytest -n auto --dist loadgroup --no-loadscope-reorder
LOG := $(VENV)/install.log
UV_LOCK = $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-annotate

# Tests start many processes, which share compiled modules.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help run demo test quick test-long clients mutants check types lint docs collect valid fix bench screenshots screens readme-picture stored replays contract tables lock clean

help:  ## lists the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

run: $(VENV)/runtime  ## runs the whole service on this machine, until Ctrl-C
	@$(BIN)/annals run

demo: $(VENV)/runtime  ## plays a whole match over REST against bots
	@$(BIN)/annals demo

test: $(VENV)/dev  ## runs all tests; GAME=qin runs those of one game, COVER=1 measures coverage
	@$(BIN)/python -m tests.page.chromium
	@$(PYTEST) $(if $(GAME),--game $(GAME)) $(if $(COVER),--cov)

quick: $(VENV)/dev  ## runs a cross-section of the tests in about a minute
	@$(PYTEST) --quick

test-long: $(VENV)/dev  ## runs the tests that take minutes each
	@$(PYTEST) -m "long or hypothesis and not slow" --hypothesis-profile long

clients: build/clients/installed  ## installs the client generators that `make test-long` uses

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
mutants: $(VENV)/mutants  ## plants faults in the rules of GAME=... and counts those its tests find
	@$(BIN)/python -m tests.mutants --game "$(GAME)" --sample $(SAMPLE) --jobs $(JOBS)

# `make test` runs the tests of `valid`, too, so .ci/run leaves them out here: VALID=
VALID = valid
check: $(VENV)/dev  ## checks types, style, layers, language, docs and contract
	@$(MAKE) --no-print-directory --jobs=2 types lint language docs collect $(VALID)

types: $(VENV)/dev
	$(BIN)/mypy

lint: $(VENV)/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/vulture
	$(BIN)/deptry .
	$(BIN)/hadolint examples/hosting/Containerfile

language: $(VENV)/dev  ## counts words and names of a private language; names each with its file and line
	@$(BIN)/python -m tests.architecture.language

docs: $(VENV)/dev  ## builds the guides into build/site; fails on a broken link or anchor
	rm -rf build/guides && mkdir -p build/guides
	tar -cf - *.md docs domain/games/*/RULES.md | tar -xf - -C build/guides
	$(BIN)/python -c 'from service.http.guides import CONFIG; print(CONFIG)' >build/zensical.toml
	$(BIN)/zensical build --clean --strict --config-file build/zensical.toml

collect: $(VENV)/dev  ## collects and compiles all tests once
	@mkdir -p build
	@$(BIN)/pytest --collect-only -qq >build/collected.log || { cat build/collected.log >&2; exit 1; }

valid: $(VENV)/dev  ## checks that the contract is valid YAML 1.2 and OpenAPI 3.1, and complete
	@$(BIN)/pytest tests/service/api/test_contract_is_valid.py

fix: $(VENV)/dev  ## formats the code and applies safe fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/dev  ## measures speed and memory; AGAINST=../other compares another checkout
	@$(BIN)/python -m bench $(if $(AGAINST),--against "$(AGAINST)")

screenshots: $(VENV)/dev  ## takes pictures of the page on a phone, a tablet and a screen
	@$(BIN)/python -m tests.page.chromium
	@$(BIN)/python -m tests.page.screenshots docs/pictures/page

screens: $(VENV)/dev  ## measures the match page on nine screens into docs/screens.md
	@$(BIN)/python -m tests.page.chromium
	@$(BIN)/pytest --update-tables -m "long or not long" tests/page/test_screens.py

readme-picture: $(VENV)/dev  ## draws the moving picture of the README: a match between two bots
	@$(BIN)/python -m bench.rules.moving_picture

stored: $(VENV)/dev  ## records what this version stores, for all later versions to read
	@$(BIN)/python -m tests.stored.record $(VERSION)

replays: $(VENV)/dev  ## records the golden games again (GAME=qin: of one game); read the diff afterwards
	$(BIN)/pytest tests/games/test_replays.py tests/games/test_rules_versions.py \
		tests/games/test_golden_texts.py --update-replays \
		$(if $(GAME),--game $(GAME))

contract: $(VENV)/dev  ## formats openapi.yaml; writes openapi/ from the code and from real responses
	$(BIN)/pytest --update-contract tests/service/api/test_games_in_contract.py \
		tests/service/api/test_examples_in_contract.py::test_the_examples_are_what_the_service_answers

tables: $(VENV)/dev  ## updates the tables of the docs that follow from records in the code
	$(BIN)/pytest --update-tables tests/stored/test_formats.py tests/architecture/test_records_in_docs.py

lock: $(VENV)/dev  ## updates all dependencies to their newest versions, with hashes
	echo 'setuptools>=77' | $(UV_LOCK) --upgrade pyproject.toml - -o requirements.lock
	$(UV_LOCK) --upgrade --extra dev -c requirements.lock pyproject.toml requirements.lock \
		-o requirements-dev.lock
	echo pip | $(UV_LOCK) --upgrade - -o requirements-pip.lock
	echo mutmut | $(UV_LOCK) --upgrade -c requirements-dev.lock - -o requirements-mutants.lock

clean:  ## removes everything that can be built again; keeps the data in var/
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

# Before version 24, pip compares each file of each version of a package with a thousand tags: half of
# the processor time. Of the tools most modules are never imported, so Python compiles each when it is.
$(VENV)/dev: requirements-dev.lock pyproject.toml requirements-pip.lock | $(BIN)/python
	@$(BIN)/python -c 'import pip, sys; sys.exit(int(pip.__version__.split(".")[0]) < 24)' \
		|| $(BIN)/python -m pip install -q --require-hashes --no-deps -r requirements-pip.lock
	$(call install,$<,--no-compile)

$(VENV)/mutants: requirements-mutants.lock $(VENV)/dev
	@$(BIN)/python -m pip install -q --require-hashes --no-deps -r $<
	@touch $@

# The lock files name every package, so pip must not resolve anything (old versions of pip would take
# the newest release of a package with an extra, and then miss its hash).
define install
@echo "Installing what $(1) names ..."
@{ $(BIN)/python -m pip install --progress-bar off --require-hashes --no-deps $(2) -r $(1) \
	&& $(BIN)/python -m pip install -q --no-deps --no-build-isolation -e . \
	&& $(BIN)/python -m pip check; } >$(LOG) 2>&1 & pid=$$!; \
	while [ -t 1 ] && kill -0 $$pid 2>/dev/null; do \
		printf '\r  %s of %s packages \r' "$$(grep -cE '^(Collecting|Processing|Ignoring)' $(LOG))" "$$(grep -c '==' $(1))"; \
		sleep 1; \
	done; \
	wait $$pid || { \
	if ! command -v cc >/dev/null && grep -qiE 'building wheel|build dependencies|compil' $(LOG); \
	then echo "A package has to be built on this machine, and there is no C compiler:" \
		"install one (Debian: apt install build-essential). Details: $(LOG)"; \
	else echo "Installing failed: $$(grep -i error $(LOG) | tail -n 1) Details: $(LOG)"; \
	fi >&2; exit 1; }
@touch $@
endef
