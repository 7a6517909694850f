// One hover text for the whole page, shown at once: of an element's title, of an SVG shape's title, or of what a chart
// says about a point. The browser's own tooltip comes late, and not for keys, so titles are taken away while it shows.

const tip = {node: null, holder: null, text: "", own: null};

function tipNode() {
  if (!tip.node) {
    tip.node = element("div", {id: "tip", role: "tooltip", hidden: true});
    document.body.append(tip.node);
  }
  return tip.node;
}

// Shows `text` beside the point (x, y) of the window.
function showTip(text, x, y) {
  const node = tipNode();
  const home = document.querySelector("dialog[open]") || document.body;  // a dialog is above everything else
  if (node.parentNode !== home) home.append(node);
  node.textContent = text;
  node.hidden = !text;
  if (!text) return;
  const {width, height} = node.getBoundingClientRect();
  const left = x + 14 + width > window.innerWidth ? x - 10 - width : x + 14;
  const top = y + 18 + height > window.innerHeight ? y - 10 - height : y + 18;
  node.style.left = `${Math.max(4, Math.min(left, window.innerWidth - width - 4))}px`;
  node.style.top = `${Math.max(4, top)}px`;
}

// Gives the title back to the element that it was taken from.
function hideTip() {
  if (tip.node) tip.node.hidden = true;
  if (tip.holder && tip.own) tip.holder.prepend(tip.own);
  else if (tip.holder && !tip.holder.hasAttribute("title")) tip.holder.setAttribute("title", tip.text);
  Object.assign(tip, {holder: null, own: null, text: ""});
}

const titleOf = (node) => [...node.children].find((child) => child.tagName === "title") || null;

// The element around `target` that has a title.
function holderOf(target) {
  for (let node = target; node && node !== document.body; node = node.parentElement) {
    if (node.getAttribute("title")) return node;
    if (node.namespaceURI === "http://www.w3.org/2000/svg" && titleOf(node)) return node;
  }
  return null;
}

function takeTip(holder, x, y) {
  if (holder === tip.holder) return;
  hideTip();
  if (!holder) return;
  const own = titleOf(holder);
  Object.assign(tip, {holder, own, text: own ? own.textContent : holder.getAttribute("title")});
  if (own) own.remove();
  else holder.removeAttribute("title");
  showTip(tip.text, x, y);
}

function installTips() {
  document.addEventListener("pointerover", (event) => {
    if (tip.holder && tip.holder.isConnected && tip.holder.contains(event.target) && !holderWithin(event.target)) return;
    takeTip(holderOf(event.target), event.clientX, event.clientY);
  });
  document.addEventListener("pointermove", (event) => {
    if (tip.holder && !tip.holder.isConnected) hideTip();
    if (tip.holder) showTip(tip.text, event.clientX, event.clientY);
  });
  document.documentElement.addEventListener("pointerleave", hideTip);
  document.addEventListener("focusin", (event) => {
    const holder = event.target.matches(":focus-visible") ? holderOf(event.target) : null;
    if (!holder) return;
    const {left, bottom} = event.target.getBoundingClientRect();
    takeTip(holder, left, bottom - 12);
  });
  document.addEventListener("focusout", hideTip);
  document.addEventListener("scroll", hideTip, {capture: true, passive: true});
}

// A nearer element with a title than the present one, for example a figure in a row.
function holderWithin(target) {
  const holder = holderOf(target);
  return holder !== null && holder !== tip.holder && tip.holder.contains(holder);
}
