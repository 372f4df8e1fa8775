package io.probelet.kube.event;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Names Events by their cause: a process that was restarted goes on with the Event it began. An
 * object of the same name that was made anew has another uid, and Events of its own.
 */
final class EventName {
  /** The longest name that the API server takes. */
  static final int MAX_LENGTH = 253;

  private static final int HASH_BYTES = 8;

  private EventName() {}

  /** The same for every occurrence of a cause, in whichever process. */
  static String of(ApiEvent event) {
    InvolvedObject object = event.object();
    return named(
        object, hash(object.kind(), object.uid(), object.fieldPath(), event.reason(), event.key()));
  }

  /** For a cause whose own name something else has; nothing that began at another moment has it. */
  static String unique(ApiEvent event, Instant first) {
    return named(
        event.object(),
        hash(of(event), Long.toString(first.getEpochSecond()), Integer.toString(first.getNano())));
  }

  private static String named(InvolvedObject object, String hash) {
    String whole = object.name();
    int length = Math.min(whole.length(), MAX_LENGTH - 1 - hash.length());
    while (length > 0 && !Character.isLetterOrDigit(whole.charAt(length - 1))) {
      length--; // no part of a name ends in a dash
    }
    return whole.substring(0, length) + "." + hash;
  }

  /** The texts are separated by what none of them contains. */
  private static String hash(String... texts) {
    byte[] all = String.join("\0", texts).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(all);
      return HexFormat.of().formatHex(Arrays.copyOf(digest, HASH_BYTES));
    } catch (NoSuchAlgorithmException impossible) { // every Java platform has it
      throw new IllegalStateException(impossible);
    }
  }
}
