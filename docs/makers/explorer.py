"""Write down for the explorer what only the rooms that prove know: `python docs/makers/explorer.py`.

The registered mistakes of each algorithm go to learn/site/variants.json.
"""

import json
from pathlib import Path
from typing import Any

from swagproof.proofs.kills import SUSPECTS

PLACE = Path(__file__).parents[2] / "learn" / "site"


def list_variants() -> dict[str, list[dict[str, Any]]]:
    """Each algorithm's mistakes: a name, its edits, and why it is hidden, where it is."""
    return {
        suspects.variants.columns[0].slug: [
            {
                "name": variant.name,
                "hidden": variant.hidden,
                "part": variant.part,
                "edits": [[edit.method, edit.old, edit.new] for edit in variant.edits],
            }
            for variant in suspects.variants
        ]
        for suspects in SUSPECTS
    }


def write() -> None:
    """Write the file."""
    text = json.dumps(list_variants(), ensure_ascii=False, indent=1)
    (PLACE / "variants.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
