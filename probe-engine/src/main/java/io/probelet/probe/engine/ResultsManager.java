package io.probelet.probe.engine;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The published result of every probe, by container id and kind. Workers write on their loops;
 * anyone may read.
 */
public final class ResultsManager {
  /** Compared by hand: what a record has for it, C1 calls through four method handles. */
  private record Key(String containerId, ProbeKind kind) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that && kind == that.kind && containerId.equals(that.containerId);
    }

    @Override
    public int hashCode() {
      return 31 * containerId.hashCode() + kind.hashCode();
    }
  }

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
    Key key = new Key(containerId, kind);
    if (results.get(key) == result) { // as nearly always
      return false;
    }
    results.put(key, result);
    return true;
  }

  /** Forgets a result. */
  void remove(String containerId, ProbeKind kind) {
    results.remove(new Key(containerId, kind));
  }
}
