package io.probelet.monitor.node;

import io.probelet.monitor.track.PodTrace;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened on the node.
 *
 * @param source the monitor that saw it
 * @param reason one word in UpperCamelCase for programs
 * @param text what was seen, cleaned and bounded (B-14)
 * @param at when it happened
 * @param problem whether it is bad news
 * @param pod the container it happened to; null if it happened to the node (B-10)
 */
public record NodeEvent(
    String source,
    String reason,
    String text,
    Instant at,
    boolean problem,
    @Nullable PodTrace pod) {
  /**
   * Something that happened to the node itself.
   *
   * @param source the monitor that saw it
   * @param reason one word in UpperCamelCase for programs
   * @param text what was seen, cleaned and bounded
   * @param at when it happened
   * @param problem whether it is bad news
   */
  public NodeEvent(String source, String reason, String text, Instant at, boolean problem) {
    this(source, reason, text, at, problem, null);
  }

  /** {@return what was seen, and in which container as far as the kernel names it} */
  public String message() {
    return pod == null ? text : messageIn(pod.toString());
  }

  /**
   * {@return what was seen, and where}
   *
   * @param where the container it happened to, for people
   */
  public String messageIn(String where) {
    return text + "; in " + where;
  }
}
