package io.probelet.nodehealth.tape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.document.field.Problem;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.tape.TapeLine.CheckGone;
import io.probelet.nodehealth.tape.TapeLine.CheckSeen;
import io.probelet.nodehealth.tape.TapeLine.ConditionChange;
import io.probelet.nodehealth.tape.TapeLine.Cordon;
import io.probelet.nodehealth.tape.TapeLine.End;
import io.probelet.nodehealth.tape.TapeLine.Gap;
import io.probelet.nodehealth.tape.TapeLine.LabelChange;
import io.probelet.nodehealth.tape.TapeLine.NodeGone;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.tape.TapeLine.RemediationGone;
import io.probelet.nodehealth.tape.TapeLine.RemediationSeen;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tapes as {@link TapeReader} reads them, and those it refuses. */
class TapeReaderTest {
  private static final Instant START = Instant.parse("2026-10-01T00:00:00Z");
  private static final String HEADER = "{\"tape\":1,\"start\":\"2026-10-01T00:00:00Z\"}\n";

  @TempDir private Path folder;

  @Test
  @DisplayName("TP-1 what was written is read")
  void written() throws Exception {
    NodeFacts node =
        new NodeFacts(
            "worker-1",
            "uid-1",
            START.minusSeconds(9),
            Map.of("pool", "workers"),
            List.of(
                new NodeCondition("Ready", "True", START.minusSeconds(5)),
                new NodeCondition("DiskPressure", "False", START, "KubeletHasNoDiskPressure")),
            List.of(new NodeTaint("maintenance", "planned", "NoSchedule")),
            true,
            null,
            null);
    RecordedRemediation remediation =
        new RecordedRemediation(
            new ObjectRef("a/v1", "SelfNodeRemediation", "n", "worker-1"),
            "r1",
            "worker-1",
            "workers",
            "reboot",
            START.plusSeconds(4),
            true,
            Success.NO,
            "2026-10-01T00:00:05Z");
    Instant later = START.plusMillis(7500);
    List<TapeLine> lines =
        List.of(
            new NodeSeen(START, node, true),
            new CheckSeen(
                START,
                "workers",
                new ObjectMapper().readTree("{\"metadata\":{\"name\":\"workers\"},\"a\":[\"b\"]}")),
            new ConditionChange(
                START.plusSeconds(1),
                "worker-1",
                "Ready",
                "Unknown",
                START.plusSeconds(1),
                "NodeStatusUnknown"),
            new ConditionChange(START.plusSeconds(3), "worker-1", "Ready", "False", START),
            new LabelChange(
                START.plusSeconds(4),
                "worker-1",
                Map.of("pool", Optional.of("spare"), "old", Optional.empty())),
            new Cordon(START.plusSeconds(4), "worker-1", false),
            new RemediationSeen(START.plusSeconds(5), remediation),
            new RemediationGone(START.plusSeconds(6), "r1"),
            new Gap(later, START.plusSeconds(6)),
            new NodeGone(later, "worker-1"),
            new CheckGone(later, "workers"),
            new End(later));
    Path tape = folder.resolve("tape.jsonl");
    try (BufferedWriter out = Files.newBufferedWriter(tape)) {
      out.write(TapeWriter.write(new TapeHeader(START, "prod", "kubernetes")) + "\n");
      for (TapeLine line : lines) {
        out.write(TapeWriter.write(line) + "\n");
      }
    }
    try (TapeReader reader = TapeReader.open(tape)) {
      assertThat(reader.header()).isEqualTo(new TapeHeader(START, "prod", "kubernetes"));
      List<TapeLine> read = new ArrayList<>();
      for (TapeLine line = reader.next(); line != null; line = reader.next()) {
        read.add(line);
      }
      assertThat(read).isEqualTo(lines);
      assertThat(reader.ended()).isTrue();
      assertThat(reader.last()).isEqualTo(later);
      assertThat(reader.lines()).isEqualTo(13);
      assertThat(reader.bytes()).isEqualTo(Files.size(tape));
    }
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'at':'2026-10-01T00:00:00Z','nodeGone':'b'}|3:1: error: there is no node b at this time",
        "{'at':'2026-10-01T00:00:00Z','checkGone':'b'}"
            + "|3:1: error: there is no NodeHealthCheck b at this time",
        "{'at':'2026-10-01T00:00:00Z','maintenanceGone':'b'}"
            + "|3:1: error: there is no Maintenance b at this time",
        "{'at':'2026-10-01T00:00:00Z','remediationGone':'b'}"
            + "|3:1: error: there is no remediation with uid b at this time",
        "{'at':'2026-10-01T00:00:00Z','condition':{'node':'b','type':'Ready','status':'True'}}"
            + "|3:1: error: there is no node b at this time",
        "{'at':'2026-09-30T23:59:59Z','end':true}"
            + "|3:1: error: at: time goes back, from 2026-10-01T00:00:00Z to 2026-09-30T23:59:59Z",
        "{'at':'2027-10-03T00:00:00Z','end':true}"
            + "|3:1: error: at: is more than 366 days after the start",
        "{'at':'yesterday','end':true}|3:7: error: at: Invalid value: \"yesterday\": must be an RFC"
            + " 3339 date and time, such as 2026-10-01T04:05:06Z",
        "{'at':'2026-10-01T00:00:00Z','cordon':{'node':'a','cordoned':true,'by':'me'}}"
            + "|3:67: error: cordon.by: unknown field",
        "{'at':'2026-10-01T00:00:00Z','nodegone':'a'}"
            + "|3:30: error: nodegone: unknown field; did you mean \"nodeGone\"?",
        "{'at':'2026-10-01T00:00:00Z'}|3:1: error: Required value: what changed: node, nodeGone,"
            + " condition, labels, cordon, check, checkGone, maintenance, maintenanceGone, remediation,"
            + " remediationGone, gap, end",
        "{'at':'2026-10-01T00:00:00Z','nodeGone':'a','end':true}"
            + "|3:51: error: end: Forbidden: a line has one change; this line already has nodeGone",
        "{'at':'2026-10-01T00:00:00Z','tape':1,'end':true}"
            + "|3:37: error: tape: Forbidden: belongs in the header, the first line",
        "{'at':'2026-10-01T00:00:00Z','gap':{'from':'2026-10-01T00:00:01Z'}}"
            + "|3:44: error: gap.from: Invalid value: \"2026-10-01T00:00:01Z\": must not be after the"
            + " line's own time",
        "{'at':'2026-10-01T00:00:00Z','gap':{'from':'2026-09-01T00:00:01Z'}}"
            + "|3:1: error: gap.from: is before the tape's start",
        "{'at':'2026-10-01T00:00:00Z','node':{'name':'a\\u001b[2J'}}"
            + "|3:45: error: node.name: Invalid value: \"a\\u001b[2J\": must be a lowercase RFC 1123"
            + " subdomain: a-z, 0-9, '-' and '.', each part beginning and ending with a letter or digit",
        "[]|3:1: error: Invalid value: []: must be an object",
        "{'at':|3:7: error: is not JSON: Unexpected end-of-input within/between Object entries",
      })
  @DisplayName("TP-1 a line that cannot be used is named with its place, and what would be right")
  void wrongLine(String line, String message) throws IOException {
    Path tape =
        write(
            HEADER
                + "{\"at\":\"2026-10-01T00:00:00Z\",\"node\":{\"name\":\"a\"}}\n"
                + line.replace('\'', '"')
                + "\n");
    // What a message quotes has quotes of its own.
    assertThat(refusals(tape)).containsExactly(tape + ":" + message);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|: error: is empty; a tape starts with a header",
        "{'at':'2026-10-01T00:00:00Z','end':true}|:1:1: error: tape: Required value: the first line"
            + " is the header, such as {\"tape\": 1, \"start\": …}",
        "{'tape':2,'start':'2026-10-01T00:00:00Z'}"
            + "|:1:9: error: tape: Invalid value: 2: this program reads version 1",
        "{'tape':1}|:1:1: error: start: Required value: a date and time, such as"
            + " 2026-10-01T04:05:06Z",
      })
  @DisplayName("TP-1 a tape begins with its header")
  void wrongHeader(String line, String message) throws IOException {
    Path tape = write(line.replace('\'', '"'));
    assertThat(refusals(tape)).containsExactly(tape + message);
  }

  @Test
  @DisplayName("TP-1 nothing follows the end")
  void afterTheEnd() throws IOException {
    String end = "{\"at\":\"2026-10-01T00:00:00Z\",\"end\":true}\n";
    Path tape = write(HEADER + end + end);
    assertThat(refusals(tape))
        .containsExactly(tape + ":3:1: error: follows the line that ends the tape");
  }

  @Test
  @DisplayName("TP-1 a file that is not there is named")
  void noFile() {
    Path tape = folder.resolve("none.jsonl");
    assertThatThrownBy(() -> TapeReader.open(tape))
        .isInstanceOfSatisfying(
            TapeException.class,
            refused ->
                assertThat(refused.problems())
                    .extracting(Problem::toString)
                    .containsExactly(tape + ": error: does not exist"));
  }

  @Test
  @DisplayName("TP-1 lines, nodes, NodeHealthChecks and remediations have bounds")
  void bounds() throws IOException {
    assertThat(refusals(write(HEADER + " ".repeat(TapeText.MAX_LINE + 1))))
        .singleElement()
        .asString()
        .endsWith(":2:1: error: exceeds the limit of 262144 bytes for a line");
    assertThat(refusals(many(TapeReader.MAX_NODES, i -> "\"node\":{\"name\":\"n" + i + "\"}")))
        .singleElement()
        .asString()
        .endsWith(":20002:1: error: there are more than 20000 nodes at one time");
    assertThat(
            refusals(
                many(
                    CheckSizes.MAX_CHECKS,
                    i -> "\"check\":{\"metadata\":{\"name\":\"n" + i + "\"}}")))
        .singleElement()
        .asString()
        .endsWith(
            ":202:1: error: there are more than 200 NodeHealthChecks, or more than 8388608 bytes of"
                + " them, at one time");
    assertThat(
            refusals(many(10_000, i -> "\"maintenance\":{\"metadata\":{\"name\":\"n" + i + "\"}}")))
        .singleElement()
        .asString()
        .endsWith(
            ":10002:1: error: there are more than 10000 Maintenances, or more than 8388608 bytes of"
                + " them, at one time");
    assertThat(
            refusals(
                many(
                    TapeReader.MAX_REMEDIATIONS,
                    i ->
                        "\"remediation\":{\"apiVersion\":\"a\",\"kind\":\"K\",\"name\":\"n\","
                            + "\"node\":\"n\",\"uid\":\"u"
                            + i
                            + "\"}")))
        .singleElement()
        .asString()
        .endsWith(":20002:1: error: there are more than 20000 remediations at one time");
    StringBuilder labels = new StringBuilder();
    for (int i = 0; i < 257; i++) {
      labels.append(i == 0 ? "" : ",").append("\"l").append(i).append("\":\"\"");
    }
    assertThat(refusals(many(0, _ -> "\"node\":{\"name\":\"n\",\"labels\":{" + labels + "}}")))
        .singleElement()
        .asString()
        .endsWith("node: has 257 labels or conditions; the limit is 256");
  }

  private Path many(int count, IntFunction<String> change) throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i <= count; i++) {
      text.append("{\"at\":\"2026-10-01T00:00:00Z\",").append(change.apply(i)).append("}\n");
    }
    return write(text.toString());
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("tape.jsonl"), text);
  }

  private static List<String> refusals(Path tape) {
    try (TapeReader reader = TapeReader.open(tape)) {
      while (reader.next() != null) {
        // Nothing is wrong so far.
      }
      return List.of();
    } catch (TapeException refused) {
      return refused.problems().stream().map(Problem::toString).toList();
    }
  }

  /** Attack: 200 NodeHealthChecks of 256 KiB, whose trees take gigabytes. */
  @Test
  void refusesNodeHealthChecksThatTogetherAreTooLarge() throws Exception {
    Path file = folder.resolve("tape.jsonl");
    String values = "[" + "1,".repeat(125_000) + "1]";
    try (BufferedWriter tape = Files.newBufferedWriter(file)) {
      tape.write(HEADER);
      for (int i = 0; i < 40; i++) {
        tape.write(
            "{\"at\":\"2026-10-01T00:00:01Z\",\"check\":{\"metadata\":{\"name\":\"c%d\"},\"a\":%s}}%n"
                .formatted(i, values));
      }
    }
    try (TapeReader reader = TapeReader.open(file)) {
      assertThatThrownBy(
              () -> {
                while (reader.next() != null) {
                  assertThat(reader.lines()).isLessThan(40);
                }
              })
          .isInstanceOf(TapeException.class)
          .hasMessageContaining("or more than 8388608 bytes of them, at one time");
    }
  }

  /** One NodeHealthCheck that changes often counts once. */
  @Test
  void readsNodeHealthCheckThatChangesOften() throws Exception {
    Path file = folder.resolve("tape.jsonl");
    String values = "[" + "1,".repeat(100_000) + "1]";
    try (BufferedWriter tape = Files.newBufferedWriter(file)) {
      tape.write(HEADER);
      for (int i = 0; i < 60; i++) {
        tape.write(
            "{\"at\":\"2026-10-01T00:00:01Z\",\"check\":{\"metadata\":{\"name\":\"c\"},\"a\":%s}}%n"
                .formatted(values));
      }
      tape.write("{\"at\":\"2026-10-01T00:00:01Z\",\"checkGone\":\"c\"}\n");
    }
    try (TapeReader reader = TapeReader.open(file)) {
      int lines = 0;
      while (reader.next() != null) {
        lines++;
      }
      assertThat(lines).isEqualTo(61);
    }
  }
}
