"""Talk over REST: what players say at a table, and what operators see of it."""

from __future__ import annotations

from tests.service.api.conftest import Api, open_table
from tests.service.api.stage import Stage
from tests.service.api.talking import DAY_MS


def talking(stage: Stage, operator: Api) -> None:
    """Two players talk; one mutes and reports the other, and an operator mutes them, too."""
    one, other = stage.player("Lian Po"), stage.player("Lin Xiangru")
    path = f"{open_table(one, other, game='qin')}/talk/players"
    stage.show(one, "POST", path, {"text": "Good luck"}, name="phrasesOnly")
    stage.show(other, "POST", path, {"phrase": "good_luck"}, name="phrase")
    stage.clock.ms += DAY_MS
    stage.show(one, "POST", path, {"text": "I have an army, you have a jade."}, name="text")
    stage.show(other, "GET", path)
    stage.show(other, "PUT", f"{path}/read", {"number": 2})
    stage.show_stream(other, f"{path}/stream", "streamTalk", after=0, count=2)
    stage.show(other, "PUT", f"/v1/me/mutes/{one.id}", {})
    stage.show(other, "GET", "/v1/me/mutes")
    stage.show(other, "POST", f"{path}/2/report", {})
    stage.show(operator, "GET", "/v1/admin/reports")
    stage.show(
        operator, "PUT", f"/v1/admin/players/{one.id}/mute", {"reason": "boasting", "days": 7}
    )
