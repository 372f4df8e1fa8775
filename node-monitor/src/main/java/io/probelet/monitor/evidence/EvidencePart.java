package io.probelet.monitor.evidence;

import java.time.Duration;

/**
 * One part of a bundle.
 *
 * @param name in the manifest, such as {@code kernel-log}
 * @param file in the archive, without folders
 * @param keep which end is kept of a part that is too long
 * @param maxBytes the most bytes kept, above zero
 * @param timeout how long it may take, above zero
 */
public record EvidencePart(
    String name,
    String file,
    Keep keep,
    int maxBytes,
    Duration timeout,
    EvidenceCollector collector) {
  /** Which end is kept of a part that is too long. */
  public enum Keep {
    /** The beginning. */
    FIRST,
    /** The end, which matters most in a log. */
    LAST
  }
}
