package io.probelet.probe.engine;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The published result of every probe of one loop, by container id and kind. Lives on that loop.
 */
final class ResultsManager {
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

  private final Map<Key, ProbeResult> results = new HashMap<>();

  /** {@return the published result, null when none was published for this container id} */
  @Nullable ProbeResult get(String containerId, ProbeKind kind) {
    return results.get(new Key(containerId, kind));
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
