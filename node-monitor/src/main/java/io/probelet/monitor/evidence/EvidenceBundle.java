package io.probelet.monitor.evidence;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a collection of evidence came to.
 *
 * @param name of the archive, ending in {@code .tar.gz}
 * @param path where it is kept; null if the node could not keep it, which the digest says then
 * @param sha256 of the archive, 64 hexadecimal digits
 * @param bytes of the archive, at most {@link NodeEvidence#MAX_BYTES}
 * @param digest what matters most of it, newest problems included: 1 to {@link
 *     EvidenceDigest#MAX_LINES} lines, together at most {@link EvidenceDigest#MAX_CHARS} characters
 */
public record EvidenceBundle(
    String name, @Nullable Path path, String sha256, long bytes, List<String> digest) {
  /** Keeps an unmodifiable copy of the list. */
  public EvidenceBundle {
    digest = List.copyOf(digest);
  }
}
