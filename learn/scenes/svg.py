"""Rendering of a scene as SVG, for the page.

Each shape is a group that is positioned by a CSS transform, not by attributes.  Transforms can be animated, so the page
keeps groups whose ids stay the same and updates their transforms.
"""

from html import escape

from swagproof.learn.scenes.scene import Scene, Shape


def render_scene(scene: Scene) -> str:
    """Return the picture."""
    size = f'viewBox="0 0 {scene.width:g} {scene.height:g}" width="{scene.width:g}" height="{scene.height:g}"'
    shapes = "".join(map(_draw, scene.shapes))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="scene" role="img" {size} aria-label="{escape(scene.says)}">'
        f"{shapes}</svg>"
    )


def _draw(shape: Shape) -> str:
    data = "".join(
        f' data-{name}="{escape(text)}"'
        for name, text in (("id", shape.id), ("links", shape.links), ("place", shape.place))
        if text
    )
    says = f"<title>{escape(shape.says)}</title>" if shape.says else ""
    return (
        f'<g class="{escape(f"shape {shape.kind} {shape.style}".strip())}"{data} '
        f'style="transform:translate({shape.x:g}px,{shape.y:g}px)">{says}{_inside(shape)}</g>'
    )


def _inside(shape: Shape) -> str:
    text, w, h = escape(shape.text), shape.w, shape.h
    if shape.kind == "cell":
        note = f'<text class="note" x="{w / 2:g}" y="{h - 5:g}">{escape(shape.note)}</text>' if shape.note else ""
        baseline = h / 2 + 5 if not shape.note else h / 2 - 1
        return f'<rect width="{w:g}" height="{h:g}" rx="4"/><text x="{w / 2:g}" y="{baseline:g}">{text}</text>{note}'
    if shape.kind == "frame":
        return f'<rect width="{w:g}" height="{h:g}" rx="7"/><text class="note" x="6" y="13">{text}</text>'
    if shape.kind == "pointer":
        arrow = "" if "stacked" in shape.style else '<path d="M0,14V2M-3.5,6L0,1L3.5,6"/>'
        return f'{arrow}<text x="0" y="{h + 12:g}">{text}</text>'
    if shape.kind == "bracket":
        return f'<path d="M1,{h:g}V1H{max(w - 1, 1):g}V{h:g}"/><text x="{w / 2:g}" y="-4">{text}</text>'
    if shape.kind == "edge":
        return f'<path d="M0,0L{w:g},{h:g}"/>'
    return f'<text x="0" y="11">{text}</text>'
