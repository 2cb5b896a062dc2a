# Isotherm. Each target does its own set-up, but for Go, which signals, dashboard and soak need; what else they need is in
# the README.

MVN := mvn -B --no-transfer-progress
VENV := .venv
SCYLLA := .venv-scylla
WHEELS := .venv-wheels
DRIVER := pom.xml driver/pyproject.toml driver/setup.py $(shell find driver/src -name '*.py' -o -name '*.p[xy][xdi]')
LAB := $(VENV)/bin/isotherm-lab
RUN ?= cold-restart
BENCH ?=
PART ?= rollout queue common warming share guard limit heat
# The part of the changes to a package's byte code that its tests notice, in per cent: `make mutants` fails below it.
NOTICED_rollout := 94
NOTICED_queue := 90
NOTICED_common := 92
NOTICED_warming := 93
NOTICED_share := 85
NOTICED_guard := 85
NOTICED_limit := 85
NOTICED_heat := 87
SCENARIO ?=
# javac's warnings are errors; it warns only of what it compiles.
STRICT := -Dmaven.compiler.failOnWarning=true
# Unit tests on two processors.
SPREAD := --numprocesses 2
# For how long each of twenty-three tests gives a decoder values, and which.
SECONDS ?= 40
SEED := $(or $(SEED),$(shell date +%s))
FUZZ = $(MVN) -pl cassandra -am test-compile surefire:test -Dsurefire.failIfNoSpecifiedTests=false \
  -Disotherm.fuzz.seconds=$(SECONDS) -Disotherm.fuzz.seed=$(SEED)
# Where the sources are published; Maven repositories ask for it.
URL ?= https://isotherm.invalid
# The newest release of the other line that the plugin knows.
EARLIER := $(shell sed -n 's|.*<cassandra41.version>\(.*\)</cassandra41.version>.*|\1|p' pom.xml)
# Built where Go unpacks it, with the versions of its libraries that it names itself: it cannot be installed by name.
PROMETHEUS := github.com/prometheus/prometheus@v0.305.1
VERSION := $(shell sed -n 's|.*<revision>\(.*\)</revision>.*|\1|p' pom.xml)
# The plugin's, as `make package` stages it.
JAR := dist/maven/dev/isotherm/isotherm-cassandra/$(VERSION)/isotherm-cassandra-$(VERSION).jar
# They take an idle machine, and one on which nothing but a node's own bound evicts its page cache.
DISKS := $(addprefix lab/tests/integration/,test_page_cache_storage.py test_disk_shares.py)
# They take a quarter of an hour.
ROLLING := $(addprefix lab/tests/integration/,test_rolling_install.py test_operating_page.py)
# It builds everything once more, with its documentation.
STAGED := lab/tests/integration/test_maven_artifacts.py
DATACENTERS := lab/tests/integration/test_two_datacenters.py
UPGRADE := lab/tests/integration/test_two_lines.py
APART := $(DISKS) $(ROLLING) $(STAGED) $(DATACENTERS) $(UPGRADE)

.PHONY: help demo test long mutants disks rolling staged datacenters signals dashboard soak fuzz matrix bench simulate lab package wheels lint style format clean toolchain

help: ## Say what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

demo: $(VENV)/ready ## Watch a real cluster lose and regain a node: about ten minutes
	$(LAB) run cold-restart --short

test: style ## Run every check and test: style, Java, lab, driver, and the integration tests on a real cluster
	$(MVN) $(STRICT) clean verify
	$(VENV)/bin/pytest lab/tests/unit $(SPREAD)
	$(VENV)/bin/pytest driver/tests/unit $(SPREAD)
	$(SCYLLA)/bin/pytest driver/tests/unit $(SPREAD)
	$(VENV)/bin/python driver/tests/newest_release.py cassandra-driver=$(VENV)/bin/python scylla-driver=$(SCYLLA)/bin/python
	$(VENV)/bin/pytest driver/tests/integration
	$(VENV)/bin/pytest lab/tests/integration -m "not long" --durations 25 --durations-min 5 $(addprefix --ignore ,$(APART))
	ISOTHERM_LAB_CASSANDRA=$(EARLIER) $(VENV)/bin/pytest \
	  $(addprefix lab/tests/integration/,test_links.py test_release.py test_settings.py)
	$(VENV)/bin/pytest lab/tests/integration/test_other_releases.py -k "says_so_once or are_served or operators_snitch or nothing_of"

long: $(VENV)/ready $(SCYLLA)/driver ## Run the integration tests that take about half a minute or more each: a quarter of an hour
	$(VENV)/bin/pytest lab/tests/integration -m long $(addprefix --ignore ,$(APART))

mutants: toolchain $(addprefix mutants-,$(PART)) ## Change core's byte code and count the changes that no test notices; an hour or more: make mutants PART=queue

mutants-%: toolchain
	$(MVN) -pl core test-compile pitest:mutationCoverage -DtargetClasses="dev.isotherm.$*.*" \
	  -DtargetTests="dev.isotherm.$*.*" -DreportsDirectory=target/mutants/$* -DmutationThreshold=$(NOTICED_$*)

disks: $(VENV)/ready ## Test disks behind the page cache, and the shares of nodes whose disks differ: ten minutes on an idle machine, as root
	$(VENV)/bin/pytest $(DISKS)

rolling: $(VENV)/ready ## Install on a cluster under load, by the tests and by the operator's page: a quarter of an hour
	$(VENV)/bin/pytest -s $(ROLLING)

staged: $(VENV)/ready $(SCYLLA)/driver ## Test what make package builds and stages for a Maven repository: two minutes
	$(VENV)/bin/pytest $(STAGED)

datacenters: $(VENV)/ready ## Test two datacenters, of three nodes and of one: two minutes
	$(VENV)/bin/pytest $(DATACENTERS)

# Prometheus' program of this name, in .lab/.
define built
	mkdir -p .lab
	cd "$$(go mod download -json $(PROMETHEUS) | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')" && \
	  go build -mod=readonly -o $(CURDIR)/.lab/$(1) ./cmd/$(1)
endef

signals: $(VENV)/ready ## Check the alerts and the exported metrics with promtool, which Go builds: ten minutes the first time
	$(call built,promtool)
	PATH=$(CURDIR)/.lab:$$PATH $(VENV)/bin/pytest -rs lab/tests/unit/signals

dashboard: $(VENV)/ready ## Draw what the Grafana dashboard shows of a cluster, from a real Prometheus, which Go builds: fifteen minutes the first time
	$(call built,prometheus)
	PATH=$(CURDIR)/.lab:$$PATH $(LAB) run dashboard

# By its name: make runs a line with its variable in a dry run, too.
soak: $(VENV)/ready ## Check every operation under faults, stock Cassandra beside it, and give decoders nonsense: an hour and a half, with Go
	all=0; $(LAB) run soak --document docs/reliability.md || all=1; \
	  $(LAB) run soak --document docs/reliability.md --fault two-datacenters --fault tables || all=1; \
	  make fuzz || all=1; exit $$all

fuzz: toolchain ## Give the decoders of what peers send other values each time: a quarter of an hour: make fuzz SEED=7 SECONDS=40
	$(info The values are those of SEED=$(SEED))
	$(FUZZ) -Dtest='*FromPeersTest,ShareRefusalsTest,UnmarkedReadsTest'
	$(FUZZ) -Dtest='CopiedReadsInNodeTest,RejectionsFromPeersInNodeTest,NumbersFromPeersInNodeTest'

matrix: $(SCYLLA)/driver $(VENV)/java11 ## Test one release of Cassandra after the other, and an upgrade between two: two hours
	$(VENV)/bin/pytest $(UPGRADE)
	$(LAB) run matrix --document docs/releases.md

bench: toolchain $(VENV)/driver $(SCYLLA)/driver ## Run the microbenchmarks beside their rivals and simulate how exactly limits hold
	$(if $(filter query-plans end-to-end,$(BENCH)),,$(MVN) -q -DskipTests -Pbench -Dbench.arguments="$(BENCH)" -pl benchmarks -am verify)
	$(if $(filter-out query-plans,$(BENCH)),,$(VENV)/bin/python driver/benchmarks/compare.py --scylla $(SCYLLA)/bin/python)
	$(if $(filter-out end-to-end,$(BENCH)),,$(VENV)/bin/python driver/benchmarks/end_to_end/compare.py --scylla $(SCYLLA)/bin/python)

simulate: $(VENV)/ready ## Simulate the balance of reads on 3 to 999 nodes, in minutes: make simulate SCENARIO='one cold node, 12'
	$(MVN) -q -DskipTests -Pbench -Dbench.main=dev.isotherm.benchmarks.balance.BalanceSimulation -Dbench.arguments="$(SCENARIO)" -pl benchmarks -am verify
	$(VENV)/bin/python -m isotherm_lab.charts.simulation results/simulate
	$(if $(SCENARIO),,$(VENV)/bin/python -m isotherm_lab.charts.simulation_page results/simulate docs/simulation.md)

lab: $(VENV)/ready $(if $(filter driver-gain,$(RUN)),$(VENV)/driver) ## Run an experiment in full: make lab RUN=cold-restart
	$(LAB) run $(RUN)

package: toolchain $(SCYLLA)/driver ## Build the packages: archive, Debian, image, Maven in dist/; the driver in driver/dist/
	rm -rf dist
	$(MVN) -q -DskipTests -Pstage -Disotherm.url=$(URL) -DaltDeploymentRepository=dist::file://$(CURDIR)/dist/maven \
		-pl core,cassandra deploy
	PYTHONPATH=packages python3 -m isotherm_packages $(JAR) dist
	cp $(JAR) dist/isotherm-$(VERSION).jar
	$(SCYLLA)/bin/python -m build --outdir driver/dist driver >/dev/null
	@echo "Built dist/ and driver/dist/"

wheels: toolchain ## Build the driver package's wheels for each Linux and CPython, and try them: half an hour on an idle machine, in as many runs as it takes
	$(call environment,$(WHEELS))
	$(WHEELS)/bin/pip install --quiet --disable-pip-version-check --requirement driver/wheels/requirements.txt
	$(WHEELS)/bin/python driver/wheels/make.py

lint: style ## Check style: formats, javac's warnings as errors, types of the driver
	$(MVN) -q -DskipTests $(STRICT) clean test-compile

style: $(VENV)/ready $(VENV)/driver $(SCYLLA)/driver
	$(MVN) -q spotless:check checkstyle:check
	$(VENV)/bin/ruff check lab driver packages
	$(VENV)/bin/ruff format --check lab driver packages
	cd driver && ../$(SCYLLA)/bin/mypy
	cd driver && ../$(SCYLLA)/bin/pyright --pythonpath ../$(SCYLLA)/bin/python
	mkdir -p driver/build
	cd driver && PYTHONPATH=src ../$(SCYLLA)/bin/pyright --pythonpath ../$(SCYLLA)/bin/python --verifytypes isotherm_driver \
	  >build/types.txt || { cat build/types.txt; exit 1; }

format: $(VENV)/ready ## Format the Java and the Python
	$(MVN) -q spotless:apply
	$(VENV)/bin/ruff format lab driver packages

clean: ## Remove everything that was built; results/ stays
	$(MVN) -q clean
	rm -rf $(VENV) $(SCYLLA) $(WHEELS) .venv-newest-* driver/build driver/dist dist
	find driver/src \( -name '*.c' -o -name '*.so' \) -delete

toolchain:
	@./toolchain.sh

# An environment whose making was interrupted has no pip that runs.
environment = $(1)/bin/pip --version >/dev/null 2>&1 || python3 -m venv --clear $(1)

$(VENV)/ready: lab/pyproject.toml | toolchain
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --editable 'lab[test]'
	touch $@

# On which the matrix runs the releases before 5.0, as operators do.
$(VENV)/java11: $(VENV)/ready
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --editable 'lab[java11]'
	touch $@

# The driver package is built in place, once for both drivers: both install the module `cassandra`, hence two environments.
$(VENV)/driver: $(VENV)/ready $(DRIVER)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --editable 'driver[test]'
	touch $@

$(SCYLLA)/driver: $(VENV)/driver
	$(call environment,$(SCYLLA))
	$(SCYLLA)/bin/pip install --quiet --disable-pip-version-check scylla-driver==3.29.12
	$(SCYLLA)/bin/pip install --quiet --disable-pip-version-check --editable 'driver[test,develop]'
	touch $@
