"use strict";

/* Draws the figures of the page in the colours of the page, light or dark, with the forgettings and stages that are ticked. */

const plots = [...document.querySelectorAll(".plot")];
const boxes = [...document.querySelectorAll(".chooser input")];

function colours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  return {
    "font.color": colour("--soft"),
    "hoverlabel.bgcolor": colour("--paper"),
    "hoverlabel.bordercolor": colour("--line"),
    "hoverlabel.font.color": colour("--ink"),
    "modebar.bgcolor": "rgba(0,0,0,0)",
    "modebar.color": colour("--line"),
    "modebar.activecolor": colour("--soft"),
    "xaxis.gridcolor": colour("--grid"),
    "yaxis.gridcolor": colour("--grid"),
    "yaxis.zerolinecolor": colour("--line"),
  };
}

/* A curve is shown if its forgetting and stage are ticked and its learner is not hidden in the legend. */
function visibility(traces) {
  const unticked = boxes.filter((box) => !box.checked);
  return traces.map((trace) => {
    if (!trace.meta || !boxes.some((box) => box.name in trace.meta)) return trace.visible ?? true;
    if (unticked.some((box) => trace.meta[box.name] === box.value)) return false;
    const key = traces.find((other) => !other.meta && other.legendgroup && other.legendgroup === trace.legendgroup);
    return key ? key.visible ?? true : true;
  });
}

/* On a narrow page the legend goes below the curves, where it has room, and texts stand to the left of their lines. */
function narrowed(figure, width) {
  if (width > 640) return;
  const layout = figure.layout;
  figure.data.forEach((trace) => { if (trace.textposition === "middle right") trace.textposition = "middle left"; });
  const keys = [...figure.data, ...(layout.shapes ?? [])].filter((one) => one.showlegend !== false && one.name);
  if (layout.showlegend === false || !keys.length) return;
  const longest = Math.max(...keys.map((one) => one.name.length));
  const lines = Math.ceil(keys.length / Math.max(1, Math.floor(width / (60 + 8 * longest)))) + 1;
  layout.legend = { ...layout.legend, orientation: "h", x: 0, xanchor: "left", y: 0, yref: "container", yanchor: "bottom" };
  layout.margin = { ...layout.margin, l: 48, r: 8, b: 56 + 22 * lines };
  layout.height += 22 * lines;
}

async function draw(plot) {
  if (plot.drawn) return;
  plot.drawn = true;
  const figure = JSON.parse(plot.firstElementChild.textContent);
  const shown = visibility(figure.data);
  figure.data.forEach((trace, i) => { trace.visible = shown[i]; });
  narrowed(figure, plot.clientWidth);
  await Plotly.newPlot(plot, figure.data, figure.layout, { responsive: true, displaylogo: false });
  await Plotly.relayout(plot, colours());
  if (figure.frames) await Plotly.addFrames(plot, figure.frames);
}

const drawn = () => plots.filter((plot) => plot.drawn);
plots.filter((plot) => !plot.closest("details")).forEach(draw);
document.querySelectorAll("details").forEach((fold) =>
  fold.addEventListener("toggle", () => { if (fold.open) fold.querySelectorAll(".plot").forEach(draw); }));
boxes.forEach((box) => box.addEventListener("change", () =>
  drawn().forEach((plot) => Plotly.restyle(plot, { visible: visibility(plot.data) }))));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
  drawn().forEach((plot) => Plotly.relayout(plot, colours())));
