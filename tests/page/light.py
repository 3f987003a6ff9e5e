"""How much of a page is as light as paper."""

from __future__ import annotations

import base64

from playwright.sync_api import Page

from tests.page.visits import paint

MAX_LIGHT = 0.07
"""The share of light pixels: those of letters and of white pieces."""
LIGHT_SHARE = """async (shot) => {
  const image = Object.assign(new Image(), { src: `data:image/png;base64,${shot}` });
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  let light = 0;
  for (let at = 0; at < data.length; at += 4) {
    light += Math.min(data[at], data[at + 1], data[at + 2]) > 195;
  }
  return light / (image.width * image.height);
}"""
"""The share of pixels of a screenshot that are about as light as paper."""


def light_share(page: Page, counter: Page) -> float:
    """The share of light pixels on the screen."""
    paint(page)
    share: float = counter.evaluate(LIGHT_SHARE, base64.b64encode(page.screenshot()).decode())
    return share
