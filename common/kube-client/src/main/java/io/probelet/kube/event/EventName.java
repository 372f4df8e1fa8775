package io.probelet.kube.event;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Names Events by their cause, so that a restarted process continues its earlier Events. A
 * recreated object has another uid and its own Events.
 */
final class EventName {
  /** The API server's limit for names. */
  static final int MAX_LENGTH = 253;

  private static final int HASH_BYTES = 8;

  private EventName() {}

  /** A name that is identical for every occurrence of a cause, in any process. */
  static String of(ApiEvent event) {
    InvolvedObject object = event.object();
    return named(
        object, hash(object.kind(), object.uid(), object.fieldPath(), event.reason(), event.key()));
  }

  /** An alternative name, unique by start time, if the regular name is taken. */
  static String unique(ApiEvent event, Instant first) {
    return named(
        event.object(),
        hash(of(event), Long.toString(first.getEpochSecond()), Integer.toString(first.getNano())));
  }

  private static String named(InvolvedObject object, String hash) {
    String whole = object.name();
    int length = Math.min(whole.length(), MAX_LENGTH - 1 - hash.length());
    while (length > 0 && !Character.isLetterOrDigit(whole.charAt(length - 1))) {
      length--; // a part of a name must not end with a dash
    }
    return whole.substring(0, length) + "." + hash;
  }

  /** The separator does not occur in the texts. */
  private static String hash(String... texts) {
    byte[] all = String.join("\0", texts).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(all);
      return HexFormat.of().formatHex(Arrays.copyOf(digest, HASH_BYTES));
    } catch (NoSuchAlgorithmException impossible) { // required in every Java platform
      throw new IllegalStateException(impossible);
    }
  }
}
