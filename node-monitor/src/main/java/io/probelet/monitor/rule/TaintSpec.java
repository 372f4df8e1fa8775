package io.probelet.monitor.rule;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A taint of a node while a condition is true (B-11).
 *
 * @param key a key that begins with {@code probelet.io/}, so that no other taint is touched
 * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
 * @param maxNodesPercent the share of all nodes that may have it, 1 to 100
 */
public record TaintSpec(String key, String effect, int maxNodesPercent) {
  /** The default share of all nodes. */
  public static final int MAX_NODES_PERCENT = 20;

  /** The prefix of all our taint keys. */
  public static final String PREFIX = "probelet.io/";

  private static final Pattern NOTATION =
      Pattern.compile(
          "(probelet\\.io/[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?):"
              + "(NoSchedule|PreferNoSchedule|NoExecute)");

  /**
   * Reads {@code key:effect}.
   *
   * @param text for example {@code probelet.io/disk-broken:NoSchedule}
   * @param maxNodesPercent the share of all nodes that may have it, 1 to 100
   * @throws IllegalArgumentException if the format is invalid; the message is for the user
   */
  public static TaintSpec parse(String text, int maxNodesPercent) {
    Matcher parts = NOTATION.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "must be probelet.io/NAME:EFFECT with NoSchedule, PreferNoSchedule or NoExecute");
    }
    return new TaintSpec(parts.group(1), parts.group(3), maxNodesPercent);
  }

  /** {@return {@code key:effect}} */
  @Override
  public String toString() {
    return key + ":" + effect;
  }
}
