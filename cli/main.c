// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// main.c - the table of commands: parsing, help, manual page and completion come from it.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "cli/commands.h"

#define OPTION_SET                                                                               \
    {                                                                                            \
        "set", 's', .value = "PATH=VALUE", .repeats = true,                                      \
                    .help =                                                                      \
                        "change a value of the scene, for example scheme.theta=0.6 or "          \
                        "parameters.mu=1; entries of lists by name or number (bodies.ball.mass)" \
    }

#define CLI_OPTION_VIEW                                                                       \
    {                                                                                         \
        "view", .value = "VIEW",                                                              \
                .help =                                                                       \
                    "of bodies in space: where the eye is, azimuth and elevation in degrees " \
                    "(-62,22 if not given), or a side",                                       \
                .choices = "front|right|back|left|top|-62,22|..."                             \
    }

#define CLI_OPTION_COLOUR                                                                        \
    {                                                                                            \
        "colour",                                                                                \
            .value = "WHAT",                                                                     \
            .help = "of bodies: what colours show (default: groups; stress, of elastic bodies)", \
            .choices = "group|birth|speed|stress"                                                \
    }

#define CLI_OPTION_REGION                                                                     \
    {                                                                                         \
        "region", .value = "LOW,HIGH",                                                        \
                  .help =                                                                     \
                      "of bodies: those with their centre in this box alone, all numbers of " \
                      "its low corner and then of its high one"                               \
    }

#define CLI_OPTION_BORN                                                                   \
    {                                                                                     \
        "born", .value = "FROM,TO[,...]",                                                 \
                .help =                                                                   \
                    "of bodies: colours for layers of what was born within these times, " \
                    "all else pale"                                                       \
    }

#define CLI_OPTION_WITH                                                                     \
    {                                                                                       \
        "with", .value = "WHAT[,WHAT...]",                                                  \
                .help =                                                                     \
                    "draw forces of contacts, the line of thrust of blocks, velocities or " \
                    "numbers of bodies over them",                                          \
                .choices = "forces|thrust|velocities|numbers|..."                           \
    }

static const cli_option run_options[] = {
    { "output", 'o', .value = "FILE",
      .help = "the run file (default: the scene's name with .h5); "
              "an old file of that name is replaced" },
    OPTION_SET,
    { "resume", .value = "RUN",
      .help = "go on with a run that was stopped, bit for bit; --set scheme.duration=... makes it "
              "longer" },
    { "no-store", .help = "write no run file" },
    { "html", .value = "FILE", .help = "at the end write a page that plays the run (scree show)" },
    { "show", .help = "watch it in the browser while it runs (scree show)" },
    { "no-open", .help = "with --show: print the address, open no browser" },
    { "wait", .value = "S",
      .help = "with --show: stop serving if nobody comes for so long (default: 600)" },
    { "check-equilibrium",
      .help = "do not run: say whether the scene can stand as it is, and which forces hold it" },
    { "plot", 'p', .value = "FILE",
      .help = "with --check-equilibrium: draw the bodies with these forces and, of blocks in the "
              "plane, the line of thrust (.svg, .png or .pdf)" },
    { "dump-problems", .value = "DIR",
      .help = "write contact problems of steps into this folder, for scree solve (FCLIB files)" },
    { "when", .value = "WHEN",
      .help = "which of them: those that missed their tolerance (default), all, those of every "
              "N-th step (every:N), or of these steps (step:N,M,...)",
      .choices = "unconverged|all|every:10|step:1,2|..." },
    CLI_OPTION_JSON,
    CLI_OPTION_QUIET,
    { 0 },
};

static const cli_option check_options[] = {
    OPTION_SET,
    { "plot", 'p', .value = "FILE", .help = "draw the bodies at the start (.svg, .png or .pdf)" },
    CLI_OPTION_VIEW,
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option import_options[] = {
    { "output", 'o', .value = "FILE", .help = "the scene (default: the file's name with .yaml)" },
    { "force", 'f', .help = "replace a file of that name" },
    { "format", .value = "FORMAT", .help = "what the file is, where its name does not say so",
      .choices = "siconos|obj|csv|mjcf|urdf" },
    { "step", .value = "S", .help = "length of a time step (default: that of the file)" },
    { "duration", .value = "S", .help = "time to simulate (default: that of the file)" },
    { "gravity", .value = "X,Y[,Z]",
      .help = "acceleration of free fall (default: that of the file, "
              "or what its program takes)" },
    { "density", .value = "KG/M3", .help = "of bodies whose mass is not said (default: 1000)" },
    { "friction", .value = "MU", .help = "of contacts, where the file does not say it" },
    { "restitution", .value = "E", .help = "of contacts, where the file does not say it" },
    { "fixed", .value = "NAME[,NAME...]",
      .help = "bodies that never move; NAME* is all whose names begin so" },
    { "scale", .value = "FACTOR", .help = "on lengths of OBJ files" },
    { "own-scheme", .help = "step by scree's own scheme, not by the one of the program" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option schema_options[] = {
    { "markdown", .help = "as tables for reading (docs/scene.md is made of them)" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option compare_options[] = {
    { "schemes", .value = "A,B", .help = "names of schemes with commas between them",
      .choices = "moreau-jean|moreau-jean-fremond|..." },
    OPTION_SET,
    { "plot", 'p', .value = "FILE", .help = "draw the runs over each other (.svg, .png or .pdf)" },
    { "what", .value = "WHAT", .help = "which figure to draw (default: overview; see scree plot)",
      .choices = "overview|energy|works|velocities|impulses|gaps|trajectories|..." },
    { "output", 'o', .value = "DIR", .help = "keep the run files in this folder" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option converge_options[] = {
    { "schemes", .value = "A,B",
      .help = "names of schemes with commas between them (default: the scene's); methods, of a "
              "sweeping process",
      .choices = "moreau-jean|moreau-jean-fremond|moreau|nscd|..." },
    { "steps", .value = "FIRST:COUNT",
      .help = "the longest step and how many there are, each half of the one before (default: "
              "eight times the scene's step, 5)" },
    { "spread", .value = "N",
      .help = "take means over N runs with steps around each of them, from 2^-1/4 to 2^1/4 times "
              "it: orders then do not hang on where in a step events fall (default: 1)" },
    { "at", .value = "TIME", .help = "errors at this time alone, where the runs end" },
    { "duration", .value = "TIME",
      .help = "errors of all steps up to this time (default: the scene's duration)" },
    { "reference", .value = "WHICH",
      .help = "what is compared with: event-driven, or the same scheme with half the step (self); "
              "default: event-driven if it takes the scene",
      .choices = "auto|event-driven|self" },
    OPTION_SET,
    { "plot", 'p', .value = "FILE",
      .help = "draw errors over steps on logarithmic axes (.svg, .png or .pdf)" },
    { "output", 'o', .value = "FILE", .help = "write the table as CSV; - is standard output" },
    CLI_OPTION_JSON,
    { "quiet", 'q', .help = "no progress line" },
    { 0 },
};

static const cli_option sweep_options[] = {
    { "set", 's', .value = "PATH=VALUES", .repeats = true,
      .help = "values of the scene: one, several with commas between them, or LOW:HIGH:COUNT; a "
              "name without a dot is one of `parameters`" },
    { "output", 'o', .value = "FILE",
      .help = "the table, by its ending .h5, .csv or .json; run files and summaries are beside it "
              "in a folder with the ending .runs (default: the scene's name with -sweep.h5)" },
    { "jobs", 'j', .value = "N", .help = "runs side by side, each a process (default: 1)" },
    { "retry", .help = "do runs again that were refused or failed" },
    { "no-store", .help = "write no run files, summaries alone" },
    { "list", .help = "do not run: print the runs, one a line" },
    { "worker", .help = "take lines of --list from standard input and do these runs alone" },
    { "plot", 'p', .value = "FILE",
      .help = "draw a number over the first parameter, a line for each value of the second (.svg, "
              ".png or .pdf)" },
    { "what", .value = "WHAT", .help = "which number (default: energy)",
      .choices = "energy|energy_created|contact_work|dissipation|external_work|penetration|"
                 "penetration_relative|contacts|residual|steps|time|wall_seconds" },
    CLI_OPTION_JSON,
    CLI_OPTION_QUIET,
    { 0 },
};

static const cli_option plot_options[] = {
    { "output", 'o', .value = "FILE",
      .help = "the figure, by its ending .svg, .png or .pdf (default: RUN-WHAT.svg)" },
    { "at", .value = "TIME[,TIME...]",
      .help = "with bodies and deformed: the stored time next to it (default: the last); bodies "
              "takes several, a picture for each" },
    CLI_OPTION_VIEW,
    CLI_OPTION_COLOUR,
    CLI_OPTION_REGION,
    CLI_OPTION_BORN,
    CLI_OPTION_WITH,
    { "list", .help = "list the kinds of figures" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option recover_options[] = {
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option animate_options[] = {
    { "output", 'o', .value = "FILE",
      .help = "the film, by its ending .mp4 or .gif (made by ffmpeg), or a folder for numbered PNG "
              "pictures" },
    { "seconds", .value = "S", .help = "how long the film is (default: 10), 25 pictures a second" },
    CLI_OPTION_VIEW,
    CLI_OPTION_COLOUR,
    CLI_OPTION_REGION,
    CLI_OPTION_BORN,
    CLI_OPTION_WITH,
    CLI_OPTION_JSON,
    CLI_OPTION_QUIET,
    { 0 },
};

static const cli_option show_options[] = {
    { "html", .value = "FILE",
      .help = "write the page, which any browser opens, instead of serving it" },
    { "no-open", .help = "print the address, open no browser" },
    { "wait", .value = "S", .help = "stop serving if nobody comes for so long (default: 600)" },
    { "max-size", .value = "MB",
      .help = "leave out states until the page is not larger (default: 25)" },
    { "every", .value = "N", .help = "every N-th stored state (default: 1)" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option export_options[] = {
    { "to", .value = "FORMAT", .help = "a table (default), or a folder of files for ParaView",
      .choices = "csv|vtk" },
    { "output", 'o', .value = "FILE",
      .help = "write to a file instead of standard output; with --to vtk the folder (default: "
              "the run's name with -vtk)" },
    { "every", .value = "N", .help = "with --to vtk: every N-th stored state (default: 1)" },
    { "json", .help = "print the table as JSON; with --output or --to vtk: names of the files" },
    { 0 },
};

static const cli_option measure_options[] = {
    { "at", .value = "TIME", .help = "the stored time next to it (default: the last)" },
    { "region", .value = "LOW,HIGH",
      .help = "a box, by all numbers of its low corner and then of its high one (default: around "
              "all bodies that move)" },
    { "cells", .value = "NX,NY[,NZ]", .help = "with stress: cut the region into so many cells" },
    { "axis", .value = "X[,Y]",
      .help = "where the vertical axis of a pile stands (default: at the origin)" },
    { "width", .value = "D", .help = "of the rings about the axis (default: a dozen in all)" },
    { "rings", .value = "N", .help = "how many of them (default: as many as the bodies need)" },
    { "strip", .value = "R0,Z0,R1,Z1", .help = "with meridian: this strip alone" },
    { "born", .value = "FROM,TO",
      .help = "with layers: the one of what was born within these times (default: six of equal "
              "times)" },
    { "plot", 'p', .value = "FILE", .help = "draw the curve (.svg, .png or .pdf)" },
    { "output", 'o', .value = "FILE", .help = "write the table as CSV; - is standard output" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option scenes_options[] = {
    { "names", .help = "names only, one a line" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option new_options[] = {
    { "output", 'o', .value = "FILE", .help = "name of the new scene (default: NAME.yaml)" },
    { "force", 'f', .help = "replace a file that is there" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option solve_options[] = {
    { "solver", .value = "NAME", .help = "which solver (default: auto; see --list)",
      .choices = "auto|nsgs|nsgs-anderson|nsgs-bodies|nsgs-symmetric|nsgs-freezing|ncg|"
                 "contact-newton|proximal-newton|admm|alart-curnier|apgd|interior-point|lemke|path|"
                 "enumerate|..." },
    { "tolerance", 't', .value = "T", .help = "residual to reach (default: 1e-8)" },
    { "residual", .value = "WHICH",
      .help = "which residual is held against the tolerance (default: field)",
      .choices = "field|scaled|both" },
    { "max-seconds", .value = "S", .help = "limit of time (default: 60; 0: none)" },
    { "max-iterations", .value = "N",
      .help = "limit of iterations, sweeps or Newton steps alike (default: 1e8)" },
    { "threads", .value = "N",
      .help = "threads to use, 0: as many as there are (default: 1); the answer is the same" },
    { "cold", .help = "begin with zero, not with the guess in the file" },
    { "output", 'o', .value = "FILE",
      .help = "write impulses and velocities as CSV; - is standard output" },
    { "all", .help = "list every solution of a small planar problem or LCP" },
    { "list", .help = "list the solvers" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option paradox_options[] = {
    { "equation", .value = "A,B,C,D",
      .help = "no scene: every x with A x + B |x| + C in -(1 + D) sgn(x)" },
    { "sweep", .value = "X=LOW:HIGH:N,Y=LOW:HIGH:M",
      .help = "over a grid of two of the scene's parameters, at most 250000 points" },
    { "plot", 'p', .value = "FILE",
      .help = "draw the map of a sweep, or force and impulses of one state (.svg, .png or .pdf)" },
    { "output", 'o', .value = "FILE",
      .help = "with --sweep: write the grid as CSV; - is standard output" },
    { "tolerance", 't', .value = "T",
      .help = "what is zero, relative to the numbers it is made of (default: 1e-12)" },
    OPTION_SET,
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option equilibria_options[] = {
    OPTION_SET,
    { "stability", .value = "HOW",
      .help = "verdicts by proof or else experiment (default), by one of them, by the static and "
              "kinetic criteria alone, or none",
      .choices = "auto|proof|criteria|experiment|none" },
    { "sweep", .value = "X=LOW:HIGH:N,Y=LOW:HIGH:M",
      .help = "kinds of equilibria over one or two of the scene's parameters, at most 100000 "
              "points; with one, the values where the kind changes" },
    { "plot", 'p', .value = "FILE",
      .help = "draw Coulomb's cone with the equilibria in it, or the map of a sweep (.svg, .png "
              "or .pdf)" },
    { "output", 'o', .value = "FILE",
      .help = "with --sweep: write the grid as CSV; - is standard output" },
    { "tolerance", 't', .value = "T",
      .help = "what is zero, relative to the numbers it is made of (default: 1e-12)" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_command commands[] = {
    { "run", "[SCENE]", 0, 1, "simulate a scene", .options = run_options, .main = cli_run,
      .text = "SCENE is a YAML file, - for standard input, or the name of a built-in scene. Every "
              "step is solved to the "
              "tolerance of its scene or refused, and its energy ledger must close to rounding. "
              "The run file holds scene, settings and every stored step. Ctrl-C finishes the step "
              "and says how to go on.",
      .examples = "scree run impacting-stick\n"
                  "scree run ball.yaml -o ball.h5 --set scheme.step=1e-4 --set parameters.e=0.5\n"
                  "scree run --resume ball.h5" },
    { "check", "SCENE", 1, 1, "list every mistake in a scene, with its place",
      .options = check_options, .main = cli_check, .examples = "scree check ball.yaml" },
    { "compare", "SCENE", 1, 1, "run a scene under several schemes, ledgers side by side",
      .options = compare_options, .main = cli_compare,
      .examples = "scree compare impacting-stick --schemes moreau-jean,moreau-jean-fremond "
                  "--plot stick.svg" },
    { "converge", "SCENE", 1, 1, "measure how errors of schemes fall with the step",
      .options = converge_options, .main = cli_converge_main,
      .text = "Runs each scheme with several steps and compares it, at every step of its own, with "
              "the event-driven scheme where that takes the scene, and otherwise with itself at "
              "half the step. Positions count with their largest error. Velocities jump at "
              "impacts, which come up to a step too early or too late: they count with the mean "
              "of their error over time. Orders are those between neighbours and a fit to all.",
      .examples = "scree converge klarbring --schemes moreau-jean,nscd --steps 1e-2:6 --at 8 "
                  "--plot converge.svg\n"
                  "scree converge bouncing-ball --schemes moreau-jean,moreau-jean-fremond" },
    { "sweep", "SCENE", 1, 1, "run a scene for many values of its parameters",
      .options = sweep_options, .main = cli_sweep_main,
      .text = "Every run is a process of its own and leaves a summary, also if it is refused or "
              "crashes. What is done is not done again: the same command goes on where it was "
              "stopped. --list and --worker do single runs elsewhere, as in job arrays "
              "(docs/sweep.md).",
      .examples =
          "scree sweep bouncing-ball --set e=0.1:0.9:9 --jobs 2 -o ball.h5 --plot ball.svg\n"
          "scree sweep impacting-stick --set scheme.name=moreau-jean,moreau-jean-fremond "
          "--set mu=0:0.3:4 -o stick.csv" },
    { "solve", "[PROBLEM]", 0, 1, "solve a stored contact problem", .options = solve_options,
      .main = cli_solve,
      .text = "PROBLEM is an FCLIB file (HDF5) or a text file of the field (.dat): a local or "
              "global problem with friction in 2D or 3D, with rolling resistance, or a linear "
              "complementarity problem. An answer above the tolerance is never called solved.",
      .examples = "scree solve pile.hdf5 --tolerance 1e-10 -o impulses.csv\n"
                  "scree solve pile.hdf5 --solver nsgs --max-seconds 5 --json\n"
                  "scree solve rod.dat --all" },
    { "equilibria", "SCENE", 1, 1, "list every equilibrium of a small system",
      .options = equilibria_options, .main = cli_equilibria,
      .text = "SCENE is a matrix system with a stiffness that is not negative and up to 10 planar "
              "contacts, or rigid bodies in the plane that rest on up to 10 points. Friction at "
              "rest makes families of equilibria; they are listed in pieces on which every contact "
              "is free, grazing, stuck or about to slip, with the range of reactions and a verdict "
              "about stability that names its ground.",
      .examples = "scree equilibria klarbring --set parameters.FT=2 --set parameters.mu=1.5\n"
                  "scree equilibria klarbring --plot cone.svg\n"
                  "scree equilibria klarbring --sweep A=-1:1:41,mu=0:2:41 --plot map.svg" },
    { "paradox", "[SCENE]", 0, 1, "count the motions that Coulomb's law allows",
      .options = paradox_options, .main = cli_paradox,
      .text = "SCENE is planar and begins with exactly one closed contact, with friction, that "
              "slides or is at rest. Every motion that may follow is listed: none (Painleve's "
              "paradox: the velocities must jump without a collision), one, several or infinitely "
              "many. Beside it stands what each scheme does within a few steps, for steps of "
              "three lengths.",
      .examples = "scree paradox painleve-rod --set parameters.omega0=6\n"
                  "scree paradox painleve-rod --sweep theta0=0.02:1.55:120,mu=0.02:2.5:120 "
                  "--plot map.svg\n"
                  "scree paradox --equation 1,-2,0.5,-3 --json" },
    { "plot", "[RUN] [WHAT]", 0, 2, "draw a figure of a run", .options = plot_options,
      .main = cli_plot,
      .choices = { [1] = "overview|energy|works|residual|velocities|impulses|gaps|trajectories|"
                         "coordinates|speeds|phase|tangential-work|balance|deformed|bodies|..." },
      .examples = "scree plot impacting-stick.h5 energy -o energy.pdf\n"
                  "scree plot sliding-block.h5 deformed --at 0.2 -o block.png\n"
                  "scree plot dominoes.h5 bodies --at 0,0.4,0.8 --with forces -o dominoes.png" },
    { "show", "RUN", 1, 1, "see a run: a page that plays it", .options = show_options,
      .main = cli_show,
      .text = "Without --html the page is served on 127.0.0.1 at an address that nobody can guess, "
              "also while the run is still being written, until it is closed. With --html it is "
              "one file that needs no server, no network and nothing beside it. It has bodies in "
              "the plane and in space, elastic bodies with their stress, forces of contacts by "
              "stick and slip, cones of friction, numbers of what is picked, the energies, and the "
              "scene.",
      .examples = "scree show dominoes.h5 --html dominoes.html" },
    { "animate", "RUN", 1, 1, "draw a run as a film", .options = animate_options,
      .main = cli_animate,
      .text = "Pictures are those of scree plot RUN bodies, at even times from the first stored "
              "state to the last, all with one view.",
      .examples = "scree animate dominoes.h5 -o dominoes.mp4 --with forces\n"
                  "scree animate dominoes.h5 -o pictures --seconds 4 --view front" },
    { "recover", "RUN", 1, 1, "cut a damaged run file back to what stands before the damage",
      .options = recover_options, .main = cli_recover,
      .text = "Every row of a run file has a digest. Rows from the first one on that does not have "
              "it are cut off, and the run can be read, and resumed, up to there. What the file "
              "was stays beside it as RUN.damaged. A run that is whole is left alone.",
      .examples = "scree recover ball.h5" },
    { "export", "RUN [WHAT]", 1, 2, "write a table of a run as CSV, or files for ParaView",
      .options = export_options, .main = cli_export,
      .choices = { [1] = "energy|bodies|coordinates|contacts|joints|events|nodes|elements|path" },
      .text =
          "energy: the ledger of every step, energies at its end. bodies: positions and "
          "velocities. coordinates: the same of a system or a mechanism. contacts: gaps, "
          "velocities, impulses and works by the step's own law. "
          "nodes, elements: of elastic bodies, places and velocities, strain and stress. "
          "joints: their coordinates, rates, reactions on the first body and works. "
          "path: coordinates of the point of a sweeping process. "
          "events: time and kind of each, of a run with the scheme event-driven. "
          "Numbers keep every digit.\n\n"
          "--to vtk takes no WHAT. It writes balls.pvd (discs and spheres as points with a "
          "radius), shapes.pvd and fixed.pvd (everything else, as polygons), elastic.pvd (meshes "
          "with stresses) and contacts.pvd (points with forces), each with its files over "
          "time.",
      .examples = "scree export impacting-stick.h5 energy --to csv -o energy.csv\n"
                  "scree export pile.h5 --to vtk -o pile-vtk --every 10" },
    { "measure", "RUN WHAT", 2, 2, "read off a packing, a pile or a wall",
      .options = measure_options, .main = cli_measure,
      .choices = { [1] = "stress|fabric|forces|coordination|solid-fraction|ground-pressure|"
                         "meridian|slope|layers|joints|force-on:NAME|flow:z=0|..." },
      .text =
          "stress: mean stress of the region or of cells, tension positive. fabric: directions of "
          "contacts that bear. forces: how large they are. coordination: neighbours of bodies. "
          "solid-fraction: share of the region that is filled. ground-pressure: on what does not "
          "move, in rings about an axis. meridian: forces across conical and cylindrical strips. "
          "slope: surface of a pile and its angle of repose. layers: what was born within some "
          "time, and whether forces across cylinders follow it. joints: of blocks in the plane, "
          "closed, sliding, hinged or open, and where the thrust passes. force-on:NAME: of "
          "contacts on a body or group over time. flow:AXIS=PLACE: bodies and mass that pass a "
          "plane, to the positive side.",
      .examples = "scree measure pile.h5 ground-pressure --width 0.005 --plot pressure.svg\n"
                  "scree measure silo.h5 force-on:wall -o wall.csv\n"
                  "scree measure arch.h5 joints --json" },
    { "scenes", NULL, 0, 0, "list the built-in scenes", .options = scenes_options,
      .main = cli_scenes },
    { "new", "NAME", 1, 1, "write out a built-in scene to start from", .options = new_options,
      .main = cli_new, .examples = "scree new bouncing-ball -o mine.yaml" },
    { "import", "FILE", 1, 1, "make a scene of a file of another program",
      .text =
          "Siconos' mechanics (.hdf5), OBJ with a body per object, tables of bodies (.csv), "
          "MuJoCo's MJCF (.xml), URDF. What is not carried over is listed on standard error and "
          "at the head of the scene; docs/import.md has the details.",
      .options = import_options, .main = cli_import,
      .examples = "scree import cube.hdf5 -o cube.yaml\n"
                  "scree run cube.yaml" },
    { "schema", NULL, 0, 0, "print the scene language as JSON Schema, for editors",
      .options = schema_options, .main = cli_schema,
      .examples = "scree schema > scree-schema.json" },
    { 0 },
};

// OpenBLAS asks this of the environment while it is loaded, and starts as many threads. Ours
// answers instead: the solvers want one, and under a limit of memory a thread of its waits for
// ever.
__attribute__((visibility("default"))) int openblas_num_threads_env(void);
int openblas_num_threads_env(void) { return 1; }

extern int H5dont_atexit(void);  // of HDF5, which is known in src/store alone

// A file that is opened while standard output is closed would get its number, and what is printed
// then would be written over the file. So the number is taken; to print fails as before.
static void take_closed_streams(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0) open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv) {
    const cli_program program = {
        .name = "scree",
        .version = scree_version(),
        .build = scree_version_build(),
        .summary = "simulate bodies that touch, slide, stick and collide",
        .text =
            "scree simulates rigid bodies and mechanical systems with contact, impact and "
            "Coulomb friction by nonsmooth time stepping. Every step books where its energy "
            "went, and the books close.",
        .commands = commands,
        .examples =
            "scree run impacting-stick\n"
            "scree compare impacting-stick --plot stick.svg\n"
            "scree new bouncing-ball && scree check bouncing-ball.yaml",
        .files =
            "Scenes are YAML files; scree schema describes them. Run files are HDF5 and need "
            "nothing beside them.",
    };
    take_closed_streams();
    H5dont_atexit();  // what we open we close; its own look at the end loops over a damaged file
    signal(SIGXFSZ, SIG_IGN);  // a limit of the file's size is an error of a write, told as such
    return cli_main(&program, argc, argv);
}
