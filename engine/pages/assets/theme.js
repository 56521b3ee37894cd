// Applies the light or dark theme before the first paint: the user's choice, otherwise the system's preference.
"use strict";
(() => {
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let chosen = null;
    try { chosen = localStorage.getItem("theme"); } catch { /* the choice is not remembered */ }
    root.dataset.theme = chosen ?? (prefersDark.matches ? "dark" : "light");
  };
  apply();
  prefersDark.addEventListener("change", apply);
  addEventListener("DOMContentLoaded", () => document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* the choice is not remembered */ }
  }));
})();
