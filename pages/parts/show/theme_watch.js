// Figures have the colours of the theme that the page was drawn in. When the browser's theme changes, the page is drawn
// again, once Streamlit has changed its own colours.

const prefers = matchMedia("(prefers-color-scheme: dark)");
let tell = null;

prefers.addEventListener("change", () => setTimeout(() => tell?.(prefers.matches ? "dark" : "light"), 300));

export default function ({ setStateValue }) {
  tell = (theme) => setStateValue("theme", theme);
}
