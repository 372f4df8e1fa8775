package io.probelet.web.events;

import io.probelet.health.OneLine;
import io.probelet.health.TimeSource;
import io.probelet.web.api.RecentEvent;
import io.probelet.web.api.Rfc3339;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The newest events, within bounds (L-2). A container keeps its newest 40. When all together are
 * too many or too large, the namespace that has the most loses its oldest. Safe for use by several
 * threads.
 *
 * <pre>
 *   namespace shop    ▒▒▒▒            keeps all it has
 *   namespace noisy   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒  loses its oldest for each new event of anybody
 * </pre>
 */
final class EventLog {
  static final int MAX_OF_CONTAINER = 40;
  static final int MAX_EVENTS = 4_000;

  /** In characters, an event's own names and overhead included. */
  static final int MAX_SIZE = 1024 * 1024;

  static final int MAX_MESSAGE = 256;

  /** Of an event beside its texts. */
  private static final int OVERHEAD = 100;

  private final TimeSource time;
  private final Map<String, Namespace> namespaces = new HashMap<>();
  private int events;
  private long size;
  private long serial;

  /**
   * What an event is about.
   *
   * @param namespace empty for the agent itself
   * @param pod empty for the agent itself
   * @param container empty for the whole pod
   * @param probe empty for none
   */
  record Subject(String namespace, String pod, String container, String probe) {
    static final Subject AGENT = new Subject("", "", "", "");

    private String owner() {
      return pod + "/" + container;
    }

    private int size() {
      return namespace.length() + pod.length() + container.length() + probe.length();
    }
  }

  /** One event that may happen again. */
  static final class Entry {
    private final Subject subject;
    private final String reason;
    private final Instant first;
    private Instant last;
    private long count = 1;
    private String message;
    private long serial;
    private boolean kept;

    private Entry(Subject subject, String reason, Instant at, String message) {
      this.subject = subject;
      this.reason = reason;
      this.first = at;
      this.last = at;
      this.message = message;
    }

    private int size() {
      return OVERHEAD + subject.size() + reason.length() + message.length();
    }
  }

  /** Of one namespace, oldest first. */
  private static final class Namespace {
    private final LinkedHashSet<Entry> all = new LinkedHashSet<>();
    private final Map<String, LinkedHashSet<Entry>> containers = new HashMap<>();
    private long size;
  }

  /** Creates an empty one. */
  EventLog(TimeSource time) {
    this.time = time;
  }

  /**
   * Records an event. What has just happened to the same container for the same reason has happened
   * again.
   *
   * @param message what was seen; a stranger's text
   * @return to be counted when it happens again
   */
  synchronized Entry record(Subject subject, String reason, Instant at, String message) {
    Namespace namespace = namespaces.get(subject.namespace());
    LinkedHashSet<Entry> own = namespace == null ? null : namespace.containers.get(subject.owner());
    if (own != null) {
      Entry newest = own.getLast();
      if (newest.subject.equals(subject) && newest.reason.equals(reason)) {
        again(newest, at, message);
        return newest;
      }
    }
    Entry entry = new Entry(subject, reason, at, OneLine.of(message, MAX_MESSAGE));
    add(entry);
    return entry;
  }

  /** Records an event that happens now. */
  Entry record(Subject subject, String reason, String message) {
    return record(subject, reason, time.wallTime(), message);
  }

  /** Records that an event has happened again. One that was pushed out comes back as it was. */
  synchronized void again(Entry entry, Instant at, String message) {
    String text = OneLine.of(message, MAX_MESSAGE);
    if (entry.kept) {
      Namespace namespace = namespaces.get(entry.subject.namespace());
      int more = text.length() - entry.message.length();
      size += more;
      if (namespace != null) {
        namespace.size += more;
      }
    }
    entry.count++;
    entry.last = at;
    entry.message = text;
    if (!entry.kept) {
      add(entry);
    } else {
      bound();
    }
  }

  /** Records that an event happens again now. */
  void again(Entry entry, String message) {
    again(entry, time.wallTime(), message);
  }

  private void add(Entry entry) {
    Namespace namespace =
        namespaces.computeIfAbsent(entry.subject.namespace(), _ -> new Namespace());
    LinkedHashSet<Entry> own =
        namespace.containers.computeIfAbsent(entry.subject.owner(), _ -> new LinkedHashSet<>());
    entry.serial = serial++;
    entry.kept = true;
    own.add(entry);
    namespace.all.add(entry);
    namespace.size += entry.size();
    size += entry.size();
    events++;
    if (own.size() > MAX_OF_CONTAINER) {
      drop(own.getFirst());
    }
    bound();
  }

  private void bound() {
    while (events > MAX_EVENTS) {
      drop(most(Comparator.comparingLong(each -> each.all.size())));
    }
    while (size > MAX_SIZE) {
      drop(most(Comparator.comparingLong(each -> each.size)));
    }
  }

  private Entry most(Comparator<Namespace> order) {
    return namespaces.values().stream().max(order).orElseThrow().all.getFirst();
  }

  private void drop(Entry entry) {
    Namespace namespace = namespaces.get(entry.subject.namespace());
    if (namespace == null) {
      return;
    }
    LinkedHashSet<Entry> own = namespace.containers.get(entry.subject.owner());
    if (own != null && own.remove(entry) && own.isEmpty()) {
      namespace.containers.remove(entry.subject.owner());
    }
    namespace.all.remove(entry);
    namespace.size -= entry.size();
    if (namespace.all.isEmpty()) {
      namespaces.remove(entry.subject.namespace());
    }
    size -= entry.size();
    events--;
    entry.kept = false;
  }

  /** {@return the events that happened last, oldest first by when they happened first} */
  synchronized List<RecentEvent> newest(int wanted) {
    List<Entry> all = new ArrayList<>(events);
    namespaces.values().forEach(each -> all.addAll(each.all));
    all.sort(
        Comparator.comparing((Entry each) -> each.last).thenComparingLong(each -> each.serial));
    return all.subList(Math.max(0, all.size() - wanted), all.size()).stream()
        .sorted(
            Comparator.comparing((Entry each) -> each.first).thenComparingLong(each -> each.serial))
        .map(EventLog::view)
        .toList();
  }

  private static RecentEvent view(Entry entry) {
    Subject subject = entry.subject;
    return new RecentEvent(
        Rfc3339.text(entry.first),
        Rfc3339.text(entry.last),
        entry.count,
        subject.namespace(),
        subject.pod(),
        subject.container(),
        subject.probe(),
        entry.reason,
        entry.message);
  }
}
