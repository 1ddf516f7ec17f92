// Shows one scene after another: shapes that stay move to where they now are, others fade.  It knows ids, nothing else.

const leaving = new Map();

export function showScene(picture, svg, { still = false } = {}) {
  const fresh = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  let shown = picture.querySelector("svg");
  if (!shown || still) {
    picture.replaceChildren(document.importNode(fresh, true));
    leaving.clear();
    return;
  }
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

export const shapes = (picture) => [...picture.querySelectorAll(".shape:not(.leaves)")];
