package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of writes in docs/operate/security.md is what AdmissionPolicyRealApiTest tries. */
class AttemptsDocTest {
  @Test
  @DisplayName("docs: every write that is tried with an agent's token, and no other")
  void writes() throws IOException {
    Map<String, List<String>> told = new TreeMap<>();
    Files.readAllLines(Path.of("..", "docs", "operate", "security.md")).stream()
        .dropWhile(line -> !line.startsWith("| on | allowed | refused |"))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.split("\\|", -1))
        .forEach(cells -> {
          told.put(cells[1].strip() + " allowed", Arrays.asList(cells[2].strip().split("; ", -1)));
          told.put(cells[1].strip() + " refused", Arrays.asList(cells[3].strip().split("; ", -1)));
        });
    Map<String, List<String>> tried = new TreeMap<>();
    add(tried, "its Node", NodeAttempts.ownNode());
    add(tried, "its Node", SizeAttempts.ownNode());
    add(tried, "pods", PodAttempts.ownPods());
    add(tried, "pods", SizeAttempts.ownPods());
    add(tried, "events", OtherAttempts.events());
    add(tried, "events", SizeAttempts.events());
    add(tried, "leases", OtherAttempts.leases());
    add(tried, "leases", SizeAttempts.leases());
    add(tried, "orders", OrderAttempts.orders());
    add(tried, "counters of restarts", OtherAttempts.counters());
    assertThat(told).isEqualTo(tried);
  }

  private static void add(Map<String, List<String>> to, String on, List<AccessAttempt> attempts) {
    to.merge(
        on + " allowed",
        whats(attempts.stream().filter(each -> each.why().isEmpty())),
        AttemptsDocTest::joined);
    to.merge(
        on + " refused",
        whats(attempts.stream().filter(each -> !each.why().isEmpty())),
        AttemptsDocTest::joined);
  }

  private static List<String> joined(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private static List<String> whats(Stream<AccessAttempt> attempts) {
    return attempts.map(AccessAttempt::what).toList();
  }
}
