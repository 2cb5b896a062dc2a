# Isotherm. Each target does its own set-up; what it needs and where it puts things is in the README.

MVN := mvn -B --no-transfer-progress
VENV := .venv
LAB := $(VENV)/bin/isotherm-lab
RUN ?= cold-restart
BENCH ?=

.PHONY: help demo test bench lab package lint clean toolchain

help: ## Say what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

demo: $(VENV)/ready ## Watch a real cluster lose and regain a node: at most ten minutes
	$(LAB) run cold-restart --short

test: $(VENV)/ready ## Run every test: Java, lab, and the integration tests on a real cluster
	$(MVN) verify
	$(VENV)/bin/pytest lab/tests/unit
	$(VENV)/bin/pytest lab/tests/integration

bench: toolchain ## Run the microbenchmarks, each beside its rival
	$(MVN) -q -DskipTests -Pbench -Dbench.arguments="$(BENCH)" -pl benchmarks -am verify

lab: $(VENV)/ready ## Run an experiment in full: make lab RUN=cold-restart
	$(LAB) run $(RUN)

package: toolchain ## Build the plugin jar
	$(MVN) -q -DskipTests -pl cassandra -am package
	@echo "Built cassandra/target/isotherm-0.1.0.jar"

lint: $(VENV)/ready ## Check style: javac's warnings are errors, ruff for Python
	$(MVN) -q -DskipTests -Dmaven.compiler.failOnWarning=true clean test-compile
	$(VENV)/bin/ruff check lab
	$(VENV)/bin/ruff format --check lab

clean: ## Remove everything that was built; results/ stays
	$(MVN) -q clean
	rm -rf $(VENV)

toolchain:
	@./toolchain.sh

$(VENV)/ready: lab/pyproject.toml | toolchain
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --editable 'lab[test]'
	touch $@
