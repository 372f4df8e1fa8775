package io.probelet.monitor.log;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.monitor.MonitorFiles;
import io.probelet.monitor.rule.MonitorReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A-11: which patterns of a user a tenant's text can match. */
class MonitorAdviceTest {
  private static List<String> advice(String json) {
    Node root = Document.json(Source.of(json)).root();
    Problems problems = Problems.ofObject("monitor");
    MonitorReader.read(root, problems)
        .ifPresent(monitor -> MonitorAdvice.give(root, monitor, problems));
    return problems.all().stream().map(Problem::toString).toList();
  }

  private static List<String> kmsg(String pattern, String more) {
    return advice(
        """
        {"plugin": "kmsg", "source": "k", "bufferSize": 1,
         "conditions": [{"type": "Sick", "reason": "Well"}],
         "rules": [{"type": "permanent", "condition": "Sick", "reason": "R", "pattern": "%s"%s}]}
        """
            .formatted(pattern.replace("\\", "\\\\").replace("\"", "\\\""), more));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "Remounting filesystem read-only.* -> in Remounting filesystem read-only[400000+1000]",
        "Remounting filesystem read-only -> tmpfs: Bad mount option Remounting filesystem read-only",
        "task docker:\\w+ blocked for more than \\w+ seconds\\. -> option task docker:x blocked for more than x seconds.",
        "BUG: (soft|hard) lockup - CPU#[0-9]{1,3} stuck.* -> in BUG: soft lockup - CPU#0 stuck[400000+1000]",
        ".*event severity: fatal$ -> option event severity: fatal",
        "(?i)oops.* -> OOPS[4242]: segfault at 0",
        "[^a-w]boom\\b.* -> xboom[4242]: segfault at 0",
        "^mce: .* -> : mce: [4242]: segfault at 0",
        "^tmpfs: Unknown parameter '.*' -> tmpfs: Unknown parameter 'x'",
        "^overlayfs: failed to resolve .* -> overlayfs: failed to resolve 'x': -2",
        "^\\w+ invoked oom-killer.* -> x invoked oom-killer: gfp_mask=",
        "^traps: .* -> traps: x[4242] general protection fault",
        "^\\S+: page allocation failure.* -> x: page allocation failure: order:4",
        "^process '.*' launched.* -> process 'x' launched '/x' with NULL argv",
        "^Out of memory: Kill process \\d+ \\(java\\).* -> Out of memory: Kill process 9 (java) score",
        "^audit: .* comm=.nvidia-smi. .* -> in comm=xnvidia-smix ",
        "^\\w+: renamed from eth[0-9]$ -> x: renamed from eth0",
        "^(kubelet|containerd)\\[\\d+\\]: segfault.* -> kubelet[4242]: segfault",
        "^never seen$|anywhere at the end -> option anywhere at the end",
      })
  @DisplayName("A-11 a pattern that matches a name in a line of the kernel, with that line")
  void found(String pattern, String line) {
    assertThat(kmsg(pattern, ""))
        .singleElement()
        .asString()
        .contains("advice: rules[0].pattern: tenants choose names", "sets Sick: ")
        .contains(line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "^tmpfs: Unknown parameter ' -> tmpfs: Unknown parameter 'x'",
        "^overlayfs: failed to resolve -> overlayfs: failed to resolve 'x': -2",
        "^\\w+ invoked oom-killer -> x invoked oom-killer: gfp_mask=",
        "^traps: -> traps: x[4242] general protection fault",
        "^\\S+: page allocation failure -> x: page allocation failure: order:4",
        "^process '.*' launched -> process 'x' launched '/x' with NULL argv",
      })
  @DisplayName("A-11 a pattern that ends before such a line is named, with what it lacks")
  void begun(String pattern, String line) {
    assertThat(kmsg(pattern, ""))
        .singleElement()
        .asString()
        .contains("with .* at its end the pattern matches this tenant text, which sets Sick: ")
        .contains(line);
  }

  static Stream<KernelFormat> formats() {
    return KernelFormat.ALL.stream();
  }

  /** With the kernel's own words in their places, and any name. */
  @ParameterizedTest
  @MethodSource("formats")
  @DisplayName("A-11 patterns of records that a process can cause are named; others are not")
  void eachFormat(KernelFormat format) {
    String pattern =
        "^"
            + Stream.of(format.text().split("%[A-Z]+%", -1))
                .map(literal -> literal.replaceAll("([^\\w ])", "\\\\$1"))
                .collect(joining(".+"));
    List<String> advice = kmsg(pattern, "");
    if (format.reason().isEmpty()) {
      assertThat(advice).singleElement().asString().contains("sets Sick: ");
    } else if (!format.text().startsWith("%")) { // else the name may be what another line quotes
      assertThat(advice).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^EXT4-fs \\(\\w+\\): Remounting filesystem read-only",
        "^mce: \\[Hardware Error\\]: .*",
        "^(a|b): down",
      })
  @DisplayName("A-11 a pattern anchored at the record's start gives no advice")
  void safe(String pattern) {
    assertThat(kmsg(pattern, "")).isEmpty();
  }

  @Test
  @DisplayName("A-11 a file with too many long patterns is told which were not checked")
  void tooMany() {
    String rule =
        "{\"type\": \"temporary\", \"reason\": \"R\", \"pattern\": \"^%s\\\\n$\"}"
            .formatted("(\\\\w*x|.*y)?".repeat(300));
    List<String> advice =
        advice(
            "{\"plugin\": \"kmsg\", \"source\": \"k\", \"rules\": [%s]}"
                .formatted(String.join(",", Collections.nCopies(6, rule))));
    assertThat(advice).isNotEmpty().allMatch(each -> each.contains("this pattern was not checked"));
    assertThat(advice.getLast()).contains("rules[5].pattern");
  }

  @Test
  @DisplayName("A-11 a pattern without an example is named nevertheless")
  void withoutExample() {
    assertThat(kmsg("\\pN{9}\\x41.*", ""))
        .singleElement()
        .asString()
        .endsWith("; the pattern is not anchored with ^ (tenant-text-matches)");
  }

  @Test
  @DisplayName("A-11 clear patterns and events are named too")
  void clears() {
    assertThat(kmsg("^down$", ", \"clearPattern\": \"re-mounted .* r/w\\\\..*\""))
        .singleElement()
        .asString()
        .contains("rules[0].clearPattern", "clears Sick: ", "re-mounted  r/w.");
    assertThat(
            advice(
                """
                {"plugin": "journald", "source": "k", "pluginConfig": {"source": "kubelet"},
                 "rules": [{"type": "temporary", "reason": "Start", "pattern": "^Started kubelet"}]}
                """))
        .singleElement()
        .asString()
        .contains("reports the event Start: Started kubelet");
  }

  @Test
  @DisplayName("A-11 a plugin that counts lines by a pattern is named too")
  void counter() {
    assertThat(
            advice(
                """
                {"plugin": "custom", "source": "k", "conditions": [{"type": "Sick", "reason": "W"}],
                 "rules": [{"type": "permanent", "condition": "Sick", "reason": "R",
                   "path": "/home/kubernetes/bin/log-counter",
                   "args": ["--journald-source=kernel", "--count=5",
                            "--pattern=unregister_netdevice: waiting for \\\\w+"]},
                  {"type": "temporary", "reason": "R", "path": "/x", "args": ["--pattern=a"]}]}
                """))
        .singleElement()
        .asString()
        .contains("rules[0].args: ", "sets Sick: ", "unregister_netdevice: waiting for x");
  }

  @Test
  @DisplayName("A-11 node-problem-detector's files get advice; built-in files do not")
  void files() throws IOException {
    assertThat(advice(MonitorFiles.example("kernel-monitor.json"))).hasSize(3);
    assertThat(advice(shipped("services.json"))).isEmpty();
    // The one that a tenant can cause, by a process of such a name: an event and nothing else.
    assertThat(advice(shipped("kernel.json")))
        .singleElement()
        .asString()
        .contains("reports the event DaemonSegfault: ");
  }

  private static String shipped(String name) throws IOException {
    try (InputStream in =
        MonitorAdvice.class.getResourceAsStream("/io/probelet/monitor/defaults/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
