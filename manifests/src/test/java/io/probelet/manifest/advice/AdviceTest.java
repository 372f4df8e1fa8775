package io.probelet.manifest.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.Port;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which advice is given on which probes, and just beside them not. */
class AdviceTest {
  /** A container with good probes; a test changes one thing. */
  private static final String GOOD = "startup http; readiness http; liveness http path=/live";

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "startup http; readiness http; liveness http path=/live|",
        "liveness http|liveness-without-readiness",
        "liveness http; policy Never|",
        "readiness http; liveness http|liveness-equals-readiness",
        "readiness http; liveness http failures=4|",
        "readiness http; liveness http failures=4 period=5|liveness-equals-readiness window-shorter-than-grace",
        "readiness http; liveness http failures=2|liveness-equals-readiness window-shorter-than-grace",
        "readiness http timeout=10|timeout-not-below-period",
        "readiness http timeout=9|",
        "readiness exec period=1 timeout=2|timeout-not-below-period exec-every-second",
        "readiness exec period=2 timeout=2|timeout-not-below-period",
        "readiness exec|exec-timeout-one-second",
        "readiness exec timeout=2|",
        "readiness any timeout=1|exec-timeout-one-second",
        "readiness http; liveness http path=/live delay=10|initial-delay-for-start",
        "readiness http; liveness http path=/live delay=9|",
        "startup http; readiness http; liveness http path=/live delay=10|",
        "readiness http; liveness http path=/live period=3|restart-before-start window-shorter-than-grace",
        "readiness http; liveness http path=/live period=3 delay=1|window-shorter-than-grace",
        "readiness http; liveness http path=/live period=3 delay=1 grace=5|",
        "startup http; readiness http; liveness http path=/live period=3 grace=5|",
        "readiness http; liveness http path=/live failures=1 grace=5 period=20|single-failure-restarts",
        "readiness http; liveness http path=/live failures=2 grace=5 period=20|",
        "readiness http; liveness http path=/live host=db|liveness-of-another-host",
        "readiness http; liveness http path=/live host=127.0.0.1|",
        "readiness http host=db|",
        "readiness http; liveness tcp|liveness-by-connect",
        "readiness tcp|",
        "ports|port-without-readiness",
        "ports; readiness http|",
        "ports; policy OnFailure|",
        "ports; sidecar|",
        "ports; liveness http|liveness-without-readiness",
        "gated; readiness http|readiness-gate-at-termination",
        "gated; readiness http; preStop|",
        "gated; readiness http; policy Never|",
        "gated; readiness http; sidecar|",
        "gated; startup http|",
        "readiness http|"
      })
  void table(String container, String expected) {
    assertThat(advice(container))
        .containsExactlyInAnyOrder(expected == null ? new String[0] : expected.split(" ", -1));
  }

  @Test
  @DisplayName("each piece of advice has a name that stays, one sentence, and its line in the docs")
  void documented() throws Exception {
    String docs = Files.readString(Path.of("..", "docs", "how-to", "manifests.md"));
    String section =
        docs.substring(docs.indexOf("## Advice"), docs.indexOf("## Schemas for editors"));
    List<String> listed =
        section
            .lines()
            .filter(line -> line.matches("\\| `[a-z-]+` \\|.*"))
            .map(line -> line.split("`", -1)[1])
            .toList();
    assertThat(Arrays.stream(Advice.values()).map(Advice::id)).containsExactlyElementsOf(listed);
    assertThat(new TreeSet<>(listed)).hasSameSizeAs(listed);
    for (Advice each : Advice.values()) {
      assertThat(section).contains("| " + each.why() + " |");
      assertThat(each.id()).isEqualTo(each.name().toLowerCase(Locale.ROOT).replace('_', '-'));
      assertThat(each.why()).doesNotContain(". ").doesNotEndWith(".");
    }
  }

  @Test
  @DisplayName("the table above has each piece of advice")
  void complete() throws Exception {
    CsvSource rows =
        AdviceTest.class
            .getDeclaredMethod("table", String.class, String.class)
            .getAnnotation(CsvSource.class);
    assertThat(
            Stream.of(rows.value())
                .flatMap(row -> Stream.of(row.substring(row.indexOf('|') + 1).split(" ", -1)))
                .filter(id -> !id.isEmpty())
                .distinct())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Advice.values()).map(Advice::id).toList());
    assertThat(advice(GOOD)).isEmpty();
  }

  private static List<String> advice(String text) {
    AdvisedContainer container = container(text);
    return Arrays.stream(ProbeKind.values())
        .flatMap(kind -> Advice.on(container, kind).stream())
        .map(Advice::id)
        .toList();
  }

  private static AdvisedContainer container(String text) {
    Map<ProbeKind, ProbeSpec> probes = new EnumMap<>(ProbeKind.class);
    RestartPolicy policy = RestartPolicy.ALWAYS;
    ContainerRole role = ContainerRole.REGULAR;
    boolean ports = false;
    boolean gated = false;
    @Nullable PreStopHook preStop = null;
    for (String part : text.split("; ", -1)) {
      String[] words = part.split(" ", -1);
      switch (words[0]) {
        case "ports" -> ports = true;
        case "gated" -> gated = true;
        case "preStop" -> preStop = new PreStopHook.Sleep(Duration.ofSeconds(5));
        case "sidecar" -> role = ContainerRole.SIDECAR;
        case "policy" ->
            policy = words[1].equals("Never") ? RestartPolicy.NEVER : RestartPolicy.ON_FAILURE;
        default -> probes.put(kind(words[0]), probe(words));
      }
    }
    ContainerSpec spec =
        new ContainerSpec("web", role, null, List.of(), Map.of(), Map.of(), probes, preStop);
    return new AdvisedContainer(spec, policy, Duration.ofSeconds(30), ports, gated);
  }

  private static ProbeKind kind(String word) {
    return ProbeKind.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static ProbeSpec probe(String... words) {
    String path = "/";
    String host = null;
    for (String word : words) {
      path = word.startsWith("path=") ? word.substring(5) : path;
      host = word.startsWith("host=") ? word.substring(5) : host;
    }
    HttpGet plain = new HttpGet(new Port.Numeric(80), path);
    HttpGet http =
        new HttpGet(
            plain.port(),
            host,
            path,
            plain.scheme(),
            plain.headers(),
            plain.tls(),
            plain.expectation());
    ProbeHandler exec = new Exec(List.of("check"));
    ProbeHandler handler =
        switch (words[1]) {
          case "exec" -> exec;
          case "tcp" -> new TcpSocket(new Port.Numeric(80), host);
          case "any" -> new AnyOf(List.of(http, exec));
          default -> http;
        };
    ProbeSpec.Builder builder = ProbeSpec.of(handler);
    for (String word : words) {
      int number = word.matches("[a-z]+=\\d+") ? Integer.parseInt(word.split("=", -1)[1]) : 0;
      switch (word.split("=", -1)[0]) {
        case "timeout" -> builder.timeout(Duration.ofSeconds(number));
        case "period" -> builder.period(Duration.ofSeconds(number));
        case "delay" -> builder.initialDelay(Duration.ofSeconds(number));
        case "failures" -> builder.failureThreshold(number);
        case "grace" -> builder.terminationGracePeriod(Duration.ofSeconds(number));
        default -> {}
      }
    }
    return builder.build();
  }
}
