"""Holds schemas against Python's jsonschema: those of docs/ and of `requires --schema` are valid by the meta-schema (2020-12);
the latter accept and reject the valuations of tests/fixtures/requires as these say; and the plans and findings of the programs of
tests/fixtures/inputs, and the requirements of those of tests/fixtures/requires, are what docs/ says."""

import json
import subprocess
import sys
from pathlib import Path

from jsonschema import Draft202012Validator as Validator

PROGRAM = Path(sys.argv[1]).resolve()
REQUIRES, INPUTS = Path("tests/fixtures/requires"), Path("tests/fixtures/inputs")


def run(folder, *arguments):
    """The JSON that the program prints."""
    ran = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.stdout, (arguments, ran.stderr)
    return json.loads(ran.stdout)


def validator(schema):
    """A schema that is one."""
    Validator.check_schema(schema)
    return Validator(schema)


def valuations(case, documented):
    """How many valuations of a case its schemas judged, all as they say."""
    config = ["--config", f"requires.fatal = {json.dumps(case['config']['fatal'])}"] if "config" in case else []
    documented.validate(run(REQUIRES, "requires", "--format", "json", *config, *case["sources"]))
    count = 0
    for entry in case["entries"]:
        schema = run(REQUIRES, "requires", "--entry", entry["procedure"], "--schema", *config, *case["sources"])
        judge = validator(schema)
        for valuation in entry["valuations"] + entry.get("schemaOnly", []):
            if valuation.get("valid") is not None:
                given = valuation.get("args", {}) | valuation.get("namelists", {})
                assert judge.is_valid(given) == valuation["valid"], (entry["procedure"], valuation, schema)
                count += 1
    return count


def plan(program, documented):
    """The plan of a program is what docs/ says, and not with a part changed."""
    made = run(INPUTS, "inputs", "--format", "json", *program["sources"])
    documented.validate(made)
    assert not documented.is_valid(made | {"steps": 1}) and not documented.is_valid({}), program["name"]


def main():
    documented = {path.name: validator(json.loads(path.read_text())) for path in Path("docs").glob("*.schema.json")}
    requires = json.loads((REQUIRES / "cases.json").read_text())["requires"]
    count = sum(valuations(case, documented["requires.schema.json"]) for case in requires)
    assert count > 50, count
    programs = json.loads((INPUTS / "cases.json").read_text())["inputs"]
    for program in programs:
        plan(program, documented["inputs.schema.json"])
    print(f"{len(documented)} schemas of docs/, {count} valuations and {len(programs)} plans are judged right by Python.")


main()
