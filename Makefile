# `make run` starts the app and `make test` runs every check; each sets up what it needs first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SCALE := .venv-scale
OLDER := .venv-older
BENCH := .venv-bench
PORT ?= 8501
# How many browsers are tested with at once; each has a server of its own.
BROWSERS ?= 2
PYTEST = $(BIN)/pytest -n 2 --dist loadfile

# `make load` takes some three minutes: thirty visitors at once, four hundred who come and go.
.PHONY: run check test test-long lint quick golden faults pages browser-test long test-machines test-scale test-older fresh load load-proxy bench bench-botorch reproduce table-1 docs screenshots clean

run: $(VENV)/.app
	$(BIN)/python -m privbo_app --server.port $(PORT)

# The inner loop: lint, types, and what needs neither a server nor minutes; both at once.
check: $(VENV)/.test
	$(MAKE) -j2 lint quick

# The gate: all of that, each page without and with a browser, and visitors who do not play by the rules.
test: check pages browser-test

# What takes minutes: killed processes, many seeds and examples, empty environments, other and several machines.
test-long: long test-machines test-scale test-older

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/hadolint Dockerfile

quick: $(VENV)/.test
	$(PYTEST) tests/test_architecture.py tests/core tests/fuzz

# The engine's results beside those recorded: `python -m tests.golden record` records them anew.
golden: $(VENV)/.test
	$(BIN)/python -m tests.golden compare

# Faults that would mislead a visitor, each implanted in a copy: the tests have to catch all. It takes some forty minutes.
faults: $(VENV)/.test
	$(BIN)/python tests/helpers/ensure_browser.py
	$(BIN)/python -m tests.faults

pages: $(VENV)/.test
	$(PYTEST) tests/package tests/pages tests/hostile

browser-test: $(VENV)/.test
	$(BIN)/python tests/helpers/ensure_browser.py
	$(BIN)/pytest -n $(BROWSERS) --dist worksteal tests/browser

long: $(VENV)/.test
	PRIVBO_LONG=1 $(PYTEST) tests/package tests/core tests/fuzz tests/pages tests/hostile
	$(BIN)/python tests/helpers/ensure_browser.py
	PRIVBO_LONG=1 $(BIN)/pytest -n $(BROWSERS) --dist worksteal tests/browser

# What the engine computes and reads, with other kernels, instructions, threads, time zone, locale and order.
test-machines: $(VENV)/.test
	$(BIN)/python -m tests.helpers.machines

# The engines past one machine, each with real processes on this one. Their packages have an environment of their own.
test-scale: $(SCALE)/.scale
	$(SCALE)/bin/python tests/helpers/ensure_haproxy.py
	$(SCALE)/bin/pytest -n 2 --dist loadfile tests/scale

# What rests on Streamlit's insides, on the older of the two versions that the app is for.
test-older: $(OLDER)/.older
	$(OLDER)/bin/pytest -n 2 --dist loadfile tests/hostile/test_uploads.py tests/hostile/test_spooling.py \
		tests/pages/shared/test_undocumented.py tests/pages/shared/test_forgetting.py

# `make run` and `make test` as a newcomer has them: an ordinary user with a copy of the tracked files, an empty home, an
# empty cache of pip, one font, another locale and time zone. It isn't part of test-long yet. Other commands: `python -m tests.helpers.fresh "make check"`.
fresh: $(VENV)/.test
	$(BIN)/python tests/helpers/ensure_browser.py
	$(BIN)/python -m tests.helpers.fresh

load: $(VENV)/.test
	PYTHONPATH=. $(BIN)/python tests/load/hold_up.py

# Sixty visitors at once on two processes behind HAProxy.
load-proxy: $(VENV)/.test
	$(BIN)/python tests/helpers/ensure_haproxy.py
	PYTHONPATH=. $(BIN)/python tests/load/hold_up.py --proxy 2 --sessions 60

# All are run; one that takes longer than it may makes the whole fail.
bench: $(VENV)/.test
	mkdir -p build
	slow=0; for each in start search federated mechanisms release audit; do \
		PYTHONPATH=. $(BIN)/python tests/benchmarks/$${each}_speed.py build || slow=1; done; exit $$slow

# The search beside BoTorch too, whose packages are large and have an environment of their own.
bench-botorch: $(BENCH)/.bench
	mkdir -p build
	PYTHONPATH=. $(BENCH)/bin/python tests/benchmarks/search_speed.py build

# Every stored table and figure: goes on where it was stopped. To compute all of it anew, remove the file first.
reproduce: $(VENV)/.app
	$(BIN)/python -m privbo_core.experiments all --workers 2 --json results/reproduced.jsonl

table-1: $(VENV)/.app
	$(BIN)/python -m privbo_core.experiments table-1 --workers 2

# The pages of docs/api, made of the engine's docstrings.
docs: $(VENV)/.test
	PYTHONPATH=. $(BIN)/python docs/make_api.py

screenshots: $(VENV)/.test
	$(BIN)/python tests/helpers/ensure_browser.py
	PYTHONPATH=. $(BIN)/python tests/browser/screenshots.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.app: $(VENV)/bin/python requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.test: $(VENV)/.app tests/requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	touch $@

$(SCALE)/.scale: requirements.txt tests/requirements.txt tests/scale/requirements.txt
	$(PYTHON) -m venv $(SCALE)
	$(SCALE)/bin/pip install --quiet --disable-pip-version-check -r tests/scale/requirements.txt
	touch $@

$(OLDER)/.older: requirements.txt tests/requirements.txt
	$(PYTHON) -m venv $(OLDER)
	sed 's/^streamlit==.*/streamlit==1.66.*/' requirements.txt > $(OLDER)/requirements.txt
	$(OLDER)/bin/pip install --quiet --disable-pip-version-check -r $(OLDER)/requirements.txt -r tests/requirements.txt
	touch $@

$(BENCH)/.bench: requirements.txt tests/requirements.txt tests/benchmarks/requirements.txt
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/pip install --quiet --disable-pip-version-check -r tests/benchmarks/requirements.txt
	touch $@

clean:
	rm -rf $(VENV) $(SCALE) $(OLDER) $(BENCH) build
