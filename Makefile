# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
# A thin front: cmake does the work (see CMakePresets.json).

SCREE = build/release/cli/scree

.PHONY: all run check check-long bench setup clean

all: setup
	cmake --preset release > /dev/null
	cmake --build --preset release

# the main job: the paper's stick under both schemes, the comparison and its figures
run: all
	mkdir -p out
	$(SCREE) compare impacting-stick --schemes moreau-jean,moreau-jean-fremond \
	    -o out --plot out/compare.svg
	$(SCREE) plot out/impacting-stick.moreau-jean.h5 overview -o out/moreau-jean.svg
	$(SCREE) plot out/impacting-stick.moreau-jean-fremond.h5 overview -o out/moreau-jean-fremond.svg

# everything that must hold: tests, sanitizers, layers, format, fuzzers, installation
check: setup
	tools/check

# the same, longer: more random systems, minutes of fuzzing
check-long: setup
	tools/check --long

bench: all
	bench/stepping $(SCREE)
	bench/solvers/run
	bench/scaling/run
	bench/grains/run
	bench/elastic/run

setup:
	tools/bootstrap

clean:
	rm -rf build out
