package io.probelet.monitor.evidence;

import io.probelet.health.OneLine;
import io.probelet.health.TimeSource;
import io.probelet.monitor.evidence.EvidencePart.Keep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Collects evidence about this node: collects all parts in parallel, drops what is late (ACT-101),
 * and packs and saves the bundle, within {@link #TIMEOUT} in total.
 */
public final class NodeEvidence {
  /** The time limit of a collection. */
  public static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The largest archive. */
  public static final int MAX_BYTES = 16 << 20;

  /** The shares of the total time for collecting and for saving. */
  private static final Duration COLLECTING = Duration.ofSeconds(20);

  private static final Duration KEEPING = Duration.ofSeconds(8);

  /** The most bytes for manifest, digest and archive headers. */
  private static final int OVERHEAD = 1 << 20;

  private static final int MAX_REASON_CHARS = 256;
  private static final int MAX_NAME_CHARS = 63;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final String node;
  private final List<EvidencePart> parts;
  private final EvidenceStore store;
  private final TimeSource time;
  private final AtomicBoolean collecting = new AtomicBoolean();

  /** Parts of earlier collections that still run; used by the current collection only. */
  private final Map<String, PartRun> behind = new HashMap<>();

  /**
   * Creates it; nothing is read yet.
   *
   * @param parts in order of importance, with distinct names, together at most {@link #MAX_BYTES}
   *     less 1 MiB
   */
  public NodeEvidence(String node, List<EvidencePart> parts, EvidenceStore store, TimeSource time) {
    long bytes = parts.stream().mapToLong(EvidencePart::maxBytes).sum();
    if (bytes > MAX_BYTES - OVERHEAD) {
      throw new IllegalArgumentException(
          "parts of %d bytes do not fit into %d".formatted(bytes, MAX_BYTES - OVERHEAD));
    }
    this.node = node;
    this.parts = List.copyOf(parts);
    this.store = store;
    this.time = time;
  }

  /**
   * Collects a bundle. Blocks for at most {@link #TIMEOUT}.
   *
   * @param reason the reason in a few words for people; truncated to 256 characters
   * @return the bundle, even if it could not be saved
   * @throws IOException if another collection is running; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  public EvidenceBundle collect(String reason) throws IOException, InterruptedException {
    return collect(reason, store);
  }

  /**
   * The same with another store.
   *
   * @param reason the reason in a few words for people; truncated to 256 characters
   * @param to saves the bundle instead of the usual store
   * @return the bundle, even if it could not be saved
   * @throws IOException if another collection is running; the message is for the user
   * @throws InterruptedException if the calling thread was interrupted
   */
  public EvidenceBundle collect(String reason, EvidenceStore to)
      throws IOException, InterruptedException {
    if (!collecting.compareAndSet(
        false, true)) { // ACT-103: two collections would read an unhealthy node twice
      throw new IOException("evidence collection is already running; retry when it has finished");
    }
    try {
      return pack(
          OneLine.beginning(reason, MAX_REASON_CHARS), to, time.wallTime(), time.nanoTime());
    } finally {
      collecting.set(false);
    }
  }

  private EvidenceBundle pack(String reason, EvidenceStore to, Instant at, long begun)
      throws InterruptedException {
    String name = "evidence-" + TIME.format(at) + "-" + plain(node);
    List<PartResult> results = results();
    Duration took = Duration.ofNanos(time.nanoTime() - begun);
    List<String> digest =
        EvidenceDigest.of(
            "node %s at %s%s".formatted(node, at, reason.isEmpty() ? "" : ": " + reason), results);
    TarGzip archive = new TarGzip(at);
    archive.add(
        name + "/manifest.json", EvidenceManifest.of(name, node, reason, at, took, results));
    archive.add(
        name + "/digest.txt", (String.join("\n", digest) + "\n").getBytes(StandardCharsets.UTF_8));
    for (PartResult result : results) {
      if (result.completeness() != PartResult.Completeness.MISSING) {
        archive.add(name + "/" + result.part().file(), result.content());
      }
    }
    byte[] bytes = archive.finish();
    String file = name + ".tar.gz";
    AtomicReference<@Nullable Path> kept = new AtomicReference<>();
    List<String> refused = keep(to, file, bytes, kept);
    if (!refused.isEmpty()) { // ACT-105: the digest is kept even if the disk cannot be written
      digest = EvidenceDigest.with(digest, "not saved on the node: " + refused.getFirst());
    }
    return new EvidenceBundle(file, kept.get(), EvidenceBundle.sha256(bytes), bytes.length, digest);
  }

  private List<PartResult> results() throws InterruptedException {
    long begun = time.nanoTime();
    List<PartResult> results = new ArrayList<>();
    Map<String, PartRun> running = new HashMap<>();
    for (EvidencePart part : parts) {
      if (!hangs(part)) {
        PartRun run = PartRun.start(part, time);
        running.put(part.name(), run);
      }
    }
    try {
      for (EvidencePart part : parts) {
        PartRun run = running.get(part.name());
        results.add(
            run == null
                ? stillRunning(part)
                : run.result(COLLECTING.minusNanos(time.nanoTime() - begun)));
      }
    } finally {
      running.forEach((part, run) -> leave(part, run));
    }
    return results;
  }

  /** Avoids one more hanging thread per collection. */
  private void leave(String part, PartRun run) {
    if (run.leave()) {
      behind.put(part, run);
    } else {
      behind.remove(part);
    }
  }

  private boolean hangs(EvidencePart part) {
    PartRun before = behind.get(part.name());
    return before != null && !before.hasEnded();
  }

  private static PartResult stillRunning(EvidencePart part) {
    return new PartResult(
        part,
        new byte[0],
        Duration.ZERO,
        List.of("an earlier collection of this part is still running"),
        List.of());
  }

  /** Writes to a disk that may hang, with the same time limit as a part. */
  private List<String> keep(
      EvidenceStore to, String name, byte[] archive, AtomicReference<@Nullable Path> kept)
      throws InterruptedException {
    EvidencePart writing =
        new EvidencePart(
            "keeping", name, Keep.FIRST, OVERHEAD, KEEPING, _ -> kept.set(to.keep(name, archive)));
    if (hangs(writing)) {
      return stillRunning(writing).why();
    }
    PartRun run = PartRun.start(writing, time);
    try {
      return run.result(KEEPING).why();
    } finally {
      leave(writing.name(), run);
    }
  }

  /** A node's name as part of a file name. */
  private static String plain(String node) {
    String plain = node.replaceAll("[^A-Za-z0-9.-]", "_");
    return plain.substring(0, Math.min(plain.length(), MAX_NAME_CHARS));
  }
}
