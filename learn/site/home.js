// Home keeps the token of its address for the explorer, and leads a link that carries a history on to it.

import "./ask.js";

if (location.hash.length > 1 && !document.getElementById(location.hash.slice(1))) location.replace(`explorer.html${location.hash}`);
