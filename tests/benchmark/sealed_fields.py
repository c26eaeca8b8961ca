"""Sealed fields: three million fields of one document after the other sealed and opened, and where the time goes."""

import filecmp
import os
import sqlite3
import subprocess
import time

FIELDS = """[[table]]
name = "patients"
record = "/patients/patient"
record_key = "@id"
key = "id"
[[table.field]]
name = "disease"
[[table.field]]
name = "city"
[[table.field]]
name = "job"
"""
HOLDERS = ["patient", "doctor", "payer"]
VALUES = ("Nowotwór", "Kraków", "Inżynier")
RECORDS = 1_000_000
CELLS = 3 * RECORDS


def measured(command, limit=None, heaps=None):
    """CPU seconds, elapsed seconds and the largest resident set in MB of a process, which may have so many MB of address space."""
    if limit:
        command = ["bash", "-c", f'ulimit -v {limit * 1024}; exec "$@"', "-", *command]
    environment = dict(os.environ, **({"MALLOC_ARENA_MAX": heaps} if heaps else {}))
    start = time.monotonic()
    child = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    elapsed = time.monotonic() - start
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime, elapsed, usage.ru_maxrss / 1024


def least(runs):
    """The run with the least CPU seconds: noise only adds."""
    return min(runs, key=lambda run: run[0])


def write_xml(path, megabytes):
    room = "." * max(0, megabytes * 1_000_000 // RECORDS - 120)
    disease, city, job = VALUES
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<patients>\n')
        for number in range(RECORDS):
            file.write(f'<patient id="{number:07}"><disease>{disease}</disease><city>{city}</city><job>{job}</job><note>{room}</note></patient>\n')
        file.write("</patients>\n")


def write_csv(path):
    with path.open("w", encoding="utf-8") as file:
        file.write("id,disease,city,job,note\n")
        for number in range(RECORDS):
            file.write(f"{number:07},{','.join(VALUES)},{'.' * 60}\n")


def write_sql(path):
    row = ",".join(f"'{value}'" for value in (*VALUES, "." * 60))
    with path.open("w", encoding="utf-8") as file:
        file.write("CREATE TABLE patients (id TEXT, disease TEXT, city TEXT, job TEXT, note TEXT);\n")
        for number in range(RECORDS):
            start, end = "INSERT INTO patients VALUES " * (number % 500 == 0), ";\n" if number % 500 == 499 else ",\n"
            file.write(f"{start}('{number:07}',{row}){end}")


def write_database(path):
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE patients (id TEXT PRIMARY KEY, disease TEXT, city TEXT, job TEXT, note TEXT)")
    database.executemany("INSERT INTO patients VALUES (?, ?, ?, ?, ?)", ((f"{number:07}", *VALUES, "." * 60) for number in range(RECORDS)))
    database.commit()
    database.close()


def dumped(path):
    """What a database holds: its file may differ from another one that holds the same."""
    return sqlite3.connect(path).execute("SELECT * FROM patients ORDER BY id")


def is_same(plain, opened):
    if plain.suffix == ".db":
        return all(one == other for one, other in zip(dumped(plain), dumped(opened), strict=True))
    return filecmp.cmp(plain, opened, shallow=False)


def sealed_and_opened(tamis, here, repeat):
    """Documents of all kinds; XML with one thread and with two, a larger one, and both with 64 MB of address space."""
    (here / "fields.toml").write_text(FIELDS)
    for old in (*here.glob("*.u*"), *here.glob("sealed*"), *here.glob("opened*")):
        old.unlink(missing_ok=True)
    run = lambda *words: [tamis, "ucrypt", *words, "--quiet"]
    for holder in HOLDERS:
        measured(run("keygen", holder, "--directory", here))
    policy = here / "p.upolicy"
    measured(run("policy", "new", policy, "-p", "2", "--fields", here / "fields.toml",
                 *(word for holder in HOLDERS for word in ("--holder", here / f"{holder}.upub"))))
    keys = ["--with", here / "doctor.ukey", "--with", here / "payer.ukey"]
    rows = []
    for name, write, threads, limit, heaps in (
        ("200.xml", lambda path: write_xml(path, 200), 1, None, None),
        ("200.xml", None, 2, None, None),
        ("200.xml", None, 1, 64, None),
        ("200.xml", None, 2, 64, "1"),
        ("1000.xml", lambda path: write_xml(path, 1000), 1, 64, None),
        ("1000.xml", None, 2, 64, "1"),
        ("rows.csv", write_csv, 1, None, None),
        ("rows.sql", write_sql, 1, None, None),
        ("rows.db", write_database, 1, None, None),
    ):
        plain, sealed, opened = (here / f"{kind}-{name}" for kind in ("plain", "sealed", "opened"))
        if not plain.exists():
            write(plain)
        for verb, read, command in (
            ("seal", plain, run("seal", policy, plain, "-o", sealed, "--all", "--threads", threads)),
            ("open", sealed, run("open", policy, sealed, "-o", opened, *keys, "--threads", threads)),
        ):
            cpu, elapsed, resident = least([measured(command, limit, heaps) for _ in range(repeat)])
            size = read.stat().st_size / 1e6
            rows.append({
                "job": f"{verb} {name}", "megabytes_read": size, "threads": threads, "address_space": limit, "heaps": heaps, "cpu_seconds": cpu,
                "seconds": elapsed, "megabytes": resident, "megabytes_per_cpu_second": size / cpu, "cells_per_cpu_second": CELLS / cpu,
            })
        assert is_same(plain, opened), plain
    return rows


def where_the_time_goes(example, here, repeat):
    """An XML document rewritten with ever more of the work, on one thread: what each step adds, in nanoseconds a field."""
    plain, sealed, out = (here / f"steps-{kind}.xml" for kind in ("plain", "sealed", "out"))
    measured([example, "make", plain, 100])
    cells = 4 * (100_000_000 // 268)
    ways = [("copy", plain, out), ("hide", plain, out), ("seal", plain, sealed), ("copy", sealed, out), ("open", sealed, out)]
    # In turn, so that what else the machine does falls on all of them alike.
    runs = [[measured([example, way, read, written, 1]) for way, read, written in ways] for _ in range(repeat)]
    copy, hide, seal, look, opened = (least(each)[0] / cells * 1e9 for each in zip(*runs))
    return [
        {"verb": "seal", "document": copy, "fields": hide - copy, "cipher": seal - hide, "all": seal},
        {"verb": "open", "document": look, "fields": None, "cipher": opened - look, "all": opened},
    ]


def ucrypt(tamis, example, work, repeat):
    here = work / "ucrypt"
    here.mkdir(exist_ok=True)
    return {"documents": sealed_and_opened(tamis, here, repeat), "steps": where_the_time_goes(example, here, repeat)}


def show(result):
    print("\n| sealed fields, 3,000,000 | threads | CPU seconds | seconds | MB a CPU second | fields a CPU second | MB |\n|---|---|---|---|---|---|---|")
    for row in result["documents"]:
        space = f", ulimit -v {row['address_space']} MB" if row["address_space"] else ""
        space += ", one heap" if row["heaps"] else ""
        print(f"| {row['job']}, {row['megabytes_read']:.0f} MB{space} | {row['threads']} | {row['cpu_seconds']:.2f} | {row['seconds']:.2f} "
              f"| {row['megabytes_per_cpu_second']:.0f} | {row['cells_per_cpu_second']:,.0f} | {row['megabytes']:.0f} |")
    alone, both = (
        {row["job"]: row["seconds"] for row in result["documents"] if row["threads"] == threads and not row["address_space"]} for threads in (1, 2)
    )
    for job in both:
        print(f"\n{job}: two threads take {both[job] / alone[job]:.0%} of the time of one")
    print("\n| nanoseconds a field | the document itself | other text in its place | keys and cipher | all |\n|---|---|---|---|---|")
    for row in result["steps"]:
        fields = "" if row["fields"] is None else f"{row['fields']:.0f}"
        print(f"| {row['verb']} | {row['document']:.0f} | {fields} | {row['cipher']:.0f} | {row['all']:.0f} |")
