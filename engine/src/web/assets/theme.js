// Light or dark, before anything is painted: what was chosen here, else what the system prefers.
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
      try { localStorage.setItem("theme", other); } catch { /* it lasts as long as the page, then */ }
      document.documentElement.dataset.theme = other;
    });
  });
})();
