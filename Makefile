# make run | test | check | bench | mutate | fuzz | kills | sanitize | setup | clean
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
NATIVE := CMakeLists.txt pyproject.toml $(wildcard native/include/prequential/*.hpp native/bind/*)

# Both kinds of install go into one environment, so never at the same time.
.NOTPARALLEL:
.PHONY: setup run test check bench quality mutate fuzz kills sanitize stubs clean

setup: $(VENV)/.ready

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 …")'
	$(PYTHON) -m venv $(VENV)

# The package alone, to run it.
$(VENV)/.base: $(NATIVE) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# The package, and the tools and peers of development: what runs is there too.
$(VENV)/.ready: $(NATIVE) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(VENV)/.base $@

run: $(VENV)/.base
	$(BIN)/prequential demo

test: setup
	$(BIN)/python -m pytest -n 2 --dist loadgroup

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python -m benchmarks

# DATA is a folder of real streams. QUALITY="--records 5000 --seeds 1" makes it shorter.
quality: setup
	$(BIN)/python -m benchmarks.quality $(DATA) $(QUALITY)

# MUTATE="--seed 2 --mutants 50" runs another sample.
MUTATE ?= --docs
mutate: setup
	PYTHONPATH=tests $(BIN)/python -m mutation $(MUTATE)

# FUZZ="--minutes 60 --seed 3" runs longer, with other damage.
FUZZ ?= --minutes 10
fuzz: setup
	PYTHONPATH=tests $(BIN)/python -m fuzz $(FUZZ)

# KILLS="--minutes 60 --seed 3" kills for longer, at other moments.
KILLS ?= --minutes 10
kills: setup
	PYTHONPATH=tests $(BIN)/python -m kills $(KILLS)

sanitize: setup
	native/sanitize.sh $(BIN)/python

stubs: setup
	$(BIN)/python -m nanobind.stubgen -m prequential._native -o src/prequential/_native.pyi
	$(BIN)/ruff format src/prequential/_native.pyi

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
