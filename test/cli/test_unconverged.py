# SPDX-FileCopyrightText: The scree authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solved or refused: a step that misses its tolerance stops the run, unless the scene accepts it.

Small planar problems that Gauss-Seidel misses are solved another way, so that the scenes here have
more coupled contacts than that way takes.
"""

import re

from harness import check, equal, no_complaints, run_tests

import compare_run  # of the judge, which harness finds


def coupled_text(contacts=12, share=0.3, steps=40, solver="{}"):
    """Contacts that all push on each other: `share` near 1 makes Gauss-Seidel slow."""
    size = 2 * contacts
    lines = ["system:",
             f"  mass: {[[int(i == j) for j in range(size)] for i in range(size)]}",
             "  load: [" + ", ".join(f'"{-20 * (i < contacts)} + 5*sin({2 * i + 3}*t)"'
                                     for i in range(size)) + "]", "  contacts:"]
    for c in range(contacts):
        normal = [1 if i == c else share * (i < contacts) for i in range(size)]
        tangent = [int(i == contacts + c) for i in range(size)]
        lines.append(f"    - {{name: stop{c}, normal: {normal}, tangent: {tangent}, gap: 0.01, "
                     "friction: 0.2}")
    lines += [f"scheme: {{step: 1e-3, duration: {steps}e-3, theta: 0.6}}", f"solver: {solver}"]
    return "\n".join(lines) + "\n"


def first_contact_step(scree):
    """The first step with two contacts or more in its problem, from a run that is solved."""
    scree.expect(0, "run", "coupled.yaml", "-o", "solved.h5")
    counts = {}
    for row in scree.rows("solved.h5", "contacts"):
        if row["status"] != "inactive":
            counts[row["step"]] = counts.get(row["step"], 0) + 1
    return min(step for step, count in counts.items() if count >= 2)


def test_stop(scree):
    """One sweep is not enough: status 1, a message with step, time, contacts, residual."""
    scree.write("coupled.yaml", coupled_text())
    step = first_contact_step(scree)
    answer = scree.expect(1, "run", "coupled.yaml", "-o", "part.h5", "--set", "solver.max_sweeps=1")
    equal("no summary on standard output", answer.out, "")
    for pattern in (rf"step {step}\b", rf"time {step * 1e-3:g}\b", r"\b[1-9]\d* contacts",
                    r"residual \d", r"tolerance 1e-10", r"part\.h5"):
        check(f"the message has {pattern}", re.search(pattern, answer.err), answer)
    check("the message says how to accept it", "unconverged" in answer.err
          and "accept" in answer.err, answer)
    rows, whole = scree.rows("part.h5", "energy"), scree.rows("solved.h5", "energy")
    equal("the steps before are stored", rows, whole[:step])
    states = scree.rows("part.h5", "bodies")
    equal("the states before are stored", states,
          [row for row in scree.rows("solved.h5", "bodies") if row["step"] < step])


def test_stop_json(scree):
    """The same with --json: one document that says where it ended."""
    scree.write("coupled.yaml", coupled_text())
    step = first_contact_step(scree)
    found = scree.json("run", "coupled.yaml", "-o", "part.h5", "--set", "solver.max_sweeps=1",
                       status=1)
    check("status is not done", found and found.get("status") not in (None, "done"), found)
    equal("steps", found["steps"], step - 1)
    check("the message names the step", f"step {step}" in (found.get("message") or ""), found)
    check("run_file", found["run_file"] == "part.h5", found)


def test_stop_with_stride(scree):
    """With a stride the last step before the failure is kept too."""
    scree.write("coupled.yaml", coupled_text())
    step = first_contact_step(scree)
    scree.expect(1, "run", "coupled.yaml", "-o", "part.h5", "--set", "solver.max_sweeps=1",
                 "--set", "output.every=7")
    equal("energy up to the failure", scree.rows("part.h5", "energy")[-1]["step"], step - 1)
    equal("the last state before the failure", scree.rows("part.h5", "bodies")[-1]["step"],
          step - 1)


def test_resume_fails_again(scree):
    """Resuming a refused run meets the same step, and the message offers no endless loop."""
    scree.write("coupled.yaml", coupled_text())
    first = scree.expect(1, "run", "coupled.yaml", "-o", "part.h5", "--set", "solver.max_sweeps=1")
    before = scree.export_hashes("part.h5")
    again = scree.expect(1, "run", "--resume", "part.h5")
    equal("the same message", again.err, first.err)
    equal("the same tables", scree.export_hashes("part.h5"), before)
    check("a refused run does not tell to resume as it is: it would be refused again",
          "go on with: scree run --resume" not in first.err, first)


def test_accept(scree):
    """`accept` goes on, counts, and the ledger still closes."""
    scree.write("coupled.yaml", coupled_text())
    for arguments in (["--set", "solver.max_sweeps=1", "--set", "solver.unconverged=accept"],
                      ["--set", "solver={max_sweeps: 1, unconverged: accept}"]):
        found = scree.json("run", "coupled.yaml", "-o", "accepted.h5", *arguments)
        equal("all steps", found["steps"], 40)
        check("unconverged steps are counted", found["solver"]["unconverged"] > 0, found)
        check("the largest residual is told, not hidden",
              found["solver"]["residual_max"] > found["solver"]["tolerance"], found)
    answer = scree.expect(0, "run", "coupled.yaml", "-o", "accepted.h5", *arguments)
    check("the summary for people says it too", "accepted" in answer.out
          and str(found["solver"]["unconverged"]) in answer.out, answer.out)
    no_complaints("ledger of an accepted run", compare_run.judge_ledger(
        scree.rows("accepted.h5", "energy"), scree.rows("accepted.h5", "contacts")))
    scree.write("coupled.yaml", coupled_text(solver="{max_sweeps: 1, unconverged: accept}"))
    equal("the same from the file", scree.json("run", "coupled.yaml", "-o", "x.h5")["solver"],
          found["solver"])


def test_nothing_to_accept(scree):
    """A run that converges counts none, with accept or not."""
    scree.write("coupled.yaml", coupled_text())
    for extra in ([], ["--set", "solver.unconverged=accept"]):
        found = scree.json("run", "coupled.yaml", "-o", "x.h5", *extra)
        equal("unconverged", found["solver"]["unconverged"], 0)
        check("residual below the tolerance",
              found["solver"]["residual_max"] <= found["solver"]["tolerance"], found)


def test_tolerance(scree):
    """A tighter tolerance is reached, with more sweeps; the law holds to it."""
    scree.write("coupled.yaml", coupled_text())
    sweeps = []
    for tolerance in ("1e-4", "1e-8", "1e-12"):
        found = scree.json("run", "coupled.yaml", "-o", "x.h5", "--set", "solver.name=nsgs",
                           "--set", f"solver.tolerance={tolerance}")
        check(f"tolerance {tolerance}: reached",
              found["solver"]["residual_max"] <= float(tolerance), found)
        sweeps.append(found["solver"]["iterations"])
    check("more sweeps for tighter tolerances", sweeps == sorted(sweeps), sweeps)
    no_complaints("law at 1e-12", compare_run.judge_law(
        scree.rows("x.h5", "contacts"), (0.0, 0.2), "moreau-jean-fremond", 0.6, 1e-8))


def test_slow_is_not_stuck(scree):
    """Gauss-Seidel that is slow but gains is not given up before its limit of sweeps."""
    for contacts, share in ((3, 0.95), (6, 0.88), (10, 0.85)):
        scree.write("slow.yaml", coupled_text(contacts, share, 100))
        answer = scree("run", "slow.yaml", "--set", "solver.max_sweeps=100000000")
        check(f"{contacts} contacts sharing {share}: solved, given the sweeps it takes",
              answer.status == 0, answer)


def test_without_friction(scree):
    """Contacts without tangents (matrix systems, mu = 0) are solved too."""
    for gap, velocity in (("0", "[-1, 0.5]"), ("0.01", "[-1, -1]"), ("0", "[-1, -0.5]")):
        scree.write("smooth.yaml", f"""\
system:
  mass: [[2, 0], [0, 1]]
  load: [-10, -10]
  velocity: {velocity}
  contacts:
    - {{name: one, normal: [1, 0.5], gap: {gap}, restitution: 0.5}}
    - {{name: two, normal: [0.5, 1], gap: {gap}}}
scheme: {{step: 1e-3, duration: 0.5, approach: required}}
""")
        found = scree.json("run", "smooth.yaml")
        if not found or found.get("status") != "done":
            continue
        no_complaints(f"smooth, gap {gap}", compare_run.judge_law(
            scree.rows("smooth.h5", "contacts"), {"one": (0.5, 0.0), "two": (0.0, 0.0)}))


def test_compare(scree):
    """compare of a scene that is not solved: status 1, and both verdicts are told."""
    scree.write("coupled.yaml", coupled_text())
    answer = scree.expect(1, "compare", "coupled.yaml", "--set", "solver.max_sweeps=1")
    check("compare names step and residual", "step" in answer.err and "residual" in answer.err,
          answer)


if __name__ == "__main__":
    run_tests(globals())
