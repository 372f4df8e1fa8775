package io.probelet.web.page;

import io.probelet.health.ShortText;
import io.probelet.health.TimeSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What one viewer of a {@link LiveStream} has been sent. {@code put} brings an element, after a
 * line with its key and tag; {@code order} all keys; {@code time} the time, after which what came
 * before is to be shown; {@code trouble} why nothing newer can be shown; {@code full} that there is
 * no place.
 */
final class LiveViewer {
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MAX_TROUBLE_LENGTH = 500;

  private final OutputStream out;
  private final TimeSource time;
  private Map<String, Object> versions = Map.of();
  private List<String> order = List.of();
  private String trouble = "";
  private long lastSent;

  LiveViewer(OutputStream out, TimeSource time) {
    this.out = out;
    this.time = time;
    lastSent = time.nanoTime() - HEARTBEAT_NANOS;
  }

  /** Sends what differs from what was sent before, and now and then just the time. */
  void show(List<Fragment> fragments) throws IOException {
    boolean changed = !trouble.isEmpty();
    trouble = "";
    List<Fragment> others =
        fragments.stream()
            .filter(each -> !each.version().equals(versions.get(each.key())))
            .toList();
    others.forEach(fragment -> fragment.announce().run());
    for (Fragment fragment : others) {
      changed = true;
      event("put", fragment.key() + " " + fragment.tag() + "\n" + fragment.html().get());
    }
    Map<String, Object> shown = HashMap.newHashMap(fragments.size());
    fragments.forEach(fragment -> shown.put(fragment.key(), fragment.version()));
    List<String> keys = fragments.stream().map(Fragment::key).toList();
    if (!keys.equals(order)) {
      changed = true;
      event("order", String.join(" ", keys));
    }
    versions = shown;
    order = keys;
    flush(changed);
  }

  /** Says why there is nothing newer to show, when that is new. */
  void trouble(String why) throws IOException {
    String now = ShortText.beginning(why, MAX_TROUBLE_LENGTH);
    boolean changed = !trouble.equals(now);
    if (changed) {
      trouble = now;
      event("trouble", now);
    }
    if (!changed && time.nanoTime() - lastSent >= HEARTBEAT_NANOS) {
      out.write(": still\n\n".getBytes(StandardCharsets.UTF_8));
      lastSent = time.nanoTime();
    }
    out.flush();
  }

  /** Says that too many are watching. */
  void full() throws IOException {
    event("full", "");
    out.flush();
  }

  private void flush(boolean changed) throws IOException {
    if (changed || time.nanoTime() - lastSent >= HEARTBEAT_NANOS) {
      lastSent = time.nanoTime();
      event("time", time.wallTime().truncatedTo(ChronoUnit.MILLIS).toString());
    }
    out.flush();
  }

  private void event(String name, String data) throws IOException {
    String lines = data.replace("\r", " ").replace("\n", "\ndata: ");
    out.write(("event: " + name + "\ndata: " + lines + "\n\n").getBytes(StandardCharsets.UTF_8));
  }
}
