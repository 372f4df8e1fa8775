package io.probelet.monitor.evidence;

import java.time.Duration;

/**
 * One part of a bundle.
 *
 * @param name in the manifest, such as {@code kernel-log}
 * @param file in the archive, without folders
 * @param keep which end of too much is kept
 * @param maxBytes how much of it is kept, above zero
 * @param timeout how long it may take, above zero
 */
public record EvidencePart(
    String name,
    String file,
    Keep keep,
    int maxBytes,
    Duration timeout,
    EvidenceCollector collector) {
  /** Which end of too much is kept. */
  public enum Keep {
    /** What was written first. */
    FIRST,
    /** What was written last: that of a log which matters. */
    LAST
  }
}
