# The two commands of the README, and those a developer repeats all day.

CARGO ?= cargo
# nextest runs each test in a process of its own; without it the standard runner does.
TESTS := $(if $(shell $(CARGO) nextest --version 2>/dev/null),$(CARGO) nextest run,$(CARGO) test)
SERVERS := $(CARGO) xtask servers --
# Generated files must not depend on who generates them.
PLAIN := env -i PATH="$(PATH)" HOME="$(HOME)"

.PHONY: run test check format lint docs drift generate tour verify-foreign fuzz-api bench bench-peers soak

## Build for speed, start on ./data, with a sample where there is nothing yet; print how to get in.
run:
	$(CARGO) build --release --package grantor-server
	target/release/grantor serve --demo

## Everything that guards main: format, lints, documentation, generated files, all tests.
test: format lint docs drift
	$(SERVERS) $(TESTS) --workspace

## The fast loop: lints, then every test.
check: lint
	$(CARGO) build --quiet --package grantor-server
	$(SERVERS) $(TESTS) --workspace

format:
	$(CARGO) fmt --all -- --check

lint:
	$(CARGO) clippy --workspace --all-targets -- -D warnings

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --document-private-items --quiet

## Fails when a generated file is not what the program would write.
drift:
	$(CARGO) build --quiet --package grantor-server
	$(PLAIN) target/debug/grantor check-config --reference | diff -u docs/configuration.md -
	$(PLAIN) target/debug/grantor openapi external | diff -u docs/openapi/external.json -
	$(PLAIN) target/debug/grantor openapi console | diff -u docs/openapi/console.json -

generate:
	$(CARGO) build --quiet --package grantor-server
	mkdir -p docs/openapi
	$(PLAIN) target/debug/grantor check-config --reference > docs/configuration.md
	$(PLAIN) target/debug/grantor openapi external > docs/openapi/external.json
	$(PLAIN) target/debug/grantor openapi console > docs/openapi/console.json

## Pictures of the pages for docs/tour; `cargo xtask tour --all FOLDER` takes all there are.
tour:
	$(CARGO) xtask tour

## Deliveries verified by the webhook libraries of PyPI and npm, which it installs for the run.
verify-foreign:
	$(CARGO) build --quiet --package grantor-server
	python3 tests/foreign/verify.py target/debug/grantor

## Both OpenAPI documents held against the program by Schemathesis, which it installs for the run, as
## every role. `make fuzz-api ENGINE=postgres` for the other engine.
ENGINE ?= sqlite
fuzz-api:
	$(CARGO) build --quiet --package grantor-server
	$(SERVERS) python3 tests/foreign/fuzz_api.py target/debug/grantor $(ENGINE)

## The same work beside a server that somebody wrote by hand on Fastify and better-sqlite3. Wants Node.js.
bench-peers:
	$(CARGO) build --release --package grantor-server --package grantor-bench
	cd benches/peers/fastify && npm ci --no-audit --no-fund
	$(SERVERS) target/release/grantor-bench peers

## Ratios measured in one run: engine against engine, with and without.
bench:
	$(CARGO) build --release --package grantor-server --package grantor-bench
	$(SERVERS) target/release/grantor-bench

## The long versions of the tests.
soak:
	$(CARGO) build --release --quiet --package grantor-server
	GRANTOR_SOAK=1 $(SERVERS) $(TESTS) --release --workspace
