"""How rules are read from instruction files: with their subject, their sense, and their kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.bootstrap.machine.sources import foreign_notes
from holdfast.domain.exchange.foreign import FoundNotes
from tests.requirements import requirement


def read(folder: Path, text: str) -> FoundNotes:
    (folder / "AGENTS.md").write_text(text, encoding="utf-8")
    return foreign_notes("instructions", [folder / "AGENTS.md"], folder=folder).read()


def claims(found: FoundNotes) -> list[str]:
    return [note.claim for note in found.notes]


@requirement("import.claims-keep-their-subject")
@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (
            "Amounts are integers in cents. This is a mandatory requirement.",
            "Amounts are integers in cents. This is a mandatory requirement.",
        ),
        (
            "Prices come from the catalogue. Never cache them. It broke invoices twice.",
            "Prices come from the catalogue. Never cache them. It broke invoices twice.",
        ),
        (
            "The feed keeps the offsets.\n\nThis must never change.",
            "The feed keeps the offsets. This must never change.",
        ),
        (
            "We never print. Run `echo Done. Never twice.` first.",
            "Run `echo Done. Never twice.` first.",
        ),
        ("## Migrations\n\nThey must run twice.", "Migrations: They must run twice."),
        ("Important! Amounts must be integers.", "Important! Amounts must be integers."),
        (
            "When you touch the scheduler:\n\n- ping ops in the channel",
            "When you touch the scheduler: ping ops in the channel",
        ),
        ("- In migrations:\n  - drop no column", "In migrations: drop no column"),
        (
            "## Gotchas\n\n- The cache is not shared.\n  - It does hold an RLock by itself.\n",
            "The cache is not shared. It does hold an RLock by itself.",
        ),
        ("- Database\n  - Never use raw SQL.", "Database: Never use raw SQL."),
        (
            "- `Session` objects are never shared\n  - This includes the workers, always.",
            "`Session` objects are never shared. This includes the workers, always.",
        ),
        (
            "- Cents are\n  integers.\n  - Never round `Cents` in a query.",
            "Cents are integers. Never round `Cents` in a query.",
        ),
        (
            "# Shop\n\nIt is old. The cache is a dict.\n\n- It must be locked.",
            "The cache is a dict. It must be locked.",
        ),
        (
            "- Amounts are always integers.\n- It is never a float.",
            "Amounts are always integers. It is never a float.",
        ),
        (
            "- The feed keeps offsets.\n\n  They must never shrink.",
            "The feed keeps offsets. They must never shrink.",
        ),
        (
            f"- Lock the file. {'So it is written here. ' * 12}\n  - It must stay open.",
            "Lock the file. It must stay open.",
        ),
        ("## Cache\n\n- It must be locked.\n- It must be small.", "Cache: It must be small."),
        ("## Rules\n\n- Use a lock.\n\nStop.\n\n- Never sleep at all.", "Never sleep at all."),
        ("Follow these rules:\n\n- Use UTC for every time stamp.", "Use UTC for every time stamp."),
        ("## Don'ts\n\n- commit directly to main, ever", "Don'ts: commit directly to main, ever"),
        ("## 🚫 Never\n\n- log card numbers", "🚫 Never: log card numbers"),
        ("Don't:\n\n- log card numbers", "Don't: log card numbers"),
        ("## Avoid\n\n- Never use print", "Never use print"),
        ("## Rules\n\n- Two spaces everywhere", "Two spaces everywhere"),
        ("Hallo Welt da. Beträge dürfen nie Floats sein.", "Beträge dürfen nie Floats sein."),
    ],
)  # fmt: skip
def test_a_claim_says_what_it_is_about(tmp_path: Path, text: str, claim: str) -> None:
    assert claim in claims(read(tmp_path, text))


@requirement("import.kind-from-the-section")
@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Gotchas", "gotcha"), ("Known issues", "gotcha"), ("Watch out", "gotcha"),
        ("Caveats and quirks", "gotcha"), ("Decisions", "decision"), ("Assumptions", "assumption"),
        ("Invariants", "invariant"), ("Lessons learned", "insight"), ("Dead ends", "failure"),
        ("Conventions", "rule"), ("Fallstricke", "gotcha"), ("注意事项", "gotcha"),
        ("Règles", "rule"),
    ],
)  # fmt: skip
def test_a_section_gives_its_points_their_kind(tmp_path: Path, heading: str, kind: str) -> None:
    found = read(tmp_path, f"# Shop\n\n## {heading}\n\n- The staging clock is five minutes late.\n")

    assert [note.kind.value for note in found.notes] == [kind]


@requirement("import.kind-from-the-section")
def test_a_paragraph_under_gotchas_is_one_claim(tmp_path: Path) -> None:
    text = "The sandbox resets at midnight UTC. Tests that run then fail."

    (note,) = read(tmp_path, f"## Gotchas\n\n{text}\n").notes

    assert (note.kind.value, note.claim) == ("gotcha", text)


def test_a_long_paragraph_under_gotchas_is_parted(tmp_path: Path) -> None:
    sentence = "The sandbox of the payment provider resets itself at midnight UTC every day. "

    assert len(read(tmp_path, f"## Gotchas\n\n{sentence * 9}\n").notes) > 1


@requirement("import.left-out-is-told")
def test_what_is_no_rule_is_listed_with_the_reason(tmp_path: Path) -> None:
    text = (
        "The backend is a Django app. It talks to Postgres.\n\n"
        "Install it with:\n\n```sh\nmake setup\n```\n\n"
        "| dir | what |\n|---|---|\n| src | code |\n\n[the guide](docs/guide.md)\n"
        "```\nopen to the end\n"
    )

    found = read(tmp_path, text)

    assert found.notes == ()
    assert [(left.why, left.text) for left in found.left] == [
        ("does not read like a rule", "The backend is a Django app. It talks to Postgres."),
        ("a fenced block", "Install it with: make setup"),
        ("a table", "| dir | what |; |---|---|; | src | code |"),
        ("only a link", "[the guide](docs/guide.md)"),
        ("a fenced block", "open to the end"),
    ]


@requirement("import.no-language-dropped")
@pytest.mark.parametrize(
    "rule",
    [
        "Verwende niemals Floats für Geldbeträge.", "Les montants doivent être des entiers.",
        "Nunca uses floats para importes.", "Nunca use floats para valores.",
        "Non usare mai i float per gli importi.", "Gebruik nooit floats voor bedragen.",
        "Nigdy nie używaj floatów do kwot.", "Никогда не используй float для сумм.",
        "不要直接修改数据库。", "金額には必ず整数を使う。", "금액에는 항상 정수를 사용하세요.",
    ],
)  # fmt: skip
def test_rules_in_other_languages_are_taken(tmp_path: Path, rule: str) -> None:
    assert claims(read(tmp_path, f"- {rule}\n")) == [rule]


@requirement("import.no-language-dropped")
@pytest.mark.parametrize(
    "text",
    [
        "Använd inte flyttal för pengar och tänk på det.",
        "אין להשתמש במספרים עשרוניים",
        "ใช้จำนวนเต็มเสมอ",
        "Aja testit ennen jokaista committia.",
        "Älä koskaan muokkaa generoituja tiedostoja.",
        "Jos testi kaatuu, korjaa se heti.",
        "Rahasummat tallennetaan sentteinä tietokantaan.",
        "Kør altid testene før hvert commit.",
        "Bruk alltid heltall for beløp.",
        "Asla ana dala doğrudan göndermeyin.",
        "Vždy spusť testy před každým commitem.",
        "Mindig futtasd a teszteket commit előtt.",
        "Luôn chạy kiểm thử trước khi commit.",
        "Selalu jalankan tes sebelum commit.",
        "Πάντα τρέχε τα τεστ πριν το commit.",
    ],
)
def test_a_language_that_is_not_read_is_said_to_be_so(tmp_path: Path, text: str) -> None:
    for page in (f"- {text}\n", f"{text}\n"):
        (left,) = read(tmp_path, page).left

        assert (left.text, left.why) == (text, "in a language that is not read here")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- 是的。", "too short to stand alone"),
        ("- Does it never end?", "a question"),
        ("- Der Server läuft unter Linux.", "does not read like a rule"),
        ("- Pro accounts see `Käytä aina` there.", "does not read like a rule"),
        ("- src/ holds the source", "does not read like a rule"),
        ("- ---", "too short to stand alone"),
    ],
)
def test_the_reason_fits_what_was_left_out(tmp_path: Path, text: str, why: str) -> None:
    assert [left.why for left in read(tmp_path, f"{text}\n").left] == [why]


@requirement("import.tasks-are-no-rules")
def test_a_task_is_no_rule_but_a_list_of_steps_is(tmp_path: Path) -> None:
    text = (
        "## Rules\n- [ ] Write the release notes\n- [x] Always move to the new cluster\n"
        "- Always tag a release.\n\nBefore each release:\n- [ ] Run the slow tests\n"
    )

    found = read(tmp_path, text)

    assert claims(found) == [
        "Always tag a release.",
        "Before each release: Run the slow tests",
    ]
    assert [left.why for left in found.left] == ["a task", "a task"]


@requirement("import.claims-keep-their-subject")
def test_all_rules_of_a_list_get_its_heading_or_none(tmp_path: Path) -> None:
    text = (
        "## Deploys\n- Never on Fridays, please.\n- Always ask the finance team before a release.\n"
        "- Canary: keep it for at least one hour.\n- Small note.\n\n"
        "## Tests\n- Always run the whole suite before you push.\n- Short one.\n\n"
        "## Never\n- Never skip.\n- Do not push to the main branch directly.\n"
    )

    assert claims(read(tmp_path, text)) == [
        "Deploys: Never on Fridays, please.",
        "Deploys: Always ask the finance team before a release.",
        "Canary: keep it for at least one hour.",
        "Always run the whole suite before you push.",
        "Do not push to the main branch directly.",
    ]
