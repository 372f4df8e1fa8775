'use strict';
// Keeps #live up to date from the stream that its data-live names, and times everywhere. The server
// makes all markup; this only puts it in place.
(() => {
  const RELOAD_MS = 10_000;
  const TYPING_MS = 250;
  const FOCUSABLE = 'a[href], button, input, select, summary, [tabindex]';

  const region = document.getElementById('live');
  const template = document.createElement('template');
  const tags = new Map(); // of what is shown, by key
  const made = new Map(); // elements that have come and have no place yet
  let puts = new Map();
  let order = null;
  let stream = null;
  let ahead = 0; // how far the server's clock is ahead, in ms
  let newest = '';

  function length(ms) {
    const s = Math.floor(ms / 1000);
    const m = Math.floor(s / 60);
    const h = Math.floor(m / 60);
    const d = Math.floor(h / 24);
    if (d > 0) return `${d}d${h % 24}h`;
    if (h > 0) return `${h}h${m % 60}m`;
    return m > 0 ? `${m}m${s % 60}s` : `${s}s`;
  }

  function renewTimes() {
    if (document.hidden) return;
    const now = Date.now() + ahead;
    for (const time of document.querySelectorAll('time.ago')) {
      const ago = now - Date.parse(time.dateTime);
      const past = time.classList.contains('next') ? 'now' : `${length(ago)} ago`;
      const text = ago < 0 ? `in ${length(-ago)}` : past;
      if (time.textContent !== text) time.textContent = text;
    }
  }

  function say(text) {
    let line = document.getElementById('live-state');
    if (!line) {
      if (!text) return;
      line = document.createElement('p');
      line.id = 'live-state';
      line.setAttribute('role', 'status');
      region.before(line);
    }
    if (line.textContent !== text) line.textContent = text;
    line.hidden = !text;
  }

  function focused() {
    const active = document.activeElement;
    if (!active || !region.contains(active) || active === region) return () => {};
    let child = active;
    while (child.parentElement !== region) child = child.parentElement;
    const index = [...child.querySelectorAll(FOCUSABLE)].indexOf(active);
    return () => {
      if (document.activeElement === active) return;
      const now = document.getElementById(child.id);
      const target = index < 0 ? now : now?.querySelectorAll(FOCUSABLE)[index];
      target?.focus({preventScroll: true});
    };
  }

  function replace(old, fresh) {
    const before = old.querySelectorAll('details');
    fresh.querySelectorAll('details').forEach((details, i) => {
      if (before[i]) details.open = before[i].open;
    });
    old.replaceWith(fresh);
  }

  function arrange() {
    let at = region.firstElementChild;
    for (const key of order) {
      const element = made.get(key) ?? document.getElementById(key);
      if (!element) continue;
      if (at && at !== element && at.nextElementSibling === element) {
        const gone = at;
        at = element;
        region.append(gone); // it comes later, or not at all
      }
      if (at === element) {
        at = at.nextElementSibling;
      } else {
        region.insertBefore(element, at);
      }
    }
    while (at) {
      const next = at.nextElementSibling;
      tags.delete(at.id);
      at.remove();
      at = next;
    }
  }

  function show() {
    const focusAgain = focused();
    for (const [key, [tag, html]] of puts) {
      template.innerHTML = html;
      const fresh = template.content.firstElementChild;
      const old = document.getElementById(key);
      tags.set(key, tag);
      if (old) {
        replace(old, fresh);
      } else {
        made.set(key, fresh);
      }
    }
    puts = new Map();
    if (order) arrange();
    order = null;
    made.clear();
    focusAgain();
  }

  function reloadLater(why) {
    stream?.close();
    say(`${why} The page reloads every ${RELOAD_MS / 1000} s instead.`);
    setTimeout(function reload() {
      if (document.activeElement instanceof HTMLInputElement || document.hidden) {
        setTimeout(reload, RELOAD_MS); // somebody is typing
      } else {
        location.reload();
      }
    }, RELOAD_MS);
  }

  function open() {
    stream?.close();
    puts = new Map();
    order = null;
    stream = new EventSource(region.dataset.live);
    stream.addEventListener('put', (event) => {
      const end = event.data.indexOf('\n');
      const [key, tag] = event.data.slice(0, end).split(' ');
      if (tags.get(key) !== tag) puts.set(key, [tag, event.data.slice(end + 1)]);
    });
    stream.addEventListener('order', (event) => {
      order = event.data.split(' ');
    });
    stream.addEventListener('time', (event) => {
      newest = event.data;
      ahead = Date.parse(newest) - Date.now();
      show();
      say('');
      renewTimes();
      region.dataset.shown = newest;
    });
    stream.addEventListener('trouble', (event) => {
      say(`Not up to date: ${event.data}. Data from ${newest}.`);
    });
    stream.addEventListener('full', () => reloadLater('Too many viewers.'));
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) {
        reloadLater('No live updates.');
      } else {
        say(`Connection lost, reconnecting. Data from ${newest}.`);
      }
    });
  }

  function follow(form) {
    let typing = 0;
    const apply = () => {
      const query = new URLSearchParams();
      for (const [name, value] of new FormData(form)) {
        if (value) query.set(name, value);
      }
      const text = query.toString();
      history.replaceState(null, '', text ? `?${text}` : location.pathname);
      const [path] = region.dataset.live.split('?');
      region.dataset.live = text ? `${path}?${text}` : path;
      open();
    };
    form.addEventListener('input', () => {
      clearTimeout(typing);
      typing = setTimeout(apply, TYPING_MS);
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      clearTimeout(typing);
      apply();
    });
  }

  setInterval(renewTimes, 1000);
  if (!region) return;
  newest = region.dataset.now;
  ahead = Date.parse(newest) - Date.now();
  const first = region.dataset.tags.split(' ');
  [...region.children].forEach((child, i) => tags.set(child.id, first[i]));
  document.querySelectorAll('form[data-filter]').forEach(follow);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      stream?.close();
    } else {
      open();
    }
  });
  if (!document.hidden) open();
})();
