package io.probelet.monitor.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.health.SystemClock;
import io.probelet.monitor.evidence.EvidencePart.Keep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeEvidenceTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;

  /** Ends all hanging collectors. */
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void letGo() {
    over.countDown();
  }

  private static EvidencePart part(String name, Duration timeout, EvidenceCollector collector) {
    return new EvidencePart(name, name + ".txt", Keep.FIRST, 1000, timeout, collector);
  }

  private NodeEvidence evidence(EvidencePart... parts) {
    return new NodeEvidence(
        "node-1", List.of(parts), new EvidenceRing(folder), SystemClock.INSTANCE);
  }

  /** Hangs like a read from a dead filesystem, without being interruptible. */
  private void hang() {
    boolean interrupted = false;
    while (true) {
      try {
        over.await();
        break;
      } catch (InterruptedException ignored) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName("A bundle is an archive that tar reads, with a manifest, a digest and its parts")
  void bundle() throws Exception {
    EvidenceBundle bundle =
        evidence(
                part(
                    "one",
                    LONG,
                    out -> {
                      out.line("first");
                      out.line("second");
                      out.highlight("something is wrong");
                    }),
                part("two", LONG, out -> out.line("other")))
            .collect("because");

    Path kept = folder.resolve(bundle.name());
    assertThat(bundle.path()).isEqualTo(kept);
    byte[] bytes = Files.readAllBytes(kept);
    assertThat(bundle.bytes()).isEqualTo(bytes.length);
    assertThat(bundle.sha256())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
    Map<String, String> files = BundleFiles.read(bundle);
    assertThat(files)
        .containsOnlyKeys("manifest.json", "digest.txt", "one.txt", "two.txt")
        .containsEntry("one.txt", "first\nsecond\n")
        .containsEntry("two.txt", "other\n");
    assertThat(files.get("digest.txt").lines()).isEqualTo(bundle.digest());
    assertThat(bundle.digest().getFirst()).startsWith("node node-1 at ").endsWith(": because");
    assertThat(bundle.digest())
        .contains("one: something is wrong")
        .endsWith("note: tenants choose the process, file and mount names in these lines")
        .hasSize(3);
    JsonNode manifest = new ObjectMapper().readTree(files.get("manifest.json"));
    assertThat(manifest.path("reason").asText()).isEqualTo("because");
    assertThat(manifest.path("parts")).hasSize(2);
    assertThat(manifest.at("/parts/0/state").asText()).isEqualTo("complete");
    assertThat(manifest.at("/parts/0/bytes").asInt()).isEqualTo(13);
  }

  @Test
  @DisplayName(
      "ACT-101, ACT-102: a hanging part times out; the manifest reports it, others are "
          + "complete")
  void hanging() throws Exception {
    EvidenceBundle bundle =
        evidence(
                part(
                    "hangs",
                    Duration.ofSeconds(3), // in which a busy machine starts its thread
                    out -> {
                      out.line("before");
                      hang();
                      out.line("after");
                    }),
                part("works", LONG, out -> out.line("here")))
            .collect("");

    Map<String, String> files = BundleFiles.read(bundle);
    assertThat(files).containsEntry("hangs.txt", "before\n").containsEntry("works.txt", "here\n");
    JsonNode part = new ObjectMapper().readTree(files.get("manifest.json")).at("/parts/0");
    assertThat(part.path("state").asText()).isEqualTo("partial");
    assertThat(part.path("why").asText()).contains("timed out after 3 s");
    assertThat(bundle.digest().getLast()).startsWith("missing or incomplete: hangs (timed out");
  }

  @Test
  @DisplayName("ACT-101: a part that hangs forever blocks one thread, not one per collection")
  void hangingAgain() throws Exception {
    AtomicInteger begun = new AtomicInteger();
    NodeEvidence evidence =
        evidence(
            part(
                "hangs",
                Duration.ofMillis(50),
                out -> {
                  begun.incrementAndGet();
                  hang();
                }));
    evidence.collect("");
    await().until(() -> begun.get() == 1);

    EvidenceBundle second = evidence.collect("");

    assertThat(begun).hasValue(1);
    assertThat(BundleFiles.read(second).get("manifest.json"))
        .contains("an earlier collection of this part is still running");
  }

  @Test
  @DisplayName(
      "ACT-101: a part that finished in time does not count as hanging, even if its thread "
          + "ends late")
  void endedInTime() throws Exception {
    Path kept = folder.resolve("kept");
    NodeEvidence evidence =
        new NodeEvidence(
            "node-1",
            List.of(part("quick", LONG, out -> out.line("here"))),
            (name, archive) -> kept,
            SystemClock.INSTANCE);

    for (int i = 0; i < 2000; i++) {
      EvidenceBundle bundle = evidence.collect("");
      assertThat(bundle.path()).isEqualTo(kept);
      assertThat(bundle.digest())
          .last()
          .asString()
          .isEqualTo("nothing unusual found in the parts that could be read");
    }
  }

  @Test
  @DisplayName("ACT-102: an unreadable part is missing with its reason, not an empty file")
  void missing() throws Exception {
    EvidenceBundle bundle =
        evidence(
                part(
                    "closed",
                    LONG,
                    out -> {
                      throw new IOException("permission denied; requires root");
                    }),
                part(
                    "broken",
                    LONG,
                    out -> {
                      throw new IllegalStateException("never");
                    }),
                part("empty", LONG, out -> {}))
            .collect("");

    Map<String, String> files = BundleFiles.read(bundle);
    assertThat(files).containsOnlyKeys("manifest.json", "digest.txt", "empty.txt");
    JsonNode parts = new ObjectMapper().readTree(files.get("manifest.json")).path("parts");
    assertThat(parts.at("/0/state").asText()).isEqualTo("missing");
    assertThat(parts.at("/0/why").asText()).isEqualTo("permission denied; requires root");
    assertThat(parts.at("/1/why").asText()).contains("internal error");
    assertThat(parts.at("/2/state").asText()).isEqualTo("complete");
    assertThat(bundle.digest())
        .contains("nothing unusual found in the parts that could be read")
        .anyMatch(line -> line.contains("closed (permission denied; requires root)"));
  }

  @Test
  @DisplayName("An endless part is truncated to its limit, keeping the relevant end")
  void endless() throws Exception {
    EvidencePart log =
        new EvidencePart(
            "log",
            "log.txt",
            Keep.LAST,
            1000,
            LONG,
            out -> {
              for (int line = 0; line < 5_000; line++) {
                out.line("line " + line);
                out.highlight("line " + line);
              }
            });
    EvidencePart table =
        part(
            "table",
            LONG,
            out -> {
              int line = 0;
              while (out.line("row " + line)) {
                line++;
              }
            });

    Map<String, String> files = BundleFiles.read(evidence(log, table).collect(""));

    assertThat(files.get("log.txt")).hasSizeLessThanOrEqualTo(1000).endsWith("line 4999\n");
    assertThat(files.get("table.txt")).hasSizeLessThanOrEqualTo(1000).startsWith("row 0\n");
    assertThat(files.get("digest.txt")).contains("log: line 4999").doesNotContain("line 3\n");
    assertThat(files.get("manifest.json"))
        .contains("truncated to the last 1000 bytes")
        .contains("truncated to the first 1000 bytes");
  }

  @Test
  @DisplayName("ACT-103: only one collection runs at a time")
  void oneAtATime() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    NodeEvidence evidence =
        evidence(
            part(
                "slow",
                LONG,
                out -> {
                  begun.countDown();
                  hang();
                }));
    Thread first =
        Thread.ofPlatform()
            .start(() -> {
              try {
                evidence.collect("first");
              } catch (IOException | InterruptedException failed) {
                throw new AssertionError(failed);
              }
            });
    assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();

    assertThatThrownBy(() -> evidence.collect("second"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is already running");

    over.countDown();
    first.join();
    assertThat(evidence.collect("third").digest()).isNotEmpty();
  }

  @Test
  @DisplayName("ACT-104: the newest ten bundles are kept; other files stay")
  void ring() throws Exception {
    EvidenceRing ring = new EvidenceRing(folder.resolve("evidence"));
    Path other = folder.resolve("evidence/notes.txt");
    Files.createDirectories(other.getParent());
    Files.writeString(other, "mine");
    Files.writeString(folder.resolve("evidence/evidence-0-node.tar.gz.new"), "left by a crash");

    for (int at = 10; at < 25; at++) {
      ring.keep("evidence-" + at + "-node.tar.gz", new byte[10]);
    }

    try (Stream<Path> files = Files.list(folder.resolve("evidence"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      Stream.of("notes.txt"),
                      IntStream.range(15, 25).mapToObj(at -> "evidence-" + at + "-node.tar.gz"))
                  .toList());
    }
  }

  @Test
  @DisplayName("ACT-104: the total size stays within its limit")
  void ringInTotal() throws Exception {
    EvidenceRing ring = new EvidenceRing(folder, 6400);
    byte[] large = new byte[1500];

    for (int at = 0; at < 6; at++) {
      ring.keep("evidence-" + at + "-node.tar.gz", large);
    }

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.mapToLong(file -> file.toFile().length()).sum())
          .isEqualTo(4L * large.length);
    }
  }

  @Test
  @DisplayName("ACT-105: the digest is returned although the disk cannot be written")
  void notKept() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    NodeEvidence evidence =
        new NodeEvidence(
            "node-1",
            List.of(part("one", LONG, out -> out.highlight("bad"))),
            new EvidenceRing(file.resolve("evidence")),
            SystemClock.INSTANCE);

    EvidenceBundle bundle = evidence.collect("");

    assertThat(bundle.path()).isNull();
    assertThat(bundle.digest().get(1)).startsWith("not saved on the node: ");
    assertThat(bundle.digest()).contains("one: bad");
  }

  @Test
  @DisplayName("ACT-105: a digest has at most 20 lines and 2 KiB, whatever the parts say")
  void digestIsBounded() {
    List<PartResult> parts =
        IntStream.range(0, 12)
            .mapToObj(at -> {
              EvidenceOutput out = new EvidenceOutput(Keep.FIRST, 1000);
              for (int line = 0; line < 50; line++) {
                out.highlight("\u001b[31m" + "wrong ".repeat(100));
                out.missing("gone ".repeat(100));
              }
              EvidenceOutput.Taken taken = out.seal();
              return new PartResult(
                  part("part-" + at, LONG, _ -> {}),
                  taken.bytes(),
                  Duration.ZERO,
                  taken.missing(),
                  taken.highlights());
            })
            .toList();

    List<String> digest = EvidenceDigest.of("node-1", parts);
    List<String> more = EvidenceDigest.with(digest, "not kept: " + "why ".repeat(200));

    assertThat(digest).hasSizeBetween(5, EvidenceDigest.MAX_LINES);
    assertThat(more)
        .hasSizeBetween(5, EvidenceDigest.MAX_LINES)
        .element(1)
        .asString()
        .startsWith("not kept");
    assertThat(String.join("\n", digest))
        .hasSizeLessThan(EvidenceDigest.MAX_CHARS)
        .doesNotContain("\u001b");
    assertThat(String.join("\n", more)).hasSizeLessThan(EvidenceDigest.MAX_CHARS);
    assertThat(more).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(240));
    assertThat(more.getLast()).startsWith("missing or incomplete: part-0, part-1, ");
  }

  @Test
  @DisplayName("Parts that could exceed 16 MiB together are rejected at creation")
  void tooLarge() {
    EvidencePart large =
        new EvidencePart("large", "large.txt", Keep.FIRST, 16 << 20, LONG, _ -> {});

    assertThatThrownBy(() -> evidence(large)).isInstanceOf(IllegalArgumentException.class);
  }
}
