# All commands of the project. `make` alone lists them.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play test check prove format lock screens messages clean solver for-play for-test chromium

BIN := .venv/bin

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s  %s\n", $$1, $$2 }' Makefile
	@echo
	@echo 'ARGS="…" hands on arguments, PYTHON=… names the Python to begin with:'
	@echo '  make play ARGS="--port 8080"      make test ARGS="tests/rules -x"'

play: for-play ## install what is missing and start the game in the browser
	@exec $(BIN)/kartenkniffel play $(ARGS)

solver: ## install what the exact solver needs (the commands value and solve)
	@sh tools/install.sh solver
	@echo 'The exact solver is ready: $(BIN)/kartenkniffel value --help'

test: check chromium ## check, then run all tests, those in the browser too
	$(BIN)/python -m pytest -n 4 --dist worksteal $(ARGS)

check: for-test ## look for mistakes without running anything: style, types, imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

prove: for-test ## run the slow proofs, one after the other
	$(BIN)/python -m pytest -m slow $(ARGS)

format: for-test ## put the code into its form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock: ## remake constraints.txt after a change in pyproject.toml (ARGS=--upgrade renews all)
	@sh tools/install.sh lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra test \
	  --custom-compile-command 'make lock' --output-file constraints.txt $(ARGS) pyproject.toml

screens: for-test chromium ## take the pictures of the pages
	$(BIN)/python tools/screens.py $(ARGS)

messages: for-test ## bring the catalogues of the languages up to date with the texts in the code
	$(BIN)/python tools/messages.py

clean: ## remove all that these commands have made, .venv too
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache build dist

for-play:
	@sh tools/install.sh play

for-test:
	@sh tools/install.sh test

chromium: for-test
	@sh tools/chromium.sh
