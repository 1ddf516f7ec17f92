"""Two mistakes at once, of which neither alone explains what is there, are named together; and a plain aggregate of one
of several values."""

from pathlib import Path
from random import Random

import pytest
from support.auditing import Row, run
from support.faults.planted import Plant, make_sample
from support.faults.strangers.misread import TWO

from swagproof.pipeline.audit.causes.explain import find_causes

SEED = 1
WEIGHED = '''
class Weighed:
    """The mean of prices, by their amounts."""
    identity, samples = (0, 0), [(0, 0), (100, 2), (250, 5)]
    @staticmethod
    def combine(a, b): return (a[0] + b[0], a[1] + b[1])
    @staticmethod
    def lift(v): return (v[0] * v[1], v[1])
    @staticmethod
    def lower(a): return a[0] / a[1] if a[1] else None
    @staticmethod
    def equal(a, b): return a == b or (a is not None and b is not None and abs(a - b) <= 1e-9 * abs(b))
'''


@pytest.mark.parametrize("plant", TWO, ids=lambda plant: plant.name)
@pytest.mark.drawn(3)
def test_two_mistakes_are_named_together(plant: Plant) -> None:
    sample = make_sample(plant, SEED)
    first, *more = find_causes(sample)
    assert set(plant.cause.split(" + ")) <= {name for told in (first.name, *first.also) for name in told.split(" and ")}
    assert first.explains == sample.open
    assert not more


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("mean of prices", "answers the mean of the first of its values alone"),
        ("most", "answers the greatest of the second of its values alone"),
        ("weights for values", "takes its first value for its second value, and its second value for its first value"),
        ("any price", None),
    ],
)
@pytest.mark.drawn(1)
def test_a_plain_aggregate_of_one_of_several_values_is_told(tmp_path: Path, done: str, said: str | None) -> None:
    (tmp_path / "weighed.py").write_text(WEIGHED)
    dice = Random(SEED)
    drawn = [(dice.choice("ab"), i, dice.randint(900, 1100), dice.randint(1, 40)) for i in range(400)]
    events: list[Row] = [{"key": k, "time": i, "seq": i, "price": p, "amount": n} for k, i, p, n in drawn]
    results: list[Row] = []
    for key in "ab":
        for a in range(0, 400, 20):
            held = [(price, amount) for k, i, price, amount in drawn if k == key and a <= i < a + 20]
            prices, amounts = zip(*held, strict=True)
            made = {
                "mean of prices": sum(prices) / len(held),
                "most": float(max(amounts)),
                "weights for values": sum(p * n for p, n in held) / sum(prices),
                "any price": float(dice.choice(prices)),
            }
            results.append({"key": key, "window_start": a, "window_end": a + 20, "result": made[done]})
    report = run(events, results, "tumbling 20", f"{tmp_path}/weighed.py:Weighed", value=("price", "amount"))
    told = [one["why"] for one in report.causes if "another aggregate" in (one["cause"], *one["also"])]
    assert told == ([] if said is None else [said])
