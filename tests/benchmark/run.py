#!/usr/bin/env python3
"""Measures Tamis in CPU seconds of whole processes, beside DuckDB, pycanon, OR-tools and SciPy in the same run.

    tests/benchmark/run.py [--rows 1000000,2000000,5000000] [--repeat 5] [--seeds 3] [--json FILE] [--only adult,check,lkc,large,vectors,appointments,cells,ucrypt]

Builds the release binary, installs DuckDB, pycanon, OR-tools and SciPy into target/benchmark/venv, writes its files to target/benchmark and prints the
tables of docs/benchmarks.md. CPU time is user plus system time of the child process; memory is its largest resident set.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import venv
from pathlib import Path

import sealed_fields

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "benchmark"
TAMIS = ROOT / "target" / "release" / "tamis"
QUASI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"]

GROUP_BY = """
import duckdb, sys
columns = ", ".join(f'"{name}"' for name in sys.argv[2].split(","))
duckdb.execute(f"select count(*) from (select {columns}, count(*) from read_csv('{sys.argv[1]}', delim=';', header=true) group by all)").fetchall()
"""

# One figure of pycanon in a process of its own: prints it, and the CPU seconds it took after reading.
PYCANON = """
import sys, time, warnings
import pandas
from pycanon import anonymity
warnings.simplefilter("ignore")
table = pandas.read_csv(sys.argv[1], sep=";")
quasi = sys.argv[2].split(",")
arguments = [table, quasi] + ([] if sys.argv[3] == "k_anonymity" else [["occupation"]])
start = time.process_time()
figure = getattr(anonymity, sys.argv[3])(*arguments)
print(figure[0] if isinstance(figure, tuple) else figure, time.process_time() - start)
"""

# The paper's constraint model for CP-SAT: cells a[i][j], the vector counts cells by size, its components are minimised one after the other.
# Prints the vector and the CPU seconds it took after loading.
CONSTRAINT_MODEL = """
import json, sys, time
from ortools.sat.python import cp_model
problem = json.load(open(sys.argv[1]))
f, c = problem["frequencies"], problem["capacities"]
start = time.process_time()
model = cp_model.CpModel()
sizes = range(1, max(f) + 1)
a = [[model.new_int_var(0, min(people, places), "") for places in c] for people in f]
for people, row in zip(f, a):
    model.add(sum(row) == people)
for places, column in zip(c, zip(*a)):
    model.add(sum(column) <= places)
count = {size: [] for size in sizes}
for cell in (cell for row in a for cell in row):
    has = [model.new_bool_var("") for _ in range(max(f) + 1)]
    model.add_exactly_one(has)
    model.add(sum(size * is_it for size, is_it in enumerate(has)) == cell)
    for size in sizes:
        count[size].append(has[size])
vector = []
for size in sizes:
    model.minimize(sum(count[size]))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    vector.append(round(solver.objective_value))
    model.add(sum(count[size]) == vector[-1])
while vector and vector[-1] == 0:
    vector.pop()
print(json.dumps({"vector": vector, "seconds": time.process_time() - start}))
"""

# Cell suppression as scipy solves it with its HiGHS, for a table in JSON. "at once" is Kelly's model: for every level a table of deviations of its own
# that shows it, all in one integer program. "by cuts" is the plain loop: an integer program over the capacity constraints so far, solved anew
# each time, then an attack for every level. Prints cost, whether it is proved, and the CPU seconds it took after loading.
CELL_MODELS = """
import json, sys, time
import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import block_diag, csr_matrix, diags, eye, hstack, vstack
table, way, limit = json.load(open(sys.argv[1])), sys.argv[2], float(sys.argv[3])
cells, equations = table["cells"], table["equations"]
n, place = len(cells), {cell["id"]: i for i, cell in enumerate(cells)}
column = lambda name, missing=0.0: np.array([missing if cell.get(name) is None else cell[name] for cell in cells], float)
value, weight = column("value"), column("weight")
# Where there is no bound, the largest cell: far more than a level needs.
down = np.minimum(value - column("lb", -np.inf), value.max())
up = np.minimum(column("ub", np.inf) - value, value.max())
M = csr_matrix(([c for e in equations for _, c in e["terms"]],
                ([k for k, e in enumerate(equations) for _ in e["terms"]], [place[i] for e in equations for i, _ in e["terms"]])), (len(equations), n))
least = np.array([cell["status"] in ("primary", "hidden") for cell in cells], float)
most = np.array([cell["status"] != "fixed" for cell in cells], float)
demands = [(k, sign, cell[name]) for k, cell in enumerate(cells) if cell["status"] == "primary" for sign, name in ((1, "upl"), (-1, "lpl")) if cell.get(name)]
start = time.process_time()
def solve(constraints, copies=0):
    free = np.full(copies * n, np.inf)
    return milp(np.concatenate([weight, np.zeros(copies * n)]),
                integrality=np.concatenate([np.ones(n), np.zeros(copies * n)]), constraints=constraints,
                bounds=Bounds(np.concatenate([least, -free]), np.concatenate([most, free])),
                options={"time_limit": max(limit - (time.process_time() - start), 1), "mip_rel_gap": 1e-6})
def at_once():
    count = len(demands)
    shown = csr_matrix((np.ones(count), (range(count), [i * n + k for i, (k, _, _) in enumerate(demands)])), (count, count * n))
    goal = [sign * level for _, sign, level in demands]
    return solve([LinearConstraint(hstack([csr_matrix((count * M.shape[0], n)), block_diag([M] * count)]), 0, 0),
                  LinearConstraint(hstack([-vstack([diags(up)] * count), eye(count * n)]), -np.inf, 0),
                  LinearConstraint(hstack([vstack([diags(down)] * count), eye(count * n)]), 0, np.inf),
                  LinearConstraint(hstack([csr_matrix((count, n)), shown]), goal, goal)], count)
def by_cuts():
    rows, sides = [], []
    while True:
        found = solve([LinearConstraint(np.array(rows), sides, np.inf)] if rows else [])
        if found.x is None or time.process_time() - start > limit:
            return found
        x, before = np.round(found.x), len(rows)
        for k, sign, level in demands:
            target = np.zeros(n)
            target[k] = -sign
            attack = linprog(target, A_eq=M, b_eq=np.zeros(M.shape[0]), bounds=np.column_stack([-down * x, up * x]))
            if -attack.fun < level * (1 - 1e-7):
                reduced = target - M.T @ attack.eqlin.marginals
                cut = np.maximum(-reduced, 0) * up + np.maximum(reduced, 0) * down
                rest = level - cut @ least
                rows.append(np.where(least > 0, 0, np.minimum(cut, rest)))
                sides.append(rest)
        if len(rows) == before:
            return found
found = {"at once": at_once, "by cuts": by_cuts}[way]()
seconds = time.process_time() - start
cost = None if found.x is None else float(weight @ np.round(found.x[:n]))
print()
print(json.dumps({"seconds": seconds, "proved": found.status == 0 and seconds < limit, "cost": cost}))
"""

# Tables of totals: name, what `tamis cells generate` is told, CPU seconds asked for the proof.
CELL_TABLES = [
    ("10x10, 5%, wide", ("10,10", 0.05, "wide"), 1),
    ("10x10, 10%, wide", ("10,10", 0.1, "wide"), 1),
    ("20x20, 5%, wide", ("20,20", 0.05, "wide"), 1),
    ("20x20, 10%, wide", ("20,20", 0.1, "wide"), 1),
    ("50x50, 10%, wide", ("50,50", 0.1, "wide"), 3),
    # Six groups of six by six groups of five, with all totals; 300 of the 1,080 innermost cells.
    ("hierarchical, 1,591 cells, 300 primaries, wide", ("6x6,6x5", 0.2778, "wide"), 10),
    ("10x10, 5%, tight", ("10,10", 0.05, "tight"), 1),
    ("10x10, 10%, tight", ("10,10", 0.1, "tight"), 1),
    ("6x6x6, 5%, wide", ("6,6,6", 0.05, "wide"), 5),
    ("6x6x6, 5%, tight", ("6,6,6", 0.05, "tight"), 5),
    ("20x20, 5%, tight", ("20,20", 0.05, "tight"), 60),
    ("20x20, 10%, tight", ("20,20", 0.1, "tight"), 60),
]
# Too large to be proved in a minute: the gap asked after 60 seconds.
CELL_GAPS = [
    ("10x10x10, 5%, wide", ("10,10,10", 0.05, "wide"), 0.06),
    ("10x10x10, 5%, tight", ("10,10,10", 0.05, "tight"), 0.25),
]
# For the heuristic alone: CPU seconds asked.
CELL_LARGE = [
    ("100x100, 5%, wide", ("100,100", 0.05, "wide"), 60),
    ("100x100, 5%, tight", ("100,100", 0.05, "tight"), 60),
    ("30x30x10, 5%, wide", ("30,30,10", 0.05, "wide"), 60),
    ("30x30x10, 5%, tight", ("30,30,10", 0.05, "tight"), 60),
]

# Appointments proved optimal: people, formula of quasi-identifier values, CPU seconds asked.
PROVED = [(50, "N/100+5", 0.5), (100, "N/100+5", 0.5), (1000, "N/100+5", 0.5), (10000, "N/100+5", 0.5), (1000, "N/10+5", 1.0)]

MODELS = {
    "k=5": [{"kind": "k-anonymity", "k": 5}],
    "k=5, (4,3)-diversity": [{"kind": "k-anonymity", "k": 5}, {"kind": "recursive-cl-diversity", "c": 4, "l": 3}],
    "k=5, t=0.2": [
        {"kind": "k-anonymity", "k": 5},
        {"kind": "t-closeness", "t": 0.2, "attribute": "occupation", "distance": "hierarchical"},
    ],
}
# What the engine was asked to stay below, in CPU seconds.
TARGETS = {"k=5": 0.06, "k=5, (4,3)-diversity": 0.13, "k=5, t=0.2": 0.26}


def measure(command, stdout=subprocess.DEVNULL, exit_codes=(0,)):
    """Runs a command; its CPU seconds and largest resident set in megabytes."""
    child = subprocess.Popen([str(part) for part in command], stdout=stdout, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in exit_codes:
        sys.exit(f"failed: {command}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(command, repeat):
    """The run with the least CPU time: noise only adds."""
    return min(measure(command) for _ in range(repeat))


def policy(data, models, name):
    lines = ["[input]", f"path = {json.dumps(str(data))}"]
    for column in QUASI + ["occupation"]:
        role = "sensitive" if column == "occupation" else "quasi-identifying"
        hierarchy = ROOT / "hierarchies" / "adult" / f"{column}.csv"
        lines += [f"[attributes.{column}]", f'role = "{role}"', f"hierarchy = {json.dumps(str(hierarchy))}"]
    for model in models:
        lines += ["[[models]]"] + [f"{key} = {json.dumps(value)}" for key, value in model.items()]
    lines += ["[search]", "suppression_limit = 1.0"]
    path = WORK / f"{name}.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def anonymize(path, extra=()):
    return [TAMIS, "anonymize", path, "--output", WORK / "released.csv", "--seed", "1", "--quiet", "--json", *extra]


def write_adult():
    data = WORK / "adult.csv"
    subprocess.run(["cargo", "run", "--quiet", "--release", "-p", "tamis-adult", "--example", "write_csv", "--", data], cwd=ROOT, check=True)
    return data


def adult(repeat):
    """The bundled Adult data, from start to the written file."""
    data = write_adult()
    rows = []
    for name, models in MODELS.items():
        command = anonymize(policy(data, models, "adult"))
        figures = json.loads(subprocess.run([str(part) for part in command], capture_output=True, check=True).stdout)
        seconds, memory = best(command, repeat)
        rows.append({
            "setting": name,
            "cpu_seconds": seconds,
            "asked": TARGETS[name],
            "megabytes": memory,
            "evaluated": figures["search"]["checked"],
            "lattice": figures["search"]["lattice"],
            "loss": figures["quality"]["loss"],
        })
    return rows


# What both tell: pycanon's function, ours in `check --json`, and by what ours is multiplied to mean the same.
FIGURES = {
    "k": ("k_anonymity", lambda found: found["k"]),
    "distinct l": ("l_diversity", lambda found: found["sensitive"]["occupation"]["distinct_l"]),
    "entropy l, rounded down": ("entropy_l_diversity", lambda found: int(found["sensitive"]["occupation"]["entropy_l"])),
    "t, equal distance": ("t_closeness", lambda found: found["sensitive"]["occupation"]["t"]),
    "alpha": ("alpha_k_anonymity", lambda found: found["sensitive"]["occupation"]["alpha"]),
    "beta, basic": ("basic_beta_likeness", lambda found: found["sensitive"]["occupation"]["beta"]),
    # pycanon takes natural logarithms and leaves out values that a class lacks.
    "delta of the values present": ("delta_disclosure", lambda found: found["sensitive"]["occupation"]["delta_of_present"] * math.log(2)),
}


def check(repeat, python):
    """All figures of the Adult data in one run, beside pycanon, which takes a run for each."""
    data = write_adult()
    command = [TAMIS, "check", data, "--quasi", ",".join(QUASI), "--sensitive", "occupation", "--json"]
    found = json.loads(subprocess.run([str(part) for part in command], capture_output=True, check=True).stdout)
    seconds, _ = best(command, repeat)
    rows = []
    for name, (function, ours) in FIGURES.items():
        told = subprocess.run([python, "-c", PYCANON, data, ",".join(QUASI), function], capture_output=True, check=True, text=True).stdout.split()
        rows.append({"figure": name, "tamis": ours(found), "pycanon": float(told[0]), "pycanon_cpu_seconds": float(told[1])})
    return seconds, rows


LKC = {"kind": "lkc-privacy", "l": 3, "k": 5, "c": 0.75, "attribute": "occupation"}


def lkc(repeat):
    """LKC-privacy with L = 3 over eight quasi-identifiers: testing a table, and finding the best release."""
    data = write_adult()
    told = ",".join(f"{name}={value}" for name, value in LKC.items() if name != "kind")
    # The table as it is does not hold, which is exit code 1.
    test = [TAMIS, "check", data, "--quasi", ",".join(QUASI), "--sensitive", "occupation", "--model", f"lkc-privacy:{told}", "--json"]
    release = anonymize(policy(data, [LKC], "lkc"))
    return [
        {"job": "check", "cpu_seconds": min(measure(test, exit_codes=(0, 1))[0] for _ in range(repeat))},
        {"job": "anonymize", "cpu_seconds": best(release, repeat)[0]},
    ]


def large(sizes, repeat, python):
    """Generated tables, beside one GROUP BY of DuckDB over the same columns and file."""
    rows = []
    for size in sizes:
        data = WORK / "large.csv"
        subprocess.run([TAMIS, "generate", "adult", "--rows", str(size), "--seed", "1", "--output", data], check=True, stdout=subprocess.DEVNULL)
        path = policy(data, MODELS["k=5, t=0.2"], "large")
        # Alternating, so that a busy spell of the machine meets both.
        ours, theirs = [], []
        for _ in range(repeat):
            ours.append(measure(anonymize(path)))
            theirs.append(measure([python, "-c", GROUP_BY, data, ",".join(QUASI)]))
        seconds, memory = min(ours)
        reference = min(theirs)[0]
        rows.append({
            "rows": size,
            "cpu_seconds": seconds,
            "bytes_per_row": memory * 1024 * 1024 / size,
            "duckdb_cpu_seconds": reference,
            "ratio": seconds / reference,
        })
        data.unlink()
    return rows


# What ranking was asked to stay below, in CPU seconds.
VECTOR_TARGETS = {1_000: 0.005, 5_000: 0.05, 100_000: 60}


def vectors(repeat):
    """The exact index of a vector near the middle of the order, whose cells have all sizes, and the way back."""
    rows = []
    for people, asked in VECTOR_TARGETS.items():
        count = int(json.loads(subprocess.run([TAMIS, "vector", "count", "--n", str(people), "--json"], capture_output=True, check=True).stdout)["count"])
        unrank = [TAMIS, "vector", "unrank", "--n", str(people), "--index", str(count // 2), "--json"]
        found = json.loads(subprocess.run([str(part) for part in unrank], capture_output=True, check=True).stdout)
        index = [TAMIS, "vector", "index", "--vector", ",".join(map(str, found["vector"])), "--json"]
        seconds, megabytes = best(index, repeat)
        back = best(unrank, repeat)
        rows.append({"people": people, "cpu_seconds": seconds, "asked": asked, "megabytes": megabytes, "unrank_cpu_seconds": back[0], "unrank_megabytes": back[1]})
    return rows


def made_up(people, formula="N/100+5", seed=1):
    """A problem of the paper's generator."""
    command = [TAMIS, "appointments", "generate", "paper", "--people", str(people), "--quasi-ids", formula, "--seed", str(seed), "--json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def solve_exactly(problem):
    listed = [",".join(map(str, problem[numbers])) for numbers in ("frequencies", "capacities")]
    return [TAMIS, "appointments", "solve", "--frequencies", listed[0], "--capacities", listed[1], "--method", "exact", "--json"]


def appointments(repeat, python):
    """Proved schedules of the paper's populations, the heuristic for a million people and for a programme like Norway's, and the paper's
    constraint model beside Tamis."""
    rows = []
    for people, formula, asked in PROVED:
        command = solve_exactly(made_up(people, formula))
        is_proved = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["optimal"]
        seconds, megabytes = best(command, repeat)
        rows.append({"job": f"exact, N = {people:,}, Q = {formula}" + ("" if is_proved else ", not proved"), "cpu_seconds": seconds, "megabytes": megabytes, "asked": asked})
    lists = {numbers: WORK / f"{numbers}.txt" for numbers in ("frequencies", "capacities")}
    problem = made_up(1_000_000)
    for numbers, path in lists.items():
        path.write_text(",".join(map(str, problem[numbers])))
    million = [TAMIS, "appointments", "solve", *(f"--{numbers}=@{path}" for numbers, path in lists.items()), "--method", "heuristic", "--json"]
    people, slots = WORK / "invitations.csv", WORK / "centres.csv"
    subprocess.run([TAMIS, "appointments", "generate", "norway", "--output-people", people, "--output-slots", slots, "--seed", "1"], capture_output=True, check=True)
    national = [TAMIS, "appointments", "assign", "--people", people, "--quasi", "birth_year", "--slots", slots, "--capacity", "capacity",
                "--programme", "region,date", "--output", WORK / "appointed.csv", "--method", "heuristic", "--seed", "1", "--json"]
    for job, command, asked in [("heuristic, N = 1,000,000", million, 1), ("heuristic, 2.4 million invitations of 1,410 programmes, read and written", national, 10)]:
        seconds, megabytes = best(command, repeat)
        rows.append({"job": job, "cpu_seconds": seconds, "megabytes": megabytes, "asked": asked})
    beside = []
    for people in (20, 50, 100):
        problem = made_up(people)
        path = WORK / "appointments.json"
        path.write_text(json.dumps(problem))
        model = json.loads(subprocess.run([python, "-c", CONSTRAINT_MODEL, path], capture_output=True, check=True).stdout)
        command = solve_exactly(problem)
        assert json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["vector"] == model["vector"]
        beside.append({"people": people, "cp_sat_cpu_seconds": model["seconds"], "cpu_seconds": best(command, repeat)[0]})
    return {"rows": rows, "constraint_model": beside}


def totals(shape, seed):
    """A made-up table of totals, as a JSON file."""
    sizes, primaries, bounds = shape
    path = WORK / "totals.json"
    subprocess.run([TAMIS, "cells", "generate", "--sizes", sizes, "--primaries", str(primaries), "--bounds", bounds, "--seed", str(seed), "--output", path],
                   check=True, stdout=subprocess.DEVNULL)
    return path


def protect(path, *extra):
    """What `tamis cells protect` finds, with the CPU seconds of the process."""
    answer = WORK / "protected.json"
    with answer.open("wb") as out:
        seconds, megabytes = measure([TAMIS, "cells", "protect", path, "--json", *extra], stdout=out)
    return {**json.loads(answer.read_text()), "cpu_seconds": seconds, "megabytes": megabytes}


def cost_of_primaries(path):
    return sum(cell["weight"] for cell in json.loads(path.read_text())["cells"] if cell["status"] == "primary")


def cells(seeds, python):
    """Patterns proved optimal or bounded within a minute, the heuristic beside them and on larger tables, and two plain ways to state the problem
    for the same solver."""
    result = {"proved": [], "gaps": [], "large": [], "beside": []}
    for kind, tables in (("proved", CELL_TABLES), ("gaps", CELL_GAPS)):
        for name, shape, asked in tables:
            runs = []
            for seed in range(1, seeds + 1):
                path = totals(shape, seed)
                best_found = protect(path, "--method", "optimal", "--time-limit", "60")
                quick = protect(path, "--method", "heuristic")
                primaries = cost_of_primaries(path)
                runs.append({
                    "cpu_seconds": best_found["cpu_seconds"],
                    "optimal": best_found["optimal"],
                    "gap": best_found["gap"],
                    "attacks": best_found["search"]["attacks"],
                    "heuristic_cpu_seconds": quick["cpu_seconds"],
                    # How much dearer all hidden cells are than the best known, and the secondaries alone.
                    "dearer": quick["cost"] / best_found["cost"] - 1,
                    "dearer_secondaries": (quick["cost"] - best_found["cost"]) / (best_found["cost"] - primaries) if best_found["cost"] > primaries else 0,
                })
            result[kind].append({"table": name, "asked": asked, "runs": runs})
    for name, shape, asked in CELL_LARGE:
        found = protect(totals(shape, 1), "--method", "heuristic")
        result["large"].append({"table": name, "cpu_seconds": found["cpu_seconds"], "megabytes": found["megabytes"], "asked": asked})
    for name, shape, _ in [CELL_TABLES[0], CELL_TABLES[6], CELL_TABLES[3]]:
        path = totals(shape, 1)
        ours = protect(path, "--method", "optimal")
        row = {"table": name, "cpu_seconds": ours["cpu_seconds"]}
        for way in ("at once", "by cuts"):
            told = subprocess.run([python, "-c", CELL_MODELS, path, way, "60"], capture_output=True, check=True, text=True).stdout
            model = json.loads(told.splitlines()[-1])
            assert not model["proved"] or abs(model["cost"] - ours["cost"]) < 1e-6 * ours["cost"], (name, way, model, ours["cost"])
            row[way] = model["seconds"] if model["proved"] else None
        result["beside"].append(row)
    return result


def print_cells(result):
    spread = lambda values, digits: f"{sum(values) / len(values):.{digits}f} ({max(values):.{digits}f})"
    print("\n| proved optimal | CPU seconds, mean (worst) | asked | proved | attacks a second | heuristic, CPU seconds | dearer | of secondaries |")
    print("|---|---|---|---|---|---|---|---|")
    for row in result["proved"]:
        runs = row["runs"]
        column = lambda name: [run[name] for run in runs]
        speed = sum(column("attacks")) / sum(column("cpu_seconds"))
        print(f"| {row['table']} | {spread(column('cpu_seconds'), 2)} | {row['asked']} | {sum(column('optimal'))} of {len(runs)} | {speed:,.0f} "
              f"| {spread(column('heuristic_cpu_seconds'), 2)} | {sum(column('dearer')) / len(runs):.1%} | {sum(column('dearer_secondaries')) / len(runs):.1%} |")
    known = [run for row in result["proved"] for run in row["runs"] if run["optimal"]]
    if known:
        mean = lambda name: sum(run[name] for run in known) / len(known)
        print(f"\nheuristic above the optimum, mean of {len(known)} tables: {mean('dearer'):.1%}, of the secondaries alone {mean('dearer_secondaries'):.1%}")
    print("\n| after 60 seconds | gap, mean (worst) | asked | attacks a second |\n|---|---|---|---|")
    for row in result["gaps"]:
        gaps = [100 * run["gap"] for run in row["runs"]]
        speed = sum(run["attacks"] for run in row["runs"]) / sum(run["cpu_seconds"] for run in row["runs"])
        print(f"| {row['table']} | {sum(gaps) / len(gaps):.1f}% ({max(gaps):.1f}%) | {row['asked']:.0%} | {speed:,.0f} |")
    print("\n| heuristic | CPU seconds | asked | MB |\n|---|---|---|---|")
    for row in result["large"]:
        print(f"| {row['table']} | {row['cpu_seconds']:.1f} | {row['asked']} | {row['megabytes']:.0f} |")
    print("\n| proved | Tamis, CPU seconds of the process | Kelly's model at once | ratio | plain cut loop | ratio |\n|---|---|---|---|---|---|")
    for row in result["beside"]:
        ways = [(f"{row[way]:.2f}", f"{row[way] / max(row['cpu_seconds'], 0.001):.1f}") if row[way] is not None else ("not in 60", "-") for way in ("at once", "by cuts")]
        print(f"| {row['table']} | {row['cpu_seconds']:.3f} | " + " | ".join(part for way in ways for part in way) + " |")


def peers_python():
    directory = WORK / "venv"
    python = directory / "bin" / "python"
    if not python.exists():
        venv.create(directory, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "duckdb", "pycanon", "ortools", "scipy"], check=True)
    return python


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rows", default="1000000,2000000,5000000")
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--seeds", type=int, default=3)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--only", default="adult,check,lkc,large,vectors,appointments,cells,ucrypt")
    options = arguments.parse_args()
    parts = options.only.split(",")
    WORK.mkdir(parents=True, exist_ok=True)
    if "cells" in parts:
        subprocess.run([ROOT / "crates" / "prepare"], check=True)
    features = ["--features", "cells"] if "cells" in parts else []
    subprocess.run(["cargo", "build", "--quiet", "--release", *features], cwd=ROOT, check=True)
    result = {}
    if "adult" in parts:
        result["adult"] = adult(options.repeat)
        print("| Adult, 30,162 rows | CPU seconds | asked | MB | evaluated of 4,320 | loss |\n|---|---|---|---|---|---|")
        for row in result["adult"]:
            print(f"| {row['setting']} | {row['cpu_seconds']:.3f} | {row['asked']} | {row['megabytes']:.0f} | {row['evaluated']} | {row['loss']:.6f} |")
    if "check" in parts:
        seconds, rows = check(options.repeat, peers_python())
        result["check"] = {"cpu_seconds": seconds, "figures": rows}
        print(f"\nall figures of `tamis check` in one run: {seconds:.3f} CPU seconds\n")
        print("| figure | Tamis | pycanon | pycanon's CPU seconds |\n|---|---|---|---|")
        for row in rows:
            print(f"| {row['figure']} | {row['tamis']:.6g} | {row['pycanon']:.6g} | {row['pycanon_cpu_seconds']:.1f} |")
        total = sum(row["pycanon_cpu_seconds"] for row in rows)
        print(f"\npycanon's CPU seconds together: {total:.0f}, ratio {total / seconds:.0f}")
    if "lkc" in parts:
        result["lkc"] = lkc(options.repeat)
        print("\n| LKC-privacy, L=3, K=5, C=0.75 | CPU seconds |\n|---|---|")
        for row in result["lkc"]:
            print(f"| {row['job']} | {row['cpu_seconds']:.3f} |")
    if "large" in parts:
        result["large"] = large([int(size) for size in options.rows.split(",")], max(1, options.repeat // 2), peers_python())
        print("\n| rows, k=5 and t=0.2 | CPU seconds | bytes a row | DuckDB GROUP BY | ratio |\n|---|---|---|---|---|")
        for row in result["large"]:
            print(f"| {row['rows']:,} | {row['cpu_seconds']:.2f} | {row['bytes_per_row']:.1f} | {row['duckdb_cpu_seconds']:.2f} | {row['ratio']:.2f} |")
        per_million = [row["cpu_seconds"] / row["rows"] * 1e6 for row in result["large"]]
        print(f"\nCPU seconds per million rows: {', '.join(f'{value:.2f}' for value in per_million)}")
    if "vectors" in parts:
        result["vectors"] = vectors(options.repeat)
        print("\n| index of a vector, people | CPU seconds | asked | MB | unrank and index, CPU seconds | MB |\n|---|---|---|---|---|---|")
        for row in result["vectors"]:
            print(f"| {row['people']:,} | {row['cpu_seconds']:.3f} | {row['asked']} | {row['megabytes']:.0f} | {row['unrank_cpu_seconds']:.3f} | {row['unrank_megabytes']:.0f} |")
    if "appointments" in parts:
        result["appointments"] = appointments(options.repeat, peers_python())
        print("\n| appointments | CPU seconds | asked | MB |\n|---|---|---|---|")
        for row in result["appointments"]["rows"]:
            print(f"| {row['job']} | {row['cpu_seconds']:.3f} | {row['asked']} | {row['megabytes']:.0f} |")
        print("\n| proved, people | Tamis, CPU seconds of the process | the paper's model in CP-SAT, CPU seconds after loading | ratio |\n|---|---|---|---|")
        for row in result["appointments"]["constraint_model"]:
            ratio = row["cp_sat_cpu_seconds"] / max(row["cpu_seconds"], 0.001)
            print(f"| {row['people']} | {row['cpu_seconds']:.3f} | {row['cp_sat_cpu_seconds']:.2f} | {ratio:.0f} |")
    if "cells" in parts:
        result["cells"] = cells(options.seeds, peers_python())
        print_cells(result["cells"])
    if "ucrypt" in parts:
        subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "tamis-ucrypt", "--example", "xml_speed"], cwd=ROOT, check=True)
        example = TAMIS.parent / "examples" / "xml_speed"
        result["ucrypt"] = sealed_fields.ucrypt(TAMIS, example, WORK, max(1, options.repeat // 2))
        sealed_fields.show(result["ucrypt"])
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
