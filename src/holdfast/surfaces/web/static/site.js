// Keys and live counts. Everything works without this file: each key presses a button of the page.
"use strict";
(() => {
  document.documentElement.classList.add("js");
  // htmx reads the page a moment later; a key pressed before that would load the whole page again.
  if (window.htmx) window.htmx.initialize();
  const cards = () => [...document.querySelectorAll("article.card")];
  const told = document.getElementById("told");
  const say = (words) => { if (told) told.textContent = words; };
  let last = null;

  const current = () => {
    const focused = document.activeElement && document.activeElement.closest("article.card");
    return focused || document.querySelector("article.card.here");
  };
  const go = (card, scrolls = true) => {
    document.querySelectorAll("article.here").forEach((one) => one.classList.remove("here"));
    if (!card) return;
    card.classList.add("here");
    card.focus({ preventScroll: true });
    if (scrolls) card.scrollIntoView({ block: "nearest" });
  };
  const step = (by) => {
    const all = cards();
    if (!all.length) return;
    const at = all.indexOf(current());
    go(all[Math.min(Math.max(at < 0 ? 0 : at + by, 0), all.length - 1)]);
  };
  const next = (after) => {
    const waiting = cards();
    if (!waiting.length) { again(); return; }
    const later = waiting.find((one) => after.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    go(later || waiting[waiting.length - 1]);
  };
  const again = () => {
    const link = document.querySelector("[data-again]");
    if (link) link.click(); else if (document.getElementById("cards")) location.assign("/inbox");
  };
  const press = (card, key) => {
    const target = card.querySelector(`[data-key="${key}"], [data-also="${key}"]`);
    if (!target) { if (key === "a") say("It contradicts an accepted memory: press 1, 2 or 3."); return; }
    if (target.tagName === "SUMMARY") {
      const details = target.parentElement;
      details.open = true;
      const field = details.querySelector("textarea, input:not([type=hidden])");
      if (field) field.focus();
    } else target.click();
  };
  const undo = () => {
    const shown = last && document.contains(last) ? last : [...document.querySelectorAll(".decided, .notice")].pop();
    const button = shown && shown.querySelector('[data-key="u"]');
    if (button) button.click(); else say("Nothing was decided on this page.");
  };
  const several = (action) => {
    if (!document.querySelector("input[name=ids]:checked")) { say("Mark some candidates first."); return; }
    const button = document.querySelector(`#several button[value=${action}]`);
    if (button) button.click();
  };
  const writes = (target) => target.closest("textarea, select, input:not([type=checkbox])");

  document.addEventListener("keydown", (event) => {
    if (event.target.closest("dialog")) return;
    const field = writes(event.target);
    if (field) {
      if (event.key === "Escape") { const card = field.closest("article"); field.blur(); if (card) go(card); }
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && field.form) field.form.requestSubmit();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const card = current();
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "u") undo();
    else if (event.key === "n") again();
    else if (event.key === "A" || event.key === "X") several(event.key === "A" ? "approve" : "reject");
    else if (event.key === "?") document.getElementById("keys").showModal();
    else if (event.key === "/") location.assign("/search");
    else if ("axems123".includes(event.key) && card) press(card, event.key);
    else return;
    event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-select]");
    if (!link) return;
    event.preventDefault();
    const wanted = link.dataset.select;
    for (const card of cards()) {
      const box = card.querySelector('input[type=checkbox][name=ids]');
      const isLow = card.querySelector(".risk.low") && !card.querySelector(".known");
      if (box) box.checked = wanted === "all" || (wanted === "known" ? !!card.querySelector(".known") : !!isLow);
    }
  });

  // A card is replaced by the line that says what was decided; then the next one is shown.
  const grid = document.getElementById("cards");
  const total = document.querySelector("[data-total]");
  const recount = () => {
    if (!total) return;
    const many = Math.max(Number(total.dataset.total) - grid.querySelectorAll("[data-decided]").length, 0);
    total.textContent = many === 1 ? "1 candidate waits" : `${many} candidates wait`;
  };
  if (grid) {
    new MutationObserver((changes) => {
      recount();
      for (const node of changes.flatMap((one) => [...one.addedNodes])) {
        if (node.nodeType !== 1 || node.tagName !== "ARTICLE") continue;
        if (node.classList.contains("decided")) {
          say(node.textContent.trim().replace(/\s+/g, " "));
          if (node.dataset.decided) { last = node; next(node); } else go(node);
        } else go(node);
      }
    }).observe(grid, { childList: true });
    const first = cards()[0];
    if (first && !location.hash) go(first, false);
  }

  const start = document.querySelector(".picture .start");
  if (start) {
    const picture = start.closest(".picture"), box = start.getBoundingClientRect();
    picture.scrollLeft += box.left + box.width / 2 - picture.getBoundingClientRect().left - picture.clientWidth / 2;
  }

  const days = document.querySelector("[data-days]");
  if (days) {
    const date = document.querySelector("[data-date]");
    days.addEventListener("input", () => {
      const day = new Date(`${days.dataset.days}T00:00:00Z`);
      day.setUTCDate(day.getUTCDate() - Number(days.value));
      date.value = Number(days.value) ? day.toISOString().slice(0, 10) : "";
    });
    days.addEventListener("change", () => days.form.requestSubmit());
    if (date.value) days.value = Math.round((new Date(days.dataset.days) - new Date(date.value)) / 86400000);
  }

  if (window.EventSource && document.querySelector("[data-waiting]")) {
    const events = new EventSource("/events");
    events.addEventListener("waiting", (event) => {
      document.querySelectorAll("[data-waiting]").forEach((one) => { one.textContent = event.data; });
      if (grid) document.title = document.title.replace(/^(\(\d+\) )?/, Number(event.data) ? `(${event.data}) ` : "");
    });
    addEventListener("pagehide", () => events.close());
  }
})();
