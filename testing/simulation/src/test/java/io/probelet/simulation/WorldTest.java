package io.probelet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.simulation.Coverage.Topic;
import io.probelet.simulation.WorldSettings.Size;
import io.probelet.simulation.faults.FaultKind;
import io.probelet.simulation.rules.Rule;
import io.probelet.simulation.rules.RuleBook;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorldTest {
  private static final SeedRun SMALL =
      new SeedRun(
          Size.SMALL, Duration.ofHours(1), Optional.empty(), EnumSet.allOf(FaultKind.class), 20);

  private static final SeedRun LARGE =
      new SeedRun(
          Size.LARGE, Duration.ofMinutes(10), Optional.of(2), EnumSet.allOf(FaultKind.class), 20);

  private static final SeedRun CONTROL =
      new SeedRun(
          Size.CONTROL, Duration.ofHours(1), Optional.empty(), EnumSet.allOf(FaultKind.class), 20);

  /** A control plane that lives long enough for a decision, which the small worlds rarely do. */
  private static final long DECIDING = 3;

  private static final int REPORTED_LINES = 40;

  /** Rules that these worlds rarely or never live long enough for; those of the tool do. */
  private static final Set<String> TOO_LONG =
      Set.of("jobs-run-once", "steps-time-out", "taints-stay-limited");

  /** The tool runs thousands; these take twenty seconds of CPU time. */
  private static final int SEEDS = 60;

  @Test
  @DisplayName("whatever goes wrong, no rule is broken, and all comes right again")
  void holds() {
    Totals totals = new Totals();
    ByteArrayOutputStream broken = new ByteArrayOutputStream();
    for (long seed = 1; seed <= SEEDS; seed++) {
      run(SMALL, seed, totals, broken);
    }
    run(CONTROL, DECIDING, totals, broken);
    totals.print(false, System.out);
    assertThat(broken.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(totals.coverage().of(Topic.FAULT).keySet())
        .as("faults that happened")
        .containsAll(Stream.of(FaultKind.values()).map(FaultKind::label).toList());
    assertThat(totals.coverage().of(Topic.CHECK).keySet())
        .as("rules that were checked")
        .containsAll(
            new RuleBook()
                .rules().stream()
                    .map(Rule::name)
                    .filter(name -> !TOO_LONG.contains(name))
                    .toList());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 7})
  @DisplayName("no rule is broken in worlds with all parts")
  void holdsWithAllParts(long seed) {
    ByteArrayOutputStream broken = new ByteArrayOutputStream();
    run(LARGE, seed, new Totals(), broken);
    assertThat(broken.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private static void run(SeedRun worlds, long seed, Totals totals, OutputStream broken) {
    Outcome outcome = worlds.run(seed, totals.coverage());
    totals.add(outcome);
    if (outcome.broken().isPresent()) {
      worlds.report(
          outcome,
          worlds.shrunk(outcome),
          REPORTED_LINES,
          new PrintStream(broken, true, StandardCharsets.UTF_8));
    }
  }

  @Test
  @DisplayName("the same seed has the same history, and another seed another")
  void repeats() {
    Outcome first = SMALL.run(3, new Coverage());
    Outcome again = SMALL.run(3, new Coverage());
    assertThat(again.trace()).isEqualTo(first.trace());
    assertThat(again.checksum()).isEqualTo(first.checksum());
    assertThat(SMALL.run(4, new Coverage()).checksum()).isNotEqualTo(first.checksum());
  }

  @Test
  @DisplayName("the same seed has the same history in another JVM")
  void repeatsElsewhere() throws IOException, InterruptedException {
    Outcome here = SMALL.run(5, new Coverage());
    List<String> command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), Checksum.class.getName(), "5"));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String there = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(there.strip()).isEqualTo(String.valueOf(here.checksum()));
  }

  /** Prints the checksum of a seed's history. */
  static final class Checksum {
    private Checksum() {}

    public static void main(String[] args) {
      System.out.println(SMALL.run(Long.parseLong(args[0]), new Coverage()).checksum());
      System.exit(0);
    }
  }
}
