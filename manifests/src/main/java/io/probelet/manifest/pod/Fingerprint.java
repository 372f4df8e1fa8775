package io.probelet.manifest.pod;

import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The uid of a pod without one from an API server. It is derived from the content: it stays while
 * comments, layout and the order of fields change, and differs as soon as a value changes.
 */
final class Fingerprint {
  private static final long VERSION_MASK = 0xFFFF_FFFF_FFFF_0FFFL;
  private static final long VERSION_8 = 0x8000L;
  private static final long VARIANT_MASK = 0x3FFF_FFFF_FFFF_FFFFL;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  private final MessageDigest digest;

  private Fingerprint() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns a UUID of version 8, which is reserved for custom schemes. */
  static String of(String namespace, String name, Node pod) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.add('n', namespace);
    fingerprint.add('n', name);
    fingerprint.add(pod);
    ByteBuffer bytes = ByteBuffer.wrap(fingerprint.digest.digest());
    long most = (bytes.getLong() & VERSION_MASK) | VERSION_8;
    long least = (bytes.getLong() & VARIANT_MASK) | VARIANT;
    return new UUID(most, least).toString();
  }

  private void add(Node node) {
    switch (node) {
      case Scalar scalar -> add(scalar.type().name().charAt(0), scalar.text());
      case Sequence sequence -> {
        add('[', sequence.items().size());
        sequence.items().forEach(this::add);
      }
      case Mapping mapping -> {
        add('{', mapping.entries().size());
        Map<String, Node.Entry> sorted = new TreeMap<>(mapping.entries());
        sorted.forEach((name, entry) -> {
          add('k', name);
          add(entry.value());
        });
      }
    }
  }

  private void add(char kind, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    add(kind, bytes.length);
    digest.update(bytes);
  }

  /** Lengths separate neighbors: "ab", "c" differs from "a", "bc". */
  private void add(char kind, int length) {
    digest.update((byte) kind);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
  }
}
