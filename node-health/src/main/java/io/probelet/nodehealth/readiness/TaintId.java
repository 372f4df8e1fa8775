package io.probelet.nodehealth.readiness;

import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a taint on a node, which has at most one of each key and effect (NRR-3).
 *
 * @param effect NoSchedule, PreferNoSchedule or NoExecute
 */
public record TaintId(String key, String effect) {
  /** {@return the identity of a taint} */
  public static TaintId of(NodeTaint taint) {
    return new TaintId(taint.key(), taint.effect());
  }

  /** {@return what {@link #toString} wrote; null for a taint that no rule can have} */
  static @Nullable TaintId parse(String text) {
    int colon = text.lastIndexOf(':');
    return colon > 0 && text.startsWith(NodeReadinessRule.TAINT_PREFIX)
        ? new TaintId(text.substring(0, colon), text.substring(colon + 1))
        : null;
  }

  boolean is(NodeTaint taint) {
    return taint.key().equals(key) && taint.effect().equals(effect);
  }

  /** {@return it as kubectl shows it, {@code key:effect}} */
  @Override
  public String toString() {
    return key + ":" + effect;
  }
}
