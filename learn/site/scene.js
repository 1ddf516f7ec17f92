// Shows one scene after another: shapes that stay move to where they now are, others fade.  It knows ids, and which
// shapes are cells and pointers: what a step has changed is followed.

const leaving = new Map(); // of every picture: what is no longer there goes by itself

export function showScene(picture, svg, { still = false } = {}) {
  const fresh = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  let shown = picture.querySelector("svg");
  const before = new Map(shown ? shapes(picture).map((group) => [group.dataset.id, look(group)]) : []);
  draw(picture, fresh, shown, still);
  return shown ? shapes(picture).filter((group) => before.get(group.dataset.id) !== look(group)) : [];
}

// What of a shape is news: the text of a cell, the place of a pointer.  That a cell has moved is none, they move together.
const look = (group) => (group.classList.contains("pointer") ? group.style.transform : group.textContent);

function draw(picture, fresh, shown, still) {
  if (!shown || still) return picture.replaceChildren(document.importNode(fresh, true));
  for (const name of ["viewBox", "width", "height", "aria-label"]) shown.setAttribute(name, fresh.getAttribute(name));
  const old = new Map([...shown.children].filter((g) => g.dataset.id).map((g) => [g.dataset.id, g]));
  let before = null;
  for (const next of [...fresh.children]) {
    let group = old.get(next.dataset.id);
    if (group) {
      old.delete(next.dataset.id);
      clearTimeout(leaving.get(group));
      leaving.delete(group);
      const changed = group.textContent !== next.textContent && group.classList.contains("cell");
      if (group.innerHTML !== next.innerHTML) group.innerHTML = next.innerHTML;
      group.setAttribute("class", next.getAttribute("class") + (changed ? " changed" : ""));
      for (const name of ["links", "place"]) {
        if (next.dataset[name]) group.dataset[name] = next.dataset[name];
        else delete group.dataset[name];
      }
      group.style.transform = next.style.transform;
    } else {
      group = document.importNode(next, true);
      group.classList.add("enters");
      requestAnimationFrame(() => requestAnimationFrame(() => group.classList.remove("enters")));
    }
    if (before ? before.nextSibling !== group : shown.firstChild !== group) shown.insertBefore(group, before ? before.nextSibling : shown.firstChild);
    before = group;
  }
  for (const group of old.values()) {
    if (leaving.has(group)) continue;
    group.classList.add("leaves");
    group.removeAttribute("data-place");
    leaving.set(group, setTimeout(() => { group.remove(); leaving.delete(group); }, 400));
  }
}

// Scrolls the picture's own box until what is given is in view: of that the cells, or else the pointers, and of more than
// there is room for the last.
export function reveal(picture, news, zoom, behavior) {
  const of = (kind) => news.filter((group) => group.classList.contains(kind));
  const cells = of("cell");
  const wanted = cells.length ? cells : of("pointer");
  if (!wanted.length) return;
  const boxes = wanted.map((group) => {
    const [x, y] = group.style.transform.match(/-?[\d.]+/g).map(Number); // where it moves to
    const inner = group.getBBox();
    return [x + inner.x, y + inner.y, x + inner.x + inner.width, y + inner.y + inner.height].map((each) => each * zoom);
  });
  const { paddingLeft, paddingTop } = getComputedStyle(picture);
  const place = (low, high, padding, room, now) => {
    const margin = Math.min(40, room / 8);
    const last = Math.max(...boxes.map((box) => box[high])) + parseFloat(padding) + margin;
    const first = Math.max(Math.min(...boxes.map((box) => box[low])) + parseFloat(padding) - margin, last - room);
    return Math.min(Math.max(now, last - room), first);
  };
  const left = place(0, 2, paddingLeft, picture.clientWidth, picture.scrollLeft);
  const top = place(1, 3, paddingTop, picture.clientHeight, picture.scrollTop);
  picture.scrollTo({ left, top, behavior });
}

export const shapes = (picture) => [...picture.querySelectorAll(".shape:not(.leaves)")];
