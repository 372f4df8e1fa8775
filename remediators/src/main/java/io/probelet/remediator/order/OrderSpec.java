package io.probelet.remediator.order;

import io.probelet.health.OneLine;
import io.probelet.remediator.resource.BootId;
import java.time.Duration;

/**
 * What is ordered; nothing of it but the grant ever changes.
 *
 * @param bootId the boot in which it is to do it: a node that has rebooted since does nothing
 * @param timeout how long it may take from its begin, in whole seconds
 * @param reason why, for whoever reads the order or the node's log
 * @param granted whether the node may begin
 */
public record OrderSpec(
    OrderAction action,
    String bootId,
    Duration timeout,
    String reason,
    OrderOwner owner,
    boolean granted) {
  /** The longest time an order may take. */
  public static final Duration MAX_TIMEOUT = Duration.ofHours(1);

  /** The most characters of a reason or a message; what is longer is cut. */
  public static final int MAX_TEXT = 1024;

  /** The most characters of a boot id. */
  public static final int MAX_BOOT_ID = BootId.MAX_CHARS;

  /**
   * Brings the texts and the time within their bounds.
   *
   * @throws IllegalArgumentException if the timeout is not above zero
   */
  public OrderSpec {
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("timeout " + timeout + " must be 1s or more");
    }
    timeout =
        timeout.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : Duration.ofSeconds(timeout.toSeconds());
    reason = line(reason);
  }

  /** {@return the text as one line, or as much of it as is kept} */
  static String line(String text) {
    return OneLine.of(text, MAX_TEXT);
  }
}
