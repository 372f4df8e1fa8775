package io.probelet.monitor.evidence;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of an evidence collection.
 *
 * @param name of the archive, ending in {@code .tar.gz}
 * @param path where it is saved; null if it could not be saved, which the digest then reports
 * @param sha256 of the archive, 64 hexadecimal digits
 * @param bytes of the archive, at most {@link NodeEvidence#MAX_BYTES}
 * @param digest the summary, with the newest problems: 1 to {@link EvidenceDigest#MAX_LINES} lines,
 *     together at most {@link EvidenceDigest#MAX_CHARS} characters
 */
public record EvidenceBundle(
    String name, @Nullable Path path, String sha256, long bytes, List<String> digest) {
  /** Keeps an unmodifiable copy of the list. */
  public EvidenceBundle {
    digest = List.copyOf(digest);
  }

  /** {@return the same, saved elsewhere; null for nowhere} */
  public EvidenceBundle savedAt(@Nullable Path other) {
    return new EvidenceBundle(name, other, sha256, bytes, digest);
  }

  /** {@return the SHA-256 of an archive, as 64 hexadecimal digits} */
  public static String sha256(byte[] archive) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
