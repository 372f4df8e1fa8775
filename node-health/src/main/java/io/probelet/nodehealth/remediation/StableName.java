package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.resource.ObjectRef;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Completes a name like an API server does for {@code generateName}, but deterministically: a
 * creation whose response was lost cannot happen twice.
 */
final class StableName {
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
  private static final int LENGTH = 10;

  /** The maximum length of a label's value, because remediators put names into labels. */
  private static final int MAX_LENGTH = 63;

  private StableName() {}

  static String of(String prefix, String nhcUid, String nodeUid, ObjectRef template) {
    byte[] digest =
        sha256(
            String.join("\n", nhcUid, nodeUid, template.apiVersion(), template.toString())
                .getBytes(StandardCharsets.UTF_8));
    StringBuilder name =
        new StringBuilder(prefix.substring(0, Math.min(prefix.length(), MAX_LENGTH - LENGTH)));
    for (int i = 0; i < LENGTH; i++) {
      name.append(LETTERS.charAt(Byte.toUnsignedInt(digest[i]) % LETTERS.length()));
    }
    return name.toString();
  }

  private static byte[] sha256(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
