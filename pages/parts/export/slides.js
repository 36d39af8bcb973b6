// Each figure is drawn as large as its letters were chosen for, then enlarged to fill its place: lines and letters stay sharp.
const drawn = Object.entries(shown.pictures).map(async ([id, { figure, size: [width, height] }]) => {
  const plot = document.getElementById(id);
  plot.style.transform = `scale(${shown.room[1] / height})`;
  Object.assign(plot.style, { width: `${width}px`, height: `${height}px` });
  return Plotly.newPlot(plot, figure.data, { ...figure.layout, width, height, autosize: false }, { staticPlot: true });
});
Promise.allSettled(drawn).then(() => { document.documentElement.dataset.ready = ""; });
document.getElementById("print").addEventListener("click", () => print());
