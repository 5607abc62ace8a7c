# `make` lists the targets. Nothing here needs an edit: everything is found or installed, by apt or Homebrew, as root or
# with sudo. Z3=0 does without Z3 where no prebuilt library exists for the machine (fewer proofs).

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

Z3 ?= 1
export ANYRANK_Z3 := $(Z3)
FEATURES := $(if $(filter 0,$(Z3)),--no-default-features)

.PHONY: help setup setup-test build demo pictures vscode patterns compositions accuracy engine-times pack-times redistribution-times real-runs real-programs held test test-all testing-page lint tracer tracers fuzz clean

help: ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 26

setup: ## install what building needs: a C compiler, isl, libz3
	@scripts/setup

setup-test: ## install what the tests need too: MPICH, Open MPI, Chromium, Playwright, Neovim, npm
	@scripts/setup --test

build: setup ## build target/release/anyrank
	cargo build --locked --release $(FEATURES)

demo: build ## findings for three small programs and a real one, a struct as an MPI datatype, and a topology, also as a page for a browser
	@scripts/demo

pictures: build setup-test ## draw the README's pictures from real runs
	{ COLUMNS=100 target/release/anyrank lint --color always corpus/tag_mismatch.c || [ $$? -eq 1 ]; } \
	    | cargo run --locked -q $(FEATURES) --example picture > docs/lint.svg
	COLUMNS=100 target/release/anyrank topology --color always corpus/fig1_mdcask.c \
	    | cargo run --locked -q $(FEATURES) --example picture > docs/topology.svg
	mkdir -p build/demo
	target/release/anyrank topology -q --format html -o build/demo/mesh.html corpus/mesh_halo.c
	PYTHONPATH=build/browser/lib "$$(cat build/browser/python)" tools/screenshots.py build/demo/mesh.html 12 1 5 docs/report

vscode: ## package the extension for VS Code (needs npm)
	scripts/fetch-extension-packages
	cd editors/vscode && npm run package

patterns: setup ## write docs/patterns.md: what anyrank answers about each program of corpus/
	cargo run --locked -q --release $(FEATURES) --example patterns

compositions: setup-test ## write docs/compositions.md: whether answers about corpus/ stay what they are in other surroundings (takes long)
	cargo run --locked -q --release $(FEATURES) --example compositions

accuracy: setup ## write docs/accuracy.md: how many known defects are found, and how many random programs are decided (takes long)
	cargo run --locked -q --release $(FEATURES) --example accuracy

engine-times: setup ## write docs/engine-times.md: how long the engine takes (takes long)
	ANYRANK_TIMES=$(CURDIR)/docs/engine-times.md cargo bench --locked $(FEATURES) --bench engine

pack-times: setup-test ## write docs/pack.md: how fast layouts are packed and unpacked, against MPICH, Open MPI and C by hand
	ANYRANK_PACK=$(CURDIR)/docs/pack.md cargo bench --locked -p layout-capi --bench pack

redistribution-times: setup-test ## write docs/redistribution.md: how long redistributions and their schedules take, against Open MPI and ScaLAPACK
	ANYRANK_REDISTRIBUTION=$(CURDIR)/docs/redistribution.md cargo bench --locked -p redistribution --bench redistribution

real-runs: build setup-test ## write docs/real-runs.md: what anyrank answers about programs of MPICH's tests against real runs (takes long)
	scripts/fetch-sources mpich
	cargo run --locked -q --release $(FEATURES) --example real_runs -- $(REAL_RUNS) -o docs/real-runs.md

# How MPICH's examples and tests are compiled: they come with a library of their own, and a header that configuring would make.
# Without USE_STRICT_MPI they have code that MPICH alone compiles; Open MPI hides what MPI-3.0 removed unless it is asked for it.
MPICH := $(or $(ANYRANK_SOURCES),build/sources)/mpich
REAL_RUNS = $(addprefix $(MPICH)/,examples test/mpi/pt2pt test/mpi/coll) --base $(MPICH) \
    $(addprefix --with $(MPICH)/test/mpi/util/,mtest.c mtest_common.c mtest_thread.c dtypes.c) \
    $(addprefix --with $(MPICH)/test/mpi/dtpools/src/,$(addprefix dtpools,.c $(addsuffix .c,_attr _custom _desc _init_verify _misc))) \
    $(addprefix -I $(MPICH)/test/mpi/,include dtpools/include dtpools/src) \
    $(addprefix -D ,STDC_HEADERS HAVE_STDARG_H HAVE_UNISTD_H HAVE_STRING_H HAVE_LONG_DOUBLE HAVE_LONG_LONG) \
    -D USE_STRICT_MPI -D OMPI_OMIT_MPI1_COMPAT_DECLS=0 -D THREAD_PACKAGE_NAME=THREAD_PACKAGE_NONE --empty-header mpitestconf.h --empty-header dtpoolsconf.h

real-programs: build ## write docs/real-programs.md: what anyrank answers about source packages of Debian (takes long)
	# A package that cannot be fetched is a row that says so.
	scripts/fetch-sources $$(cargo run --locked -q --release $(FEATURES) --example real_programs -- --names) || true
	cargo run --locked -q --release $(FEATURES) --example real_programs -- \
	    --anyrank "$${CARGO_TARGET_DIR:-target}/release/anyrank" --sources "$${ANYRANK_SOURCES:-build/sources}"

test: setup-test tracer ## everything that is checked before a change goes in
	@scripts/test

held: setup-test tracer ## write tests/held.txt: checks by compilers and real runs that hold, which `make test` need not make again
	rm -f build/held.txt
	ANYRANK_HELD=$(CURDIR)/build/held.txt cargo test --locked --workspace --tests $(FEATURES)
	sort -u build/held.txt > tests/held.txt

test-all: setup-test tracer ## the same with the oracles that take long
	@scripts/test --all

testing-page: ## write docs/testing.md: kinds of tests, how many, how long, against what (after make test)
	python3 tools/testing_page.py build/test.log docs/testing.md

lint: setup ## formatting, clippy and documentation only
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets $(FEATURES) -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps $(FEATURES)

# Checks of any input (checks/), with inputs that libFuzzer makes. `cargo install cargo-fuzz` gets what it takes.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?= c settings database server autolink datatypes schedules
fuzz: ## look for inputs that crash: FUZZ_SECONDS (60) for each of FUZZ_TARGETS (all)
	for target in $(FUZZ_TARGETS); do \
	    case $$target in c) seeds=corpus;; settings|database|server) seeds=checks/seeds/$$target;; *) seeds=;; esac; \
	    mkdir -p fuzz/corpus/$$target; \
	    RUSTC_BOOTSTRAP=1 cargo fuzz run --features server,autolink $$target fuzz/corpus/$$target $$seeds -- \
	        -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=3072 -print_final_stats=1; \
	done

# One library for each MPI: their ABIs differ.
tracer: setup-test ## the PMPI tracer, for every MPI found
	@$(MAKE) --no-print-directory tracers  # a make of its own: setup-test may just have installed the compilers

tracers: $(foreach mpi,mpich openmpi,$(if $(shell command -v mpicc.$(mpi)),build/trace/$(mpi)/libanyrank_trace.so))

build/trace/%/libanyrank_trace.so: $(wildcard runtime/trace/*.[ch])
	mkdir -p $(@D)
	mpicc.$* -std=c11 -O2 -g -fPIC -shared -Wall -Wextra -Werror -o $@ $(filter %.c,$^) -ldl -pthread

clean: ## remove what was built; libz3 and fetched sources stay
	rm -rf build/trace
	cargo clean
