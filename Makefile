# `make run` starts Grantor with sample data, and `make test` checks everything.

CARGO ?= cargo
# Three tests for two processors: many of them wait for a browser or a server.
JOBS := $(shell echo $$(( ($$(nproc) * 3 + 1) / 2 )))
SERVERS := $(CARGO) xtask servers --
TESTS := $(SERVERS) $(CARGO) test --workspace --no-fail-fast
# What measures time, or looks at all that the process logs, runs alone.
ALONE := security::timing nothing_secret_is_logged
# All tests, or with TEST=word those whose name contains the word.
RUN_TESTS = $(TESTS) $(1) --lib --bins --tests -- --test-threads $(JOBS) $(or $(TEST),$(ALONE:%=--skip %)) \
	$(if $(TEST),,&& $(TESTS) $(1) --test it -- --test-threads 1 $(ALONE))
# Generated files must not depend on the developer's environment.
PLAIN := env -i PATH="$(PATH)" HOME="$(HOME)"
# Generates the SDKs. Requires Python 3.11.
SDK := python3 -B sdk/generator

# Runs a command and says how long it took.
define timed
@begin=$$(date +%s); $(1) && echo "make $@: $$(($$(date +%s) - begin)) s"
endef

test check lint docs drift: export RUSTC_WORKSPACE_WRAPPER = $(CURDIR)/xtask/compile
test check lint docs drift: export CLIPPY_ARGS = -Dwarnings__CLIPPY_HACKERY__

.PHONY: run test check format lint docs drift generate sdk sdk-verify dist vendor offline tour verify-foreign verify-deploy fuzz-api bench bench-peers soak

## Build and start the server in ./data. On the first start it creates sample data and prints the logins.
run:
	@test -x target/quick/grantor || echo "Compiling Grantor: about 7 minutes the first time on two processors, seconds afterwards."
	@$(CARGO) build --profile quick --package grantor-server
	@target/quick/grantor serve --demo

## All checks: format, lints, generated files, documentation and tests. Each says how long it took.
test: format lint drift docs
	$(call timed,$(call RUN_TESTS))

## The most important checks: lints and tests. `make check TEST=word` runs only the tests whose name contains the word.
check: lint
	$(call timed,$(call RUN_TESTS))

format:
	$(call timed,$(CARGO) fmt --all -- --check)

## Builds everything that the tests need. Clippy is the compiler, so that linting needs no second build.
lint:
	$(call timed,$(CARGO) build --workspace --all-targets)

## Document all crates, so that links in comments are checked. The build has left a script for each crate.
docs:
	$(call timed,$(CARGO) build --quiet --workspace --all-targets && xtask/document)

## Fail if a generated file is out of date. Builds what `lint` builds: of one package alone, dependencies
## would have other features and be compiled again.
drift:
	$(call timed,$(CARGO) build --quiet --workspace --all-targets \
	&& $(PLAIN) target/debug/grantor check-config --reference | diff -u docs/configuration.md - \
	&& $(PLAIN) target/debug/grantor openapi external | diff -u docs/openapi/external.json - \
	&& $(PLAIN) target/debug/grantor openapi console | diff -u docs/openapi/console.json - \
	&& if python3 -c 'import tomllib' 2> /dev/null; then $(SDK) --check; \
	else echo "make $@: the SDKs are not compared: Python 3.11 is not installed"; fi)

## Write the generated files.
generate:
	$(CARGO) build --quiet --package grantor-server
	mkdir -p docs/openapi
	$(PLAIN) target/debug/grantor check-config --reference > docs/configuration.md
	$(PLAIN) target/debug/grantor openapi external > docs/openapi/external.json
	$(PLAIN) target/debug/grantor openapi console > docs/openapi/console.json

## Generate the SDKs and the collection from docs/openapi with generators from PyPI and npm, which it installs temporarily.
sdk:
	$(SDK)

## Generate the SDKs again, compare them, and check the types of their code and of the examples in their READMEs.
sdk-verify:
	$(SDK) --verify

## Build a release in target/dist: the program, the sources with all dependencies, the Helm chart, the SDKs for PyPI and npm, the
## collection, the software bill of materials, and SHA256SUMS of them.
dist: vendor
	$(SDK) --check
	rm -rf target/dist
	$(SDK) --dist target/dist
	$(CARGO) build --release --locked --package grantor-server
	python3 -B deploy/release target/release/grantor target/dist

## Copy the sources of all dependencies to target/vendor.
vendor:
	$(CARGO) vendor --locked --quiet --versioned-dirs target/vendor > /dev/null
	printf '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "vendor"\n' > target/vendor/config.toml

## Build the program without a network, with the dependencies in target/vendor: those of `make vendor`, or of a source archive.
offline:
	$(CARGO) --config target/vendor/config.toml build --release --locked --offline --package grantor-server

## Take the screenshots for docs/tour; `cargo xtask tour --all FOLDER` takes those of all pages.
tour:
	$(CARGO) xtask tour

## Verify webhook deliveries, receipts, single sign-on, OAuth 2.0, MCP and rights with libraries from PyPI and npm, which it installs temporarily.
verify-foreign:
	$(CARGO) build --quiet --package grantor-server
	python3 tests/foreign/verify.py target/debug/grantor
	python3 tests/foreign/verify_receipt.py target/debug/grantor
	python3 tests/foreign/verify_single_sign_on.py target/debug/grantor
	python3 tests/foreign/verify_oauth.py target/debug/grantor
	python3 tests/foreign/verify_mcp.py target/debug/grantor
	python3 tests/foreign/verify_rights.py target/debug/grantor
	python3 tests/foreign/generate_clients.py

## Check the files in deploy/ with tools from PyPI and npm, which it installs temporarily, and build the image if there is an engine.
verify-deploy:
	python3 tests/foreign/verify_deploy.py

## Fuzz both APIs with Schemathesis, which it installs temporarily, as every role.
## `make fuzz-api ENGINE=postgres` uses PostgreSQL.
ENGINE ?= sqlite
fuzz-api:
	$(CARGO) build --quiet --package grantor-server
	$(SERVERS) python3 tests/foreign/fuzz_api.py target/debug/grantor $(ENGINE)

## Compare Grantor with a hand-written server on Fastify and better-sqlite3, and with PocketBase. Requires Node.js and Python.
bench-peers:
	$(CARGO) build --release --package grantor-server --package grantor-bench
	cd benches/peers/fastify && npm ci --no-audit --no-fund
	python3 -m venv target/peers && target/peers/bin/pip install -q -r benches/peers/pocketbase/requirements.txt
	$(SERVERS) target/release/grantor-bench peers

## Run the benchmarks, which compare variants in one run.
bench:
	$(CARGO) build --release --package grantor-server --package grantor-bench
	$(SERVERS) target/release/grantor-bench

## Run the long versions of the tests in a release build, and the last release next to this version.
soak:
	$(CARGO) build --release --quiet --package grantor-server
	$(CARGO) xtask last-release
	GRANTOR_SOAK=1 GRANTOR_LAST_RELEASE=$(CURDIR)/target/last-release/grantor $(call RUN_TESTS,--release)
	python3 -B tests/cluster/patroni.py target/release/grantor 3
