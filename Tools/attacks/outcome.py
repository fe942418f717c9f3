"""What an attack costs both sides, what must hold under it, and the table of all."""
import dataclasses

COLUMNS = ("row", "attack", "attacker: requests", "MB", "CPU s", "frames", "victim: CPU s", "RSS MB", "log lines",
           "honest: asked", "refused", "late or unanswered", "p50 / p99 ms, alone", "p50 / p99 ms, attacked",
           "true box found after, s", "holds")


@dataclasses.dataclass
class Cost:
    """What an attacker spent."""
    requests: int = 0
    sent_bytes: int = 0
    cpu_seconds: float = 0
    frames: int = 0
    statuses: dict = dataclasses.field(default_factory=dict)

    def add(self, status, sent_bytes):
        """One request and its status; 0: no answer."""
        self.requests += 1
        self.sent_bytes += sent_bytes
        self.statuses[status] = self.statuses.get(status, 0) + 1

    def merge(self, other):
        self.requests += other.requests
        self.sent_bytes += other.sent_bytes
        self.cpu_seconds += other.cpu_seconds
        self.frames += other.frames
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count

    def count(self, *statuses):
        return sum(self.statuses.get(status, 0) for status in statuses)


@dataclasses.dataclass
class Check:
    """One thing that must hold."""
    claim: str
    holds: bool
    measured: str


@dataclasses.dataclass
class Outcome:
    """One attack. `alone` and `attacked` are what honest devices experience without it and under it; None: there are none."""
    row: int
    attack: str
    cost: Cost = dataclasses.field(default_factory=Cost)
    victim_cpu_seconds: float = 0
    resident_bytes: int = 0
    log_lines: int = 0
    alone: object = None
    attacked: object = None
    checks: list = dataclasses.field(default_factory=list)
    skipped: str = ""

    def must(self, claim, holds, measured=""):
        self.checks.append(Check(claim, bool(holds), str(measured)))

    @property
    def holds(self):
        return all(check.holds for check in self.checks)

    def line(self):
        if self.skipped:
            return [str(self.row), self.attack, *["–"] * (len(COLUMNS) - 3), f"skipped: {self.skipped}"]
        alone, attacked = self.alone, self.attacked
        return [
            str(self.row), self.attack, f"{self.cost.requests}", f"{self.cost.sent_bytes / 1e6:.1f}",
            f"{self.cost.cpu_seconds:.1f}", f"{self.cost.frames}", f"{self.victim_cpu_seconds:.1f}",
            f"{self.resident_bytes / 1e6:.0f}", f"{self.log_lines}",
            *([f"{attacked.asked}", attacked.refusals(), f"{attacked.late}"] if attacked else ["–"] * 3),
            *(one.waits() if one and one.asked else "–" for one in (alone, attacked)),
            attacked.found() if attacked else "–", "yes" if self.holds else "NO"]


def table(outcomes):
    """Markdown: a line an attack, and below it a line for each thing that must hold."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(outcome.line()) + " |" for outcome in outcomes]
    lines += ["", "| row | must hold | measured | holds |", "|---|---|---|---|"]
    lines += [f"| {outcome.row} | {outcome.attack}: {check.claim} | {check.measured} | {'yes' if check.holds else 'NO'} |"
              for outcome in outcomes for check in outcome.checks]
    return "\n".join(lines)
