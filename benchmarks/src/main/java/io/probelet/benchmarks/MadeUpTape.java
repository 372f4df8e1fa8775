package io.probelet.benchmarks;

import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.tape.TapeHeader;
import io.probelet.nodehealth.tape.TapeLine;
import io.probelet.nodehealth.tape.TapeLine.ConditionChange;
import io.probelet.nodehealth.tape.TapeLine.Cordon;
import io.probelet.nodehealth.tape.TapeLine.End;
import io.probelet.nodehealth.tape.TapeLine.LabelChange;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.tape.TapeWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A tape of a cluster that never was, livelier than most are: each day one node in ten is not Ready
 * for a few minutes, one in 300 for hours, each has three other changes, and every third day a rack
 * of a hundred is gone for half an hour.
 */
final class MadeUpTape {
  private static final Instant START = Instant.parse("2026-10-01T00:00:00Z");
  private static final int RACK = 100;

  private final int nodes;
  private final int days;
  private final Random random = new Random(18);
  private final List<TapeLine> day = new ArrayList<>();

  MadeUpTape(int nodes, int days) {
    this.nodes = nodes;
    this.days = days;
  }

  /** Writes the tape, and returns how many lines it has. */
  long write(Path file) throws IOException {
    long lines = 2;
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      line(out, TapeWriter.write(new TapeHeader(START, "made-up", "benchmark")));
      for (int i = 0; i < nodes; i++) {
        line(out, TapeWriter.write(node(i)));
        lines++;
      }
      for (int number = 0; number < days; number++) {
        fill(START.plus(Duration.ofDays(number)), number);
        day.sort(Comparator.comparing(TapeLine::at));
        for (TapeLine line : day) {
          line(out, TapeWriter.write(line));
        }
        lines += day.size();
        day.clear();
      }
      line(out, TapeWriter.write(new End(START.plus(Duration.ofDays(days)))));
    }
    return lines;
  }

  private static void line(BufferedWriter out, String text) throws IOException {
    out.write(text);
    out.write('\n');
  }

  private static NodeSeen node(int number) {
    NodeFacts facts =
        new NodeFacts(
            name(number),
            "uid-" + number,
            START.minus(Duration.ofDays(90)),
            Map.of(
                "pool",
                "workers",
                "kubernetes.io/hostname",
                name(number),
                "topology.kubernetes.io/zone",
                "zone-" + number % 3),
            List.of(
                new NodeCondition("Ready", "True", START),
                new NodeCondition("DiskPressure", "False", START),
                new NodeCondition("MemoryPressure", "False", START),
                new NodeCondition("PIDPressure", "False", START)),
            false,
            null);
    return new NodeSeen(START, facts, false);
  }

  private static String name(int number) {
    return "worker-" + number;
  }

  private void fill(Instant begin, int number) {
    for (int i = 0; i < nodes; i++) {
      if (random.nextInt(300) == 0) {
        flap(begin, name(i), "Ready", "Unknown", "True", minutes(60, 360));
      } else if (random.nextInt(10) == 0) {
        flap(begin, name(i), "Ready", "Unknown", "True", minutes(1, 8));
      }
      flap(begin, name(i), "DiskPressure", "True", "False", minutes(1, 30));
      Instant at = moment(begin, Duration.ZERO);
      day.add(new LabelChange(at, name(i), Map.of("revision", Optional.of("r" + number))));
      if (random.nextInt(10) == 0) {
        Instant cordoned = moment(begin, Duration.ofHours(1));
        day.add(new Cordon(cordoned, name(i), true));
        day.add(new Cordon(cordoned.plus(minutes(5, 59)), name(i), false));
      }
    }
    if (number % 3 == 2) {
      Instant at = moment(begin, Duration.ofHours(1));
      for (int i = 0; i < Math.min(RACK, nodes); i++) {
        day.add(new ConditionChange(at, name(i), "Ready", "Unknown", at));
        Instant back = at.plus(minutes(25, 35));
        day.add(new ConditionChange(back, name(i), "Ready", "True", back));
      }
    }
  }

  private void flap(
      Instant begin, String node, String type, String bad, String good, Duration lasts) {
    Instant at = moment(begin, lasts);
    day.add(new ConditionChange(at, node, type, bad, at));
    day.add(new ConditionChange(at.plus(lasts), node, type, good, at.plus(lasts)));
  }

  /** A moment of the day from which a while is left of it. */
  private Instant moment(Instant begin, Duration left) {
    long span = ChronoUnit.DAYS.getDuration().minus(left).toSeconds();
    return begin.plusSeconds(random.nextLong(span));
  }

  private Duration minutes(int least, int most) {
    return Duration.ofSeconds(random.nextInt(60 * least, 60 * most));
  }
}
