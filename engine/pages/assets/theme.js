// Applies the light or dark theme before the first paint: the user's choice, otherwise the system's preference.
"use strict";
(() => {
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try { return localStorage.getItem("theme"); } catch { return null; }
  };
  const apply = () => { document.documentElement.dataset.theme = chosen() ?? (prefersDark.matches ? "dark" : "light"); };
  apply();
  prefersDark.addEventListener("change", apply);
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      try { localStorage.setItem("theme", other); } catch { /* the choice is not remembered */ }
      document.documentElement.dataset.theme = other;
    });
  });
})();
