package io.probelet.probe.runtime;

import io.probelet.health.ShortText;
import org.jspecify.annotations.Nullable;

/**
 * Details that help an operator find the cause of a broken container. They are for people: tenants
 * may write these texts, and no rule reads them.
 *
 * @param message why it waits, in words of the kubelet or the runtime, possibly empty; at most
 *     1,024 characters are kept
 * @param lastTermination how the newest instance that ended did so, which is this one if it has
 *     ended; null when none has, or nothing is known of it
 * @param logPath the file on this machine that has its output; empty when that is unknown
 * @param image the image it was made from; empty when that is unknown, at most {@link #MAX_IMAGE}
 *     characters are kept
 */
public record ContainerDetails(
    String message, @Nullable Termination lastTermination, String logPath, String image) {
  /** Characters that are kept of an image's name. */
  public static final int MAX_IMAGE = 256;

  /** No details. */
  public static final ContainerDetails NONE = new ContainerDetails("", null, "");

  /** Cuts the texts. */
  public ContainerDetails {
    message = ShortText.of(message, Termination.MAX_MESSAGE);
    image = ShortText.of(image, MAX_IMAGE);
  }

  /**
   * Details without an image.
   *
   * @param message why it waits
   * @param lastTermination how the newest instance that ended did so
   * @param logPath the file that has its output
   */
  public ContainerDetails(String message, @Nullable Termination lastTermination, String logPath) {
    this(message, lastTermination, logPath, "");
  }

  /**
   * {@return details of how the newest instance ended}
   *
   * @param last how; null when that is unknown
   */
  public static ContainerDetails ended(@Nullable Termination last) {
    return last == null ? NONE : new ContainerDetails("", last, "");
  }

  /**
   * {@return the same with another message}
   *
   * @param text why it waits
   */
  public ContainerDetails saying(String text) {
    return new ContainerDetails(text, lastTermination, logPath, image);
  }

  /**
   * {@return the same with another log}
   *
   * @param path the file
   */
  public ContainerDetails loggingTo(String path) {
    return new ContainerDetails(message, lastTermination, path, image);
  }

  /**
   * {@return the same with another image}
   *
   * @param name its name
   */
  public ContainerDetails from(String name) {
    return new ContainerDetails(message, lastTermination, logPath, name);
  }

  /**
   * {@return the same, completed by what another source knows: each part is taken from there where
   * it is unknown here}
   *
   * @param other the other source
   */
  public ContainerDetails or(ContainerDetails other) {
    return new ContainerDetails(
        message.isEmpty() ? other.message : message,
        lastTermination == null ? other.lastTermination : lastTermination,
        logPath.isEmpty() ? other.logPath : logPath,
        image.isEmpty() ? other.image : image);
  }
}
