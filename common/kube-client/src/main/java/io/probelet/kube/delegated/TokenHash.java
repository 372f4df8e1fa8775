package io.probelet.kube.delegated;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Hashes tokens, so that memory does not contain them. Thread-safe. */
final class TokenHash {
  private static final int SALT_BYTES = 16;

  private final byte[] salt = new byte[SALT_BYTES];

  /** Creates a hash with a random key. */
  TokenHash() {
    new SecureRandom().nextBytes(salt);
  }

  String of(String token) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(salt);
      return HexFormat.of().formatHex(digest.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
