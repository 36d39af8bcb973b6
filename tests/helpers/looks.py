"""What must not be seen on a page in the new form: small letters, crossed labels, parts out of view."""

SMALLEST = """() => Math.min(...[
  ...document.querySelectorAll('.stApp :is(p, h1, h2, h3, div, span, a, text, button, label)')]
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) && e.getClientRects().length
    && !e.closest('sub, sup, .katex, [data-testid=stIconMaterial]') && !e.matches('tspan'))
  .map(e => parseFloat(getComputedStyle(e).fontSize)))"""
"""The size of the smallest letters, but for indices and formulas."""
CROSSED = """() => [...document.querySelectorAll('.plot[data-drawn]')].filter(plot => plot.getClientRects().length)
  .flatMap(plot => {
    const named = selector => [...plot.querySelectorAll(selector)].filter(e => e.textContent.trim())
      .map(e => [e.textContent, e.getBoundingClientRect()]);
    const whole = plot.getBoundingClientRect(), labels = named('.annotation-text');
    const all = [...labels, ...named('.xtick text, .ytick text, .x2tick text, .y2tick text'),
      ...named('.xtitle, .ytitle, .x2title, .y2title')];
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const covered = all.flatMap(([name, box], k) => all.slice(k + 1).filter(([, other]) => over(box, other))
      .map(([other]) => `${name} covers ${other}`));
    const lost = all.filter(([, box]) => box.left < whole.left - 1 || box.right > whole.right + 1
      || box.top < whole.top - 1 || box.bottom > whole.bottom + 1).map(([name]) => `${name} is cut off`);
    const lines = [...plot.querySelectorAll('.scatterlayer .js-line')].filter(e => e.style.strokeWidth !== '0px');
    const touched = lines.flatMap(path => {
      const screen = path.getScreenCTM(), found = new Set();
      for (let at = 0; at <= path.getTotalLength(); at += 2) {
        const { x, y } = path.getPointAtLength(at).matrixTransform(screen);
        for (const [name, box] of labels)
          if (x > box.left + 1 && x < box.right - 1 && y > box.top + 2 && y < box.bottom - 2) found.add(name);
      }
      return [...found].map(name => `a curve runs through ${name}`);
    });
    return [...covered, ...lost, ...touched];
  })"""
"""Labels of figures that cover each other, are cut off, or have a curve run through them."""
INSIDE = """selector => [...document.querySelectorAll(selector)].every(e => {
  const box = e.getBoundingClientRect();
  return box.height > 20 && box.top > 40 && box.bottom <= innerHeight; })"""
