"""How long a machine of shared windows runs."""

from hypothesis import HealthCheck, Phase, settings

QUICK = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
HUNT = settings(QUICK, max_examples=300, phases=[Phase.generate])
