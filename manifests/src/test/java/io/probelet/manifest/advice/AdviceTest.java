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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
        "readiness http; liveness http path=/live host=127.0.0.1|probe-of-localhost",
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
        "readiness http host=localhost|probe-of-localhost",
        "readiness tcp host=::1|probe-of-localhost",
        "readiness tcp host=db|",
        "inside; readiness http host=localhost|",
        "readiness exec=$(A) timeout=2|exec-variable-without-value",
        "readiness exec=$$(A) timeout=2|",
        "readiness exec=$(a-b) timeout=2|",
        "env A; readiness exec=$(A) timeout=2|",
        "sourced A; readiness exec=$(A) timeout=2|exec-variable-without-value",
        "sourced A; readiness exec=$$(A) timeout=2|",
        "sourced A; readiness sh=$(A) timeout=2|exec-variable-without-value",
        "readiness sh=$(date) timeout=2|",
        "readiness exec=curl_localhost timeout=2|command-in-one-word",
        "readiness sh=curl_localhost timeout=2|",
        "startup http period=3; readiness http; liveness http path=/live|startup-gives-up-early",
        "startup http period=3 delay=1; readiness http; liveness http path=/live|",
        "startup http failures=1 period=9|startup-gives-up-early",
        "udp 80; readiness http|probe-of-udp-port",
        "udp 81; readiness http|",
        "udp 80; readiness exec timeout=2|",
        "udp 80; readiness any timeout=2|probe-of-udp-port",
        "udp 80; readiness named|probe-of-udp-port",
        "udp 81; readiness named|",
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
    assertThat(
            Stream.concat(
                Arrays.stream(Advice.values()).map(Advice::id),
                Arrays.stream(SpecAdvice.values()).map(SpecAdvice::id)))
        .containsExactlyElementsOf(listed);
    assertThat(new TreeSet<>(listed)).hasSameSizeAs(listed);
    for (Advice each : Advice.values()) {
      assertThat(section).contains("| " + each.why() + " |");
      assertThat(each.id()).isEqualTo(each.name().toLowerCase(Locale.ROOT).replace('_', '-'));
      assertThat(each.why()).doesNotContain(". ").doesNotEndWith(".");
    }
    for (SpecAdvice each : SpecAdvice.values()) {
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
    boolean fromNode = true;
    Set<Integer> udp = new HashSet<>();
    Map<String, String> env = new HashMap<>();
    Set<String> sourced = new HashSet<>();
    @Nullable PreStopHook preStop = null;
    for (String part : text.split("; ", -1)) {
      String[] words = part.split(" ", -1);
      switch (words[0]) {
        case "ports" -> ports = true;
        case "gated" -> gated = true;
        case "inside" -> fromNode = false;
        case "udp" -> udp.add(Integer.parseInt(words[1]));
        case "env" -> env.put(words[1], "value");
        case "sourced" -> {
          env.put(words[1], "");
          sourced.add(words[1]);
        }
        case "preStop" -> preStop = new PreStopHook.Sleep(Duration.ofSeconds(5));
        case "sidecar" -> role = ContainerRole.SIDECAR;
        case "policy" ->
            policy = words[1].equals("Never") ? RestartPolicy.NEVER : RestartPolicy.ON_FAILURE;
        default -> probes.put(kind(words[0]), probe(words));
      }
    }
    ContainerSpec spec =
        new ContainerSpec("web", role, null, List.of(), Map.of("www", 80), env, probes, preStop);
    return new AdvisedContainer(
        spec, policy, Duration.ofSeconds(30), ports, gated, fromNode, udp, sourced);
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
    String argument = words[1].replaceFirst("^[a-z]+=", "").replace('_', ' ');
    ProbeHandler handler =
        switch (words[1].split("=", 2)[0]) {
          case "exec" -> argument.equals("exec") ? exec : new Exec(List.of(argument));
          case "sh" -> new Exec(List.of("/bin/sh", "-c", argument));
          case "named" -> new TcpSocket(new Port.Named("www"), null);
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
