// Makes elements. Text from a profile becomes text nodes and attribute values, never markup.

// element("a", {class: "x", href: "#y", onclick: f}, child, "text", ...); children may be arrays or null.
function element(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "width%") node.style.width = `${value}%`;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  if (tip.holder && !tip.holder.isConnected) hideTip();
}

function svgElement(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) node.setAttribute(name, String(value));
  append(node, children);
  return node;
}

// A number with its unit. `meaning` is its hover text.
function quantity(text, meaning) {
  return element("span", {class: "num", title: meaning}, text);
}

function card(title, ...children) {
  return element("section", {class: "card"}, title && element("h2", {}, title), ...children);
}

// A box whose content may be wider than the page: shadows at its edges, and a hint with the columns that do not fit.
function scrollBox(content, properties) {
  const box = element("div", {...properties, class: `scroll ${properties && properties.class || ""}`.trim()}, content);
  const outer = element("div", {class: "scroll-outer"}, box);
  const hint = element("p", {class: "scroll-hint", hidden: true});
  const update = () => {
    const right = box.scrollLeft + box.clientWidth;
    const more = box.scrollWidth - right > 2;
    outer.classList.toggle("more-right", more);
    outer.classList.toggle("more-left", box.scrollLeft > 2);
    hint.hidden = !more && box.scrollLeft <= 2;
    const beyond = [...box.querySelectorAll("thead th")].filter((head) => head.offsetLeft + head.offsetWidth > right + 2);
    const names = beyond.map((head) => head.innerText.replace(/[▲▼\s]+/g, " ").trim());
    hint.textContent = more ? `scroll for ${names.join(", ") || "more"} →` : "← scroll back";
    if (box.scrollWidth - box.clientWidth > 2) box.tabIndex = 0;  // arrow keys scroll it
  };
  box.addEventListener("scroll", update, {passive: true});
  const observer = new ResizeObserver(update);
  observer.observe(box);
  observer.observe(content);
  return element("div", {}, hint, outer);
}

const button = (text, meaning, onclick) => element("button", {type: "button", title: meaning, onclick}, text);

// Buttons; one of them is pressed. options: [value, label, meaning]. `allow(options, reason)` disables the others.
function choice(label, options, value, onchange) {
  const group = element("span", {class: "choice", role: "group", "aria-label": label});
  const set = (chosen) => {
    for (const node of group.children) node.setAttribute("aria-pressed", String(node.dataset.value === chosen));
  };
  for (const [option, text, meaning] of options) {
    const pressed = () => {
      set(option);
      onchange(option);
    };
    group.append(element("button", {type: "button", "data-value": option, title: meaning, onclick: pressed}, text));
  }
  const allow = (allowed, reason) => {
    for (const node of group.children) {
      node.disabled = !allowed.includes(node.dataset.value);
      node.title = node.disabled ? reason : options.find(([option]) => option === node.dataset.value)[2];
    }
  };
  set(value);
  return {node: element("span", {class: "group"}, label, group), set, allow};
}

let statusTimer = 0;

// Shows a message for a moment, also to screen readers.
function announce(text) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("shown");
  clearTimeout(statusTimer);
  statusTimer = setTimeout(() => status.classList.remove("shown"), 2500);
}
