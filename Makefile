# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
# A thin front: cmake does the work (see CMakePresets.json).

.PHONY: all run check check-long gallery site bench clean

# what is installed, without the tests: library, command, manual page
all:
	tools/bootstrap run
	cmake --preset release -D SCREE_TESTS=OFF > /dev/null
	cmake --build --preset release

# the main job: the command alone; the paper's stick under both schemes, what it comes to and where
# the energy went; and a rod for which Coulomb's law has no motion, or two
SCREE = build/run/cli/scree
run:
	tools/bootstrap run
	cmake --preset run > /dev/null
	cmake --build --preset run
	mkdir -p out
	$(SCREE) compare impacting-stick --schemes moreau-jean,moreau-jean-fremond \
	    -o out --plot out/compare.svg
	$(SCREE) plot out/impacting-stick.moreau-jean.h5 overview -o out/moreau-jean.svg > /dev/null
	$(SCREE) plot out/impacting-stick.moreau-jean-fremond.h5 overview -o out/moreau-jean-fremond.svg > /dev/null
	$(SCREE) plot out/impacting-stick.moreau-jean-fremond.h5 bodies --at 0,0.1,0.2 --with velocities -o out/stick.png > /dev/null
	$(SCREE) run dominoes --quiet -o out/dominoes.h5
	$(SCREE) plot out/dominoes.h5 bodies --at 0,0.4,0.8 --with forces -o out/dominoes.png > /dev/null
	$(SCREE) show out/dominoes.h5 --html out/dominoes.html
	$(SCREE) paradox painleve-rod --set parameters.omega0=4.8 \
	    --sweep theta0=0.02:1.55:64,mu=0.02:2.5:64 --plot out/painleve-rod.svg
	@echo
	@echo "pictures of the stick: out/stick.png, out/compare.svg, out/moreau-jean.svg, out/moreau-jean-fremond.svg"
	@echo "dominoes:              out/dominoes.png; out/dominoes.html plays them in a browser"
	@echo "a map of the rod:      out/painleve-rod.svg (where it has no motion, one, or two)"
	@echo "more to try:           $(SCREE) scenes"

# everything that must hold: tests, sanitizers, layers, format, fuzzers, installation
check:
	tools/bootstrap check
	tools/check

# the same, longer: more random systems, minutes of fuzzing, both commands on a bare Debian 12
check-long:
	tools/bootstrap check
	tools/check --long

# the pictures of docs/gallery.md, and the page that plays; tools/check_gallery tells whether they are current
gallery: all
	tools/figures gallery

# the documents as one site, build/site/html: offline, links checked
site:
	tools/bootstrap site
	tools/site

bench: all
	bench/stepping build/release/cli/scree
	bench/solvers/run
	bench/scaling/run
	bench/grains/run
	bench/elastic/run
	bench/python/run

clean:
	rm -rf build out
