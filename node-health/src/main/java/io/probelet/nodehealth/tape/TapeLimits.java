package io.probelet.nodehealth.tape;

import io.probelet.nodehealth.remediation.NodeFacts;
import java.nio.charset.StandardCharsets;

/** The limits of one object on a tape, for readers and recorders. */
public final class TapeLimits {
  /** Maximum number of labels of a node. */
  public static final int MAX_LABELS = 256;

  /** Maximum number of conditions of a node. */
  public static final int MAX_CONDITIONS = 64;

  /** Maximum length of a text: a label's name has 253 characters, a slash and 63. */
  static final int MAX_TEXT = 317;

  private TapeLimits() {}

  /** {@return whether a reader accepts a node} */
  public static boolean fits(NodeFacts node) {
    return node.labels().size() <= MAX_LABELS
        && node.conditions().size() <= MAX_CONDITIONS
        && node.labels().entrySet().stream()
            .allMatch(label -> isShort(label.getKey()) && isShort(label.getValue()))
        && node.conditions().stream()
            .allMatch(condition -> isShort(condition.type()) && isShort(condition.status()));
  }

  /** {@return whether a reader accepts a remediation} */
  public static boolean fits(RecordedRemediation remediation) {
    return isShort(remediation.ref().apiVersion())
        && isShort(remediation.uid())
        && isShort(remediation.check())
        && isShort(remediation.template())
        && isShort(remediation.timedOut());
  }

  /**
   * {@return whether a reader accepts a line}
   *
   * @param line the line without its end
   */
  public static boolean fits(String line) {
    return line.getBytes(StandardCharsets.UTF_8).length <= TapeText.MAX_LINE;
  }

  private static boolean isShort(String text) {
    return text.length() <= MAX_TEXT;
  }
}
