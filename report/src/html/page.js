"use strict";
// The slider, and what a click on a cell or an arrow shows. Everything shown is in the page already.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);

  /** Messages between two ranks, by kind. A run stands for `length` pairs at equal steps. */
  function between(instance, from, to) {
    const meets = ([, a, b, length, x, y]) => {
      const k = x !== 0 ? (from - a) / x : y !== 0 ? (to - b) / y : 0;
      return Number.isInteger(k) && 0 <= k && k < length && a + k * x === from && b + k * y === to;
    };
    return instance.runs.filter(meets).map((run) => instance.kinds[run[0]]);
  }

  /** So many lines can be read; the matrix has all. */
  const MOST_LINES = 400;

  /** An element with this text. */
  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }

  const number = (value) => (value === null ? "a number that depends on input" : String(value));
  const times = (repeat) => (repeat === null ? "as often as input says" : repeat === 1 ? "once" : `${repeat} times`);

  function describe(kind) {
    const bytes = kind.bytes === null ? "" : ` (${kind.bytes} ${kind.bytes === 1 ? "byte" : "bytes"})`;
    const count = kind.count === null ? "a count of" : kind.count;
    return `${count} ${kind.datatype}${bytes}, tag ${number(kind.tag)}, ${kind.communicator}, ${times(kind.repeat)}`;
  }

  for (const section of document.querySelectorAll(".program")) {
    const program = section.dataset.program;
    const { places, channels, instances } = data[program];
    const slider = section.querySelector("input.np");
    if (!slider) continue;
    const place = section.querySelector(".instance");
    const form = section.querySelector(".pick");
    const [from, to] = [form.querySelector(".from"), form.querySelector(".to")];
    const detail = section.querySelector(".detail");
    const list = section.querySelector(".list");
    const [exact, near] = [section.querySelector(".exact"), section.querySelector(".near")];
    const templates = [...section.querySelectorAll("template[data-np]")];
    let chosen = instances[slider.value];

    /** Shows the messages of one pair, with both source lines beside each other. */
    function show(a, b) {
      [from.value, to.value] = [a, b];
      mark(a, b);
      const kinds = between(chosen, a, b);
      const nothing = kinds.length === 0 ? ": nothing is sent" : "";
      detail.replaceChildren(element("h4", `Rank ${a} to rank ${b} at np = ${chosen.np}${nothing}`));
      const lines = new Map();
      for (const kind of kinds) {
        const key = `${kind.send}-${kind.recv}`;
        lines.set(key, [...(lines.get(key) ?? []), kind]);
      }
      for (const [key, group] of lines) {
        const { send, recv } = group[0];
        const channel = channels.find(([s, r]) => s === send && r === recv);
        const title = channel ? `Channel ${channel[2].join(" or ")}: ` : "";
        detail.append(element("h5", `${title}${places[send]} to ${places[recv]}`));
        const list = document.createElement("ul");
        list.append(...group.slice(0, 50).map((kind) => element("li", describe(kind))));
        if (group.length > 50) list.append(element("li", `and ${group.length - 50} more`));
        detail.append(list);
        const sides = document.getElementById(`p${program}-l${key}`);
        if (sides) {
          const copy = sides.cloneNode(true);
          copy.removeAttribute("id");
          copy.className = "sides";
          detail.append(copy);
        }
      }
    }

    /** All messages in words, a line for each run of pairs at equal steps. */
    function tell() {
      const line = ([kind, a, b, length, x, y]) => {
        const pair = (k) => `${a + k * x} to ${b + k * y}`;
        const pairs = length <= 3 ? Array.from({ length }, (_, k) => pair(k)) : [pair(0), pair(1), "\u2026", pair(length - 1)];
        const pairsOf = length === 1 ? "rank" : `${length} pairs: ranks`;
        const { send, recv } = chosen.kinds[kind];
        return element("li", `${pairsOf} ${pairs.join(", ")}, ${places[send]} to ${places[recv]}: ${describe(chosen.kinds[kind])}`);
      };
      const shown = chosen.runs.slice(0, MOST_LINES).map(line);
      if (chosen.runs.length > MOST_LINES) shown.push(element("li", `and ${chosen.runs.length - MOST_LINES} more lines`));
      if (chosen.runs.length === 0) shown.push(element("li", "There are none."));
      list.querySelector("ul").replaceChildren(...shown);
    }

    /** Moves the cursor of the matrices and marks the arrow. */
    function mark(a, b) {
      for (const cursor of place.querySelectorAll(".cursor")) {
        cursor.setAttribute("x", b);
        cursor.setAttribute("y", a);
        cursor.setAttribute("visibility", "visible");
      }
      for (const old of place.querySelectorAll(".edge.chosen")) old.classList.remove("chosen");
      place.querySelector(`.edge[data-from="${a}"][data-to="${b}"]`)?.classList.add("chosen");
    }

    /** Takes the outline of many arrows apart, so that each can be clicked. */
    function spread() {
      for (const all of place.querySelectorAll(".edges")) {
        const found = new Map();
        for (const [, a, b, length, x, y] of chosen.runs) {
          for (let k = 0; k < length; k++) found.set(`${a + k * x} ${b + k * y}`, [a + k * x, b + k * y]);
        }
        const pairs = [...found.values()].sort(([a, b], [c, d]) => a - c || b - d);
        const lines = all.getAttribute("d").split("M").slice(1);
        if (lines.length !== pairs.length) continue;
        all.replaceWith(
          ...lines.map((line, index) => {
            const edge = document.createElementNS("http://www.w3.org/2000/svg", "path");
            edge.setAttribute("class", "edge arrow hair");
            edge.setAttribute("d", `M${line}`);
            [edge.dataset.from, edge.dataset.to] = pairs[index];
            return edge;
          }),
        );
      }
    }

    function choose() {
      chosen = instances[slider.value];
      slider.setAttribute("aria-valuetext", `np = ${chosen.np}`);
      section.querySelector(".controls output").textContent = templates[slider.value].dataset.sum;
      place.replaceChildren(templates[slider.value].content.cloneNode(true));
      spread();
      exact.value = chosen.np;
      near.textContent = "";
      if (list.open) tell();
      for (const end of [from, to]) {
        end.max = chosen.np - 1;
        if (Number(end.value) >= chosen.np) end.value = chosen.np - 1;
      }
      detail.replaceChildren();
    }

    slider.addEventListener("input", choose);
    exact.addEventListener("change", () => {
      const np = exact.valueAsNumber;
      if (!Number.isSafeInteger(np) || np < 1) return choose();
      const distance = (instance) => Math.abs(instance.np - np);
      slider.value = instances.reduce((best, instance, index) => (distance(instance) < distance(instances[best]) ? index : best), 0);
      choose();
      if (chosen.np !== np) {
        near.textContent = `np = ${np} is not on this page, np = ${chosen.np} is the nearest. anyrank topology --format html --np ${np} writes a page with it, if the answer holds there.`;
      }
    });
    list.addEventListener("toggle", () => list.open && tell());
    section.addEventListener("change", (event) => {
      if (event.target.type === "radio") section.dataset.measure = event.target.value;
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      show(from.valueAsNumber, to.valueAsNumber);
    });
    place.addEventListener("click", (event) => {
      const edge = event.target.closest(".edge");
      if (edge) return show(Number(edge.dataset.from), Number(edge.dataset.to));
      const cells = event.target.closest(".board")?.querySelector(".cells");
      if (!cells) return;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(cells.getScreenCTM().inverse());
      const [a, b] = [Math.floor(at.y), Math.floor(at.x)];
      if (0 <= a && a < chosen.np && 0 <= b && b < chosen.np) show(a, b);
    });
    place.addEventListener("keydown", (event) => {
      if (!event.target.closest(".board")) return;
      const [a, b] = [from.valueAsNumber || 0, to.valueAsNumber || 0];
      const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
      const move = moves[event.key];
      if (move) {
        const within = (rank) => Math.min(Math.max(rank, 0), chosen.np - 1);
        [from.value, to.value] = [within(a + move[0]), within(b + move[1])];
        mark(from.valueAsNumber, to.valueAsNumber);
        const sent = between(chosen, from.valueAsNumber, to.valueAsNumber).length;
        detail.replaceChildren(element("p", `Rank ${from.value} to rank ${to.value}: ${sent === 0 ? "nothing" : "messages; Enter shows them"}`));
      } else if (event.key === "Enter" || event.key === " ") {
        show(a, b);
      } else {
        return;
      }
      event.preventDefault();
    });
    spread();
    // A browser may remember where the slider was.
    if (chosen.np !== instances.find((_, index) => String(index) === slider.getAttribute("value"))?.np) choose();
  }

  // What is folded is not printed.
  addEventListener("beforeprint", () => document.querySelectorAll("details:not(.list)").forEach((part) => { part.open = true; }));
})();
