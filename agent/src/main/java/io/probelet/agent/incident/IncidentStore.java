package io.probelet.agent.incident;

import io.probelet.web.api.Rfc3339;
import io.probelet.web.api.ViewJson;
import io.probelet.web.incident.Incident;
import io.probelet.web.incident.IncidentKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The incidents of this node, within bounds: {@link #MAX_OF_CONTAINER} of a container, {@link
 * #MAX_SIZE} in all, {@link #MAX_AGE}. When all together are too large, the namespace with the most
 * loses its oldest, so that no tenant displaces another's. Each is held as JSON, which takes a
 * fraction of its objects' memory. Safe for use by several threads.
 */
public final class IncidentStore implements AutoCloseable {
  /** Most incidents of one container. */
  public static final int MAX_OF_CONTAINER = 20;

  /** Most characters of JSON in all. */
  public static final int MAX_SIZE = 1 << 20;

  /** Most characters of one incident; a larger one loses its texts. */
  static final int MAX_INCIDENT = 16 << 10;

  /** How long an incident is kept. */
  public static final Duration MAX_AGE = Duration.ofDays(7);

  private final IncidentFile file;
  private final Map<String, Namespace> namespaces = new HashMap<>();
  private long size;
  private long dropped;

  /** The container of an incident, whatever instance of it. */
  private record Owner(String pod, String container) {}

  /** One incident, and what is needed without reading it: whether an instance ended, too. */
  private record Entry(Owner owner, Instant at, boolean ended, String json) {}

  /** Of one namespace, oldest first. */
  private static final class Namespace {
    private final List<Entry> entries = new ArrayList<>();
    private long size;
  }

  /**
   * Begins with what an earlier life of the agent has kept.
   *
   * @param file where incidents are kept
   * @param now the wall time
   */
  public IncidentStore(IncidentFile file, Instant now) {
    this.file = file;
    file.read().forEach(json -> parse(json).ifPresent(read -> put(read, json)));
    forget(now);
  }

  private static Optional<Incident> parse(String json) {
    try {
      return Optional.of(ViewJson.read(json.getBytes(StandardCharsets.UTF_8), Incident.class));
    } catch (IOException torn) {
      return Optional.empty();
    }
  }

  /**
   * Adds an incident.
   *
   * @param incident the newest
   */
  public synchronized void add(Incident incident) {
    String json = bounded(incident);
    put(incident, json);
    forget(Rfc3339.readOrEpoch(incident.time()));
    file.append(json, this::all);
  }

  /**
   * Replaces the newest incident of a pod that meets a condition.
   *
   * @param namespace of the pod
   * @param pod its name
   * @param which the condition
   * @param change makes the new one
   * @return whether there was one
   */
  public synchronized boolean update(
      String namespace, String pod, Predicate<Incident> which, UnaryOperator<Incident> change) {
    Namespace kept = namespaces.getOrDefault(namespace, new Namespace());
    for (int i = kept.entries.size() - 1; i >= 0; i--) {
      Entry before = kept.entries.get(i);
      Optional<Incident> found =
          before.owner().pod().equals(pod) ? parse(before.json()).filter(which) : Optional.empty();
      if (found.isPresent()) {
        String json = bounded(change.apply(found.get()));
        kept.entries.set(i, new Entry(before.owner(), before.at(), before.ended(), json));
        kept.size += json.length() - before.json().length();
        size += json.length() - before.json().length();
        bound();
        file.replaceSoon(this::all);
        return true;
      }
    }
    return false;
  }

  private static String bounded(Incident incident) {
    String json = ViewJson.write(incident);
    return json.length() <= MAX_INCIDENT ? json : ViewJson.write(incident.withoutTexts());
  }

  private void put(Incident incident, String json) {
    Namespace namespace = namespaces.computeIfAbsent(incident.namespace(), _ -> new Namespace());
    Owner owner = new Owner(incident.pod(), incident.container());
    Entry entry = new Entry(owner, Rfc3339.readOrEpoch(incident.time()), isEnd(incident), json);
    namespace.entries.add(entry);
    namespace.size += json.length();
    size += json.length();
    List<Entry> own =
        namespace.entries.stream().filter(each -> each.owner().equals(owner)).toList();
    if (own.size() > MAX_OF_CONTAINER) { // a flapping probe does not displace restarts and crashes
      Entry oldest =
          own.stream().filter(each -> !each.ended()).findFirst().orElseGet(own::getFirst);
      remove(incident.namespace(), namespace, oldest);
    }
    bound();
  }

  private static boolean isEnd(Incident incident) {
    return incident.kind() != IncidentKind.UNREADY && incident.kind() != IncidentKind.HELD;
  }

  private void bound() {
    while (size > MAX_SIZE) {
      Map.Entry<String, Namespace> largest =
          namespaces.entrySet().stream()
              .max(Comparator.comparingLong(each -> each.getValue().size))
              .orElseThrow();
      remove(largest.getKey(), largest.getValue(), largest.getValue().entries.getFirst());
      dropped++;
    }
  }

  private void forget(Instant now) {
    Instant oldest = now.minus(MAX_AGE);
    for (String name : List.copyOf(namespaces.keySet())) {
      Namespace namespace = namespaces.get(name);
      while (namespace != null
          && !namespace.entries.isEmpty()
          && namespace.entries.getFirst().at().isBefore(oldest)) {
        remove(name, namespace, namespace.entries.getFirst());
      }
    }
  }

  private void remove(String name, Namespace namespace, Entry entry) {
    namespace.entries.remove(entry);
    namespace.size -= entry.json().length();
    size -= entry.json().length();
    if (namespace.entries.isEmpty()) {
      namespaces.remove(name);
    }
  }

  /**
   * {@return incidents, oldest first}
   *
   * @param namespace of the pod; empty for all
   * @param pod its name; empty for all
   */
  public synchronized List<Incident> of(String namespace, String pod) {
    return namespaces.entrySet().stream()
        .filter(each -> namespace.isEmpty() || each.getKey().equals(namespace))
        .flatMap(each -> each.getValue().entries.stream())
        .filter(each -> pod.isEmpty() || each.owner().pod().equals(pod))
        .sorted(Comparator.comparing(Entry::at))
        .flatMap(each -> parse(each.json()).stream())
        .toList();
  }

  /** {@return incidents that were dropped before their time because all were too large} */
  public synchronized long dropped() {
    return dropped;
  }

  /** {@return how many are kept} */
  public synchronized int size() {
    return namespaces.values().stream().mapToInt(each -> each.entries.size()).sum();
  }

  private synchronized List<String> all() {
    return namespaces.values().stream()
        .flatMap(each -> each.entries.stream())
        .sorted(Comparator.comparing(Entry::at))
        .map(Entry::json)
        .toList();
  }

  /** Writes what has not been written. */
  @Override
  public void close() {
    file.close();
  }
}
