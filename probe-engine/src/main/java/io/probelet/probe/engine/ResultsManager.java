package io.probelet.probe.engine;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The published result of every probe, by container id and kind. Workers write on their loops;
 * anyone may read.
 */
public final class ResultsManager {
  private record Key(String containerId, ProbeKind kind) {}

  private final Map<Key, ProbeResult> results = new ConcurrentHashMap<>();

  /** Creates a manager that knows no result. */
  public ResultsManager() {}

  /**
   * Finds what is published.
   *
   * @param containerId the runtime's id
   * @param kind which probe
   * @return the result, empty when none was published for this id
   */
  public Optional<ProbeResult> get(String containerId, ProbeKind kind) {
    return Optional.ofNullable(results.get(new Key(containerId, kind)));
  }

  /** Publishes a result; returns whether that changed anything. */
  boolean set(String containerId, ProbeKind kind, ProbeResult result) {
    return results.put(new Key(containerId, kind), result) != result;
  }

  /** Forgets a result. */
  void remove(String containerId, ProbeKind kind) {
    results.remove(new Key(containerId, kind));
  }
}
