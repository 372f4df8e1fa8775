package io.probelet.nodehealth.workloads;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What has been found about a node, and since when something else is found. All times are
 * monotonic, from the start of the term.
 *
 * @param applied what the node's condition says; null if nothing was decided yet
 * @param pending what is found instead; null if the same is found
 * @param since since when it is found
 */
record NodeCourse(@Nullable Finding applied, @Nullable Finding pending, Duration since) {
  /** Begins with what the node's condition shows: an earlier leader decided that (WE-12). */
  static NodeCourse of(@Nullable Finding shown) {
    return new NodeCourse(shown, null, Duration.ZERO);
  }

  boolean isFailing() {
    return applied == Finding.FAILING;
  }

  /**
   * The course after something was found. WE-9: everything but a failure must last before it is
   * applied. WE-11: only what all watches have confirmed since is known.
   *
   * @param confirmed the last moment up to which all changes are known
   */
  NodeCourse found(Finding found, Duration now, Duration confirmed, Duration wait) {
    if (found == applied) {
      return of(applied);
    }
    boolean same = pending != null && pending.status() == found.status();
    Duration from = same ? since : now;
    Duration due = found == Finding.FAILING ? from : from.plus(wait);
    boolean known = found.isUnknown() || confirmed.compareTo(due) >= 0;
    return now.compareTo(due) >= 0 && known ? of(found) : new NodeCourse(applied, found, from);
  }
}
