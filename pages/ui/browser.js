// What every page needs of the browser.
//
// A link holds every setting, and Streamlit makes each change of the address an entry of its own in the history: Back
// would lead through the values of a slider. An address of the same page takes the place of the last one. Another page
// begins at its top, however far down the link was.

const push = history.pushState.bind(history);
history.pushState = (state, title, address) => {
  const same = address && new URL(address, location.href).pathname === location.pathname;
  if (!same) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  return same ? history.replaceState(state, title, address) : push(state, title, address);
};

let lost = false;

// Reloading ends the session: the browser asks first where that would lose what nothing brings back.
addEventListener("beforeunload", (event) => lost && event.preventDefault());

// On a phone the menu covers the page: it closes once something was chosen in it.
document.addEventListener("click", (event) => {
  const chosen = event.target.closest?.("[data-testid=stSidebarNavLink]");
  if (chosen && matchMedia("(max-width: 768px)").matches) {
    setTimeout(() => document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click(), 150);
  }
});

export default function ({ data }) {
  lost = data.lost;
}
