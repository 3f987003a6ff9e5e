"""openapi.yaml describes the records of the games and of the match as the code has them."""

from __future__ import annotations

from domain.games import GAMES
from tests.service.api.contract import FILE
from tests.service.api.games_in_contract import contract_with


def test_the_contract_has_the_records_of_the_code(update_contract: bool) -> None:
    before = FILE.read_text(encoding="utf-8")
    text = contract_with(before, GAMES)
    if update_contract:
        FILE.write_text(text, encoding="utf-8")
    else:
        assert text == before, "`make contract` writes it anew; read the diff then"
