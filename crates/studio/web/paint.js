// Draws a display list: on a canvas for the screen and PNG, or as SVG text.

/** @typedef {import("./model/display.js").Prim} Prim */
/** @typedef {Record<string, string>} Palette */

const FONT = 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif';

/** What the names of colors mean; boards and palettes of the settings choose. */
const BASE = {
  grid: "#3b2a16",
  coord: "#4d3a22",
  "on-black": "#f6f4ef",
  "on-white": "#1c1b1a",
  last: "#d8262c",
  "last-light": "#ff6b5f",
  win: "#e5484d",
  forbidden: "#c8191f",
  cand: "#2566cf",
  best: "#d4313b",
  ring: "#fff6e6",
  "on-dot": "#ffffff",
  heat: "#2566cf",
  glow: "#ffb020",
  right: "#1b7f43",
  mark: "#1b7f43",
  label: "#3b2a16",
};

/** @type {Record<string, Palette>} */
const BOARDS = {
  kaya: { wood: "#e6c180", "wood-2": "#d8a95f", grain: "#b07a36", "wood-flat": "#e2b871" },
  walnut: {
    wood: "#b98a57",
    "wood-2": "#a1733f",
    grain: "#6f4a24",
    "wood-flat": "#b08050",
    grid: "#241507",
    coord: "#2a190a",
    label: "#241507",
  },
  slate: {
    wood: "#aab4bf",
    "wood-2": "#98a4b1",
    grain: "",
    "wood-flat": "#a4afbb",
    grid: "#27303a",
    coord: "#27303a",
    label: "#27303a",
  },
  paper: {
    wood: "#fbf8f1",
    "wood-2": "#f4efe4",
    grain: "",
    "wood-flat": "#f8f4ea",
    grid: "#55504a",
    coord: "#55504a",
    ring: "#ffffff",
  },
  contrast: {
    wood: "#ffffff",
    "wood-2": "#ffffff",
    grain: "",
    "wood-flat": "#ffffff",
    grid: "#000000",
    coord: "#000000",
    cand: "#0033aa",
    best: "#aa0000",
    label: "#000000",
    heat: "#0033aa",
  },
};

/**
 * The palette of a board; `safe` tells the best move by orange, for those who do not see red.
 * @param {string} board
 * @param {boolean} safe
 * @returns {Palette}
 */
export function palette(board, safe) {
  const colors = { ...BASE, ...(BOARDS[board] ?? BOARDS.kaya) };
  return safe
    ? {
        ...colors,
        best: "#b35900",
        cand: "#0b5cad",
        heat: "#0b5cad",
        last: "#b35900",
        "last-light": "#ffb14d",
        forbidden: "#8a2be2",
        win: "#b35900",
      }
    : colors;
}

/** @type {Record<string, string>} */
export const BOARD_NAMES = {
  kaya: "board.kaya",
  walnut: "board.walnut",
  slate: "board.slate",
  paper: "board.paper",
  contrast: "board.contrast",
};

/**
 * @param {CanvasRenderingContext2D} g
 * @param {readonly Prim[]} list
 * @param {Palette} colors
 * @param {number} unit  pixels of a cell
 */
export function paint(g, list, colors, unit) {
  g.save();
  g.scale(unit, unit);
  g.lineCap = "round";
  g.lineJoin = "round";
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (const prim of list) {
    g.globalAlpha = ("alpha" in prim && prim.alpha) || 1;
    one(g, prim, colors);
  }
  g.restore();
}

/** @param {CanvasRenderingContext2D} g @param {Prim} prim @param {Palette} colors */
function one(g, prim, colors) {
  switch (prim.k) {
    case "rect":
      if (prim.fill === "wood") return wood(g, prim.w, colors);
      g.fillStyle = colors[prim.fill];
      g.beginPath();
      g.roundRect(prim.x, prim.y, prim.w, prim.h, prim.r ?? 0);
      return g.fill();
    case "line":
      g.strokeStyle = colors[prim.color];
      g.lineWidth = prim.width;
      g.beginPath();
      g.moveTo(prim.x1, prim.y1);
      g.lineTo(prim.x2, prim.y2);
      return g.stroke();
    case "disc":
      g.beginPath();
      g.arc(prim.x, prim.y, prim.r, 0, 7);
      return fillStroke(g, prim, colors);
    case "poly":
      g.beginPath();
      prim.points.forEach(([x, y], i) => (i ? g.lineTo(x, y) : g.moveTo(x, y)));
      if (prim.fill) g.closePath();
      return fillStroke(g, prim, colors);
    case "stone":
      return stone(g, prim);
    case "text":
      g.fillStyle = colors[prim.color];
      g.font = `${prim.bold ? 650 : 500} ${prim.size}px ${FONT}`;
      return g.fillText(prim.text, prim.x, prim.y + prim.size * 0.06);
  }
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {{ fill?: string, stroke?: string, width?: number }} prim
 * @param {Palette} colors
 */
function fillStroke(g, prim, colors) {
  if (prim.fill) {
    g.fillStyle = colors[prim.fill];
    g.fill();
  }
  if (prim.stroke) {
    g.strokeStyle = colors[prim.stroke];
    g.lineWidth = prim.width ?? 0.05;
    g.stroke();
  }
}

/**
 * Slate and shell, with a light from the upper left.
 * @param {CanvasRenderingContext2D} g
 * @param {{ x: number, y: number, r: number, color: 0 | 1 }} prim
 */
function stone(g, { x, y, r, color }) {
  const shade = g.createRadialGradient(x + 0.05, y + 0.08, r * 0.7, x + 0.05, y + 0.08, r * 1.13);
  shade.addColorStop(0, "rgba(30,15,0,.42)");
  shade.addColorStop(1, "rgba(30,15,0,0)");
  g.fillStyle = shade;
  g.beginPath();
  g.arc(x + 0.05, y + 0.08, r * 1.13, 0, 7);
  g.fill();
  const light = g.createRadialGradient(x - r * 0.35, y - r * 0.4, r * 0.05, x - r * 0.1, y - r * 0.1, r * 1.15);
  if (color) {
    light.addColorStop(0, "#ffffff");
    light.addColorStop(0.55, "#f6f3ec");
    light.addColorStop(1, "#cfc8ba");
  } else {
    light.addColorStop(0, "#6a6b70");
    light.addColorStop(0.35, "#2e2f33");
    light.addColorStop(1, "#0b0b0d");
  }
  g.fillStyle = light;
  g.beginPath();
  g.arc(x, y, r, 0, 7);
  g.fill();
  g.strokeStyle = color ? "rgba(90,75,50,.55)" : "rgba(0,0,0,.8)";
  g.lineWidth = 0.018;
  g.stroke();
}

/**
 * A board cut along the grain: soft bands and fine lines, the same each time.
 * @param {CanvasRenderingContext2D} g
 * @param {number} w
 * @param {Palette} colors
 */
function wood(g, w, colors) {
  const base = g.createLinearGradient(0, 0, w * 0.25, w);
  base.addColorStop(0, colors.wood);
  base.addColorStop(1, colors["wood-2"]);
  g.fillStyle = base;
  g.fillRect(0, 0, w, w);
  if (!colors.grain) return;
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  g.strokeStyle = colors.grain;
  for (let x = 0; x < w; x += 0.05 + random() * 0.16) {
    g.globalAlpha = 0.03 + random() * 0.1;
    g.lineWidth = 0.008 + random() * 0.03;
    const bend = (random() - 0.5) * 0.5;
    g.beginPath();
    g.moveTo(x, 0);
    g.bezierCurveTo(x + bend, w * 0.35, x - bend * 0.7, w * 0.65, x + bend * 0.5, w);
    g.stroke();
  }
  g.globalAlpha = 1;
}

/**
 * The same picture as an SVG document.
 * @param {readonly Prim[]} list
 * @param {Palette} colors
 * @param {number} cells
 * @param {number} [pixels]
 */
export function svg(list, colors, cells, pixels = 900) {
  const body = list.map((prim) => svgOne(prim, colors)).join("");
  const shades = `<defs><radialGradient id="b" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#6a6b70"/><stop offset=".4" stop-color="#2e2f33"/><stop offset="1" stop-color="#0b0b0d"/></radialGradient><radialGradient id="w" cx=".35" cy=".3" r=".85"><stop offset="0" stop-color="#fff"/><stop offset=".55" stop-color="#f6f3ec"/><stop offset="1" stop-color="#cfc8ba"/></radialGradient></defs>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${cells} ${cells}" width="${pixels}" height="${pixels}">${shades}${body}</svg>`;
}

/** @param {Prim} prim @param {Palette} colors */
function svgOne(prim, colors) {
  const n = (/** @type {number} */ v) => String(Math.round(v * 1000) / 1000);
  const alpha = "alpha" in prim && prim.alpha ? ` opacity="${prim.alpha}"` : "";
  const ink = (/** @type {{ fill?: string, stroke?: string, width?: number }} */ p) =>
    ` fill="${p.fill ? colors[p.fill] : "none"}"` +
    (p.stroke ? ` stroke="${colors[p.stroke]}" stroke-width="${p.width ?? 0.05}"` : "");
  switch (prim.k) {
    case "rect":
      return `<rect x="${n(prim.x)}" y="${n(prim.y)}" width="${n(prim.w)}" height="${n(prim.h)}" rx="${prim.r ?? 0}" fill="${colors[prim.fill]}"${alpha}/>`;
    case "line":
      return `<path d="M${n(prim.x1)} ${n(prim.y1)}L${n(prim.x2)} ${n(prim.y2)}" stroke="${colors[prim.color]}" stroke-width="${prim.width}" stroke-linecap="round"${alpha}/>`;
    case "disc":
      return `<circle cx="${n(prim.x)}" cy="${n(prim.y)}" r="${n(prim.r)}"${ink(prim)}${alpha}/>`;
    case "poly":
      return `<path d="M${prim.points.map(([x, y]) => `${n(x)} ${n(y)}`).join("L")}${prim.fill ? "Z" : ""}"${ink(prim)}${alpha}/>`;
    case "stone":
      return `<circle cx="${n(prim.x)}" cy="${n(prim.y)}" r="${prim.r}" fill="url(#${prim.color ? "w" : "b"})" stroke="#000" stroke-opacity=".5" stroke-width=".02"${alpha}/>`;
    case "text":
      return `<text x="${n(prim.x)}" y="${n(prim.y)}" font-family="sans-serif" font-size="${prim.size}"${prim.bold ? ' font-weight="650"' : ""} text-anchor="middle" dominant-baseline="central" fill="${colors[prim.color]}">${prim.text.replace(/[<&]/g, "")}</text>`;
  }
}
