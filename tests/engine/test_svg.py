from xml.etree import ElementTree

from domain.engine.drawing import svg
from tests.support.for_each import for_each

SVG = "{http://www.w3.org/2000/svg}"


def read(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def test_a_document_says_what_it_shows():
    picture = read(svg.document(30, 20, "Toy", "A board of two cells.", svg.rect(0, 0, 30, 20)))
    assert picture.get("viewBox") == "0 0 30 20"
    assert picture.get("role") == "img"
    assert [part.tag for part in picture] == [f"{SVG}title", f"{SVG}desc", f"{SVG}rect"]
    assert [part.text for part in picture][:2] == ["Toy", "A board of two cells."]


@for_each("words", ["<b> & \"c\" 'd'", "]]>", "青 ü", "x" * 1000])
def test_words_come_back_as_they_were(words):
    picture = read(svg.document(1, 1, words, words, svg.text(0, 0, words, 12, data_words=words)))
    assert [part.text for part in picture] == [words] * 3
    assert picture[2].get("data-words") == words


@for_each("character", ["\0", "\x1b", "\n", "\ud800", "\ufffe"])
def test_what_xml_cannot_hold_is_replaced(character):
    picture = read(svg.document(1, 1, f"a{character}b", ""))
    assert picture[0].text == "a\ufffdb"


def test_numbers_are_short_and_have_no_minus_zero():
    assert svg.circle(1 / 3, -0.001, 12.0) == '<circle cx="0.33" cy="0" r="12"/>'
    assert svg.rect(1e6, 0.004, 1, 1).startswith('<rect x="1000000" y="0"')


def test_a_group_moves_scales_and_styles_its_parts():
    dot = svg.circle(0, 0, 1)
    moved = svg.group(dot, at=(2, 3.5), scale=0.5, stroke_width=2)
    assert moved == f'<g transform="translate(2 3.5) scale(0.5)" stroke-width="2">{dot}</g>'
    assert svg.group(dot) == f"<g>{dot}</g>"


def test_a_pattern_is_defined_once_and_fills_by_its_name():
    dots = svg.definitions(svg.pattern("dots", 8, svg.circle(4, 4, 1)))
    pattern = read(svg.document(1, 1, "", "", dots))[2][0]
    assert (pattern.get("id"), pattern.get("width"), pattern.get("height")) == ("dots", "8", "8")


def test_a_gradient_has_its_colours_from_the_top_to_the_bottom():
    sky = read(svg.gradient("sky", "#001", "#002", "#003"))
    assert (sky.get("id"), sky.get("x2"), sky.get("y2")) == ("sky", "0", "1")
    stops = [(stop.get("offset"), stop.get("stop-color")) for stop in sky]
    assert stops == [("0", "#001"), ("0.5", "#002"), ("1", "#003")]


def test_a_curve_goes_from_its_first_point_to_its_last():
    bends = [(0, 0), (4, 0), (4, 8), (9, 9)]
    assert svg.curve(bends) == "M0 0Q4 0 4 4Q4 8 9 9"
    assert svg.curve([(0, 0), (5, 5), (9, 0)]) == "M0 0Q5 5 9 0"


def test_a_closed_curve_goes_through_the_middles_between_its_points():
    square = [(0, 0), (8, 0), (8, 8), (0, 8)]
    assert svg.closed_curve(square) == "M4 0Q8 0 8 4Q8 8 4 8Q0 8 0 4Q0 0 4 0Z"


def test_a_polygon_has_its_corners_in_order():
    assert svg.polygon([(0, 0), (1, 0.5), (0, 1)]) == '<polygon points="0,0 1,0.5 0,1"/>'


def test_the_outline_of_a_cell_is_a_square():
    assert svg.outline([(0, 0)], 10) == "M0 0L10 0L10 10L0 10Z"
    assert svg.outline([(1, 2)], 10, inset=1) == "M21 11L29 11L29 19L21 19Z"


def test_straight_sides_of_several_cells_are_one_line():
    assert svg.outline([(0, 0), (0, 1)], 10) == "M0 0L20 0L20 10L0 10Z"


def test_an_inset_goes_into_the_cells_at_every_bend():
    bent = svg.outline([(0, 0), (0, 1), (1, 0)], 10, inset=1)
    assert bent == "M1 1L19 1L19 9L9 9L9 19L1 19Z"


def test_a_hole_has_its_own_border():
    ring = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]
    assert svg.outline(ring, 10) == "M0 0L30 0L30 30L0 30ZM20 10L10 10L10 20L20 20Z"


def test_cells_that_meet_at_a_corner_stay_apart():
    assert (
        svg.outline([(0, 0), (1, 1)], 10, inset=1) == "M1 1L9 1L9 9L1 9ZM11 11L19 11L19 19L11 19Z"
    )


def test_two_holes_that_meet_at_a_corner_are_both_drawn():
    holes = {(1, 1), (2, 2)}
    cells = [(row, col) for row in range(4) for col in range(4) if (row, col) not in holes]
    assert svg.outline(cells, 10).count("L") == 3 + 7


def test_round_corners_are_curves_of_the_radius():
    assert svg.outline([(0, 0)], 10, radius=2) == (
        "M0 2Q0 0 2 0L8 0Q10 0 10 2L10 8Q10 10 8 10L2 10Q0 10 0 8Z"
    )


def test_a_large_radius_ends_in_the_middle_of_the_sides():
    assert svg.outline([(0, 0)], 10, radius=99) == svg.outline([(0, 0)], 10, radius=5)


def test_the_order_of_the_cells_does_not_matter():
    cells = [(0, 0), (0, 1), (1, 1), (5, 5)]
    assert svg.outline(cells, 10, 2, 3) == svg.outline(cells[::-1], 10, 2, 3)


def test_no_cells_have_no_outline():
    assert svg.outline([], 10) == ""
