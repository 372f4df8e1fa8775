package io.probelet.monitor.rule;

import static io.probelet.monitor.MonitorFiles.example;
import static io.probelet.monitor.MonitorFiles.read;
import static io.probelet.monitor.MonitorFiles.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Problem;
import io.probelet.monitor.MonitorFiles.Reading;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Monitor.LogRule;
import io.probelet.monitor.rule.Monitor.PluginRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitorReaderTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'plugin': 'kmsg'} | system-log-monitor",
        "{'plugin': 'filelog', 'source': ' ', 'logPath': '/l', 'pluginConfig': {'timestamp': 't', 'message': 'm', 'timestampFormat': '2006'}} | system-log-monitor",
        "{'plugin': 'custom', 'source': '', 'rules': [{'type': 'temporary', 'reason': 'R', 'path': '/bin/true'}]} | custom-plugin-monitor",
      })
  @DisplayName(
      "A-1 a file without a source is accepted with a warning, as in node-problem-detector")
  void withoutSource(String json, String source) {
    Reading reading = reading(json);
    assertThat(reading.monitor().orElseThrow().source()).isEqualTo(source);
    assertThat(reading.problems())
        .singleElement()
        .asString()
        .contains("warning: source: is empty", source);
  }

  @Test
  @DisplayName("A-1 node-problem-detector's kernel monitor is read unchanged")
  void systemLogMonitor() {
    Reading reading = reading(example("kernel-monitor.json"));
    assertThat(reading.problems()).isEmpty();
    Monitor.Log monitor = (Monitor.Log) reading.monitor().orElseThrow();
    assertThat(monitor.source()).isEqualTo("kernel-monitor");
    assertThat(monitor.input()).isEqualTo(new LogInput.Kmsg(Path.of("/dev/kmsg"), false));
    assertThat(monitor.lookback()).isEqualTo(Duration.ofMinutes(5));
    assertThat(monitor.conditions())
        .containsExactly(
            ConditionSpec.of("KernelDeadlock", "KernelHasNoDeadlock", "kernel has no deadlock"));
    assertThat(monitor.rules())
        .extracting(rule -> rule.consequence().reason())
        .containsExactly("OOMKilling", "TaskHung", "DockerHung");
    assertThat(monitor.rules().getLast().consequence())
        .isEqualTo(
            new Consequence.OnCondition("KernelDeadlock", "DockerHung", EvidenceThreshold.NONE));
  }

  @Test
  @DisplayName("A-1 defaults: ten lines, no lookback, no delay")
  void defaults() {
    Monitor.Log monitor = (Monitor.Log) read("{'plugin': 'kmsg', 'source': 'k'}");
    assertThat(monitor.bufferSize()).isEqualTo(10);
    assertThat(monitor.lookback()).isZero();
    assertThat(monitor.delay()).isZero();
    assertThat(monitor.input()).isEqualTo(new LogInput.Kmsg(LogInput.Kmsg.DEVICE, false));
  }

  @Test
  @DisplayName("A-11 a rule runs checks, sees the kernel's records only, or systemd's own entries")
  void evidence() {
    Monitor.Log kernel =
        (Monitor.Log)
            read(
                "{'plugin': 'kmsg', 'source': 'k', 'pluginConfig': {'facility': 'kern'}, 'rules': ["
                    + "{'type': 'temporary', 'reason': 'R', 'pattern': 'x', 'runs': ['dns']}]}");
    assertThat(kernel.input()).isEqualTo(new LogInput.Kmsg(LogInput.Kmsg.DEVICE, true));
    assertThat(kernel.rules().getFirst().runs()).isEqualTo(Set.of(CheckKind.DNS));
    Monitor.Log journal =
        (Monitor.Log)
            read(
                "{'plugin': 'journald', 'source': 'k',"
                    + " 'pluginConfig': {'source': 'systemd', 'fields': {'_PID': '1'}}}");
    assertThat(journal.input()).isEqualTo(new LogInput.Journal("", "systemd", Map.of("_PID", "1")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'plugin': 'kmsg', 'source': 'k', 'pluginConfig': {'facility': 'user'}} | pluginConfig.facility: Unsupported value: \"user\": supported values: \"kern\"",
        "{'plugin': 'journald', 'source': 'k', 'pluginConfig': {'source': 's', 'fields': {'PID': '1'}}} | pluginConfig.fields[PID]: unknown field: must be a field that journald itself sets, such as _PID",
        "{'plugin': 'kmsg', 'source': 'k', 'rules': [{'type': 'temporary', 'reason': 'R', 'pattern': 'x', 'runs': ['dsn']}]} | rules[0].runs[0]: Unsupported value",
        "{'plugin': 'kmsg', 'source': 'k', 'conditions': [{'type': 'T', 'reason': 'W'}], 'rules': [{'type': 'permanent', 'condition': 'T', 'reason': 'R', 'pattern': 'x', 'runs': ['dns']}]} | rules[0].runs: Forbidden: is allowed in temporary rules only: a permanent rule sets its condition itself",
      })
  @DisplayName("A-11 errors of runs, facility and fields")
  void wrongEvidence(String file, String problem) {
    assertThat(reading(file).problems()).singleElement().asString().contains(problem);
  }

  @Test
  @DisplayName("A-1 keys are case-insensitive; unknown ones are ignored with a warning")
  void keysAsGoReadsThem() {
    Reading reading =
        reading(
            "{'PLUGIN': 'journald', 'pluginconfig': {'Source': 'kubelet'}, 'source': 's', 'x': 1}");
    assertThat(((Monitor.Log) reading.monitor().orElseThrow()).input())
        .isEqualTo(new LogInput.Journal("", "kubelet", Map.of()));
    assertThat(reading.problems())
        .singleElement()
        .hasToString("monitor:1:78: warning: x: unknown field, ignored");
  }

  @Test
  @DisplayName("A-1 filelog: expressions, Go layout and skip list")
  void filelog() {
    Monitor.Log monitor =
        (Monitor.Log)
            read(
                """
                {'plugin': 'filelog', 'source': 's', 'logPath': '/var/log/syslog',
                 'skipList': [' audit:'],
                 'pluginConfig': {'timestamp': '^.{15}', 'message': '(?i)kernel: (.*)',
                                  'timestampFormat': 'Jan _2 15:04:05'}}\
                """);
    assertThat(monitor.input())
        .isInstanceOfSatisfying(
            LogInput.TextFile.class,
            file -> {
              assertThat(file.path()).isEqualTo(Path.of("/var/log/syslog"));
              assertThat(file.skip()).containsExactly(" audit:");
              assertThat(file.layout()).hasToString("Jan _2 15:04:05");
            });
  }

  @Test
  @DisplayName("A-5 node-problem-detector's plugin monitor is read unchanged")
  void pluginMonitor() {
    Reading reading = reading(example("ntp-monitor.json"));
    assertThat(reading.problems()).isEmpty();
    Monitor.Plugins monitor = (Monitor.Plugins) reading.monitor().orElseThrow();
    assertThat(monitor.concurrency()).isEqualTo(3);
    assertThat(monitor.maxOutputLength()).isEqualTo(80);
    assertThat(monitor.followMessage()).isFalse();
    assertThat(monitor.rules())
        .extracting(PluginRule::timeout)
        .containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(5));
    assertThat(monitor.rules())
        .extracting(PluginRule::interval)
        .containsExactly(Duration.ofSeconds(30), Duration.ofSeconds(7));
    assertThat(monitor.rules().getLast().args()).containsExactly("--strict");
  }

  @Test
  @DisplayName("A-5 defaults: every 30s, 5s, 80 bytes, 3 at once")
  void pluginDefaults() {
    Monitor.Plugins monitor =
        (Monitor.Plugins)
            read(
                "{'plugin':'custom','source':'s','rules':[{'type':'temporary','reason':'R','path':'p'}]}");
    assertThat(monitor.concurrency()).isEqualTo(3);
    assertThat(monitor.maxOutputLength()).isEqualTo(80);
    assertThat(monitor.rules().getFirst().interval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(monitor.rules().getFirst().timeout()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  @DisplayName("B-1, B-2, B-5, B-11 our keys stand next to node-problem-detector's")
  void ourKeys() {
    Monitor.Log monitor =
        (Monitor.Log)
            read(
                """
                {'plugin': 'kmsg', 'source': 's',
                 'conditions': [{'type': 'T', 'reason': 'R', 'message': 'm', 'holdFor': '1m',
                   'flapCount': 4, 'flapWindow': '2m', 'taint': 'probelet.io/t:NoSchedule',
                   'taintMaxNodesPercent': 10}],
                 'rules': [{'type': 'permanent', 'condition': 'T', 'reason': 'Bad', 'pattern': 'bad',
                   'clearPattern': 'good', 'clearAfter': '10m', 'minCount': 3, 'window': '1m',
                   'debounce': '5s'}]}\
                """);
    assertThat(monitor.conditions())
        .containsExactly(
            new ConditionSpec(
                "T",
                "R",
                "m",
                Duration.ofMinutes(1),
                4,
                Duration.ofMinutes(2),
                new TaintSpec("probelet.io/t", "NoSchedule", 10)));
    LogRule rule = monitor.rules().getFirst();
    assertThat(rule.clear()).isNotNull();
    assertThat(rule.consequence().threshold())
        .isEqualTo(
            new EvidenceThreshold(
                3, Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofMinutes(10)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | plugin: Required value: one of kmsg, journald, filelog, custom, check, expression",
        "{'plugin':'dmesg','source':'s'} | plugin: Unsupported value: \"dmesg\": supported values: \"kmsg\", \"journald\", \"filelog\", \"custom\", \"check\"",
        "{'plugin':'journald','source':'s'} | pluginConfig.source: Required value: a syslog identifier",
        "{'plugin':'kmsg','source':'s','bufferSize':0} | bufferSize: Invalid value: 0: must be 1 or more",
        "{'plugin':'kmsg','source':'s','lookback':'5 min'} | lookback: Invalid value: \"5 min\": must be a duration such as 250ms, 1.5s or 2m",
        "{'plugin':'kmsg','source':'s','rules':[{'type':'temporary','reason':'R'}]} | rules[0].pattern: Required value: a regular expression in RE2 syntax",
        "{'plugin':'kmsg','source':'s','rules':[{'type':'temporary','reason':'R','pattern':'a('}]} | rules[0].pattern: Invalid value: \"a(\": is not a valid RE2 expression",
        "{'plugin':'kmsg','source':'s','rules':[{'type':'eternal','reason':'R','pattern':'a'}]} | rules[0].type: Unsupported value: \"eternal\": supported values: \"temporary\", \"permanent\"",
        "{'plugin':'kmsg','source':'s','rules':[{'type':'permanent','condition':'C','reason':'R','pattern':'a'}]} | rules[0].condition: Invalid value: \"C\": must be one of the types in conditions",
        "{'plugin':'kmsg','source':'s','rules':[{'type':'temporary','reason':'R','pattern':'a','minCount':2}]} | rules[0].window: Required value: must be above zero when minCount is above 1, such as 10m",
        "{'plugin':'kmsg','source':'s','conditions':[{'type':'T','reason':'R','taint':'foo:NoSchedule'}]} | conditions[0].taint: Invalid value: \"foo:NoSchedule\": must be probelet.io/NAME:EFFECT",
        "{'plugin':'kmsg','source':'s','conditions':[{'type':'degraded.probelet.io/T','reason':'R','taint':'probelet.io/t:NoSchedule'}]} | conditions[0].taint: Invalid value: \"probelet.io/t:NoSchedule\": must not be set, because the condition is degraded",
        "{'plugin':'kmsg','source':'s','conditions':[{'type':'Ready','reason':'R'}]} | conditions[0].type: Invalid value: \"Ready\": must not be a condition of the kubelet",
        "{'plugin':'custom','source':'s','conditions':[{'type':'PIDPressure','reason':'R'}]} | conditions[0].type: Invalid value: \"PIDPressure\": must not be a condition of the kubelet",
        "{'plugin':'check','conditions':[{'type':'NetworkUnavailable','reason':'R'}],'rules':[]} | conditions[0].type: Invalid value: \"NetworkUnavailable\": must not be",
        "{'plugin':'expression','conditions':[{'type':'DiskPressure','reason':'R'}],'rules':[]} | conditions[0].type: Invalid value: \"DiskPressure\": must not be",
        "{'plugin':'kmsg','source':'s','conditions':[{'type':'degraded.probelet.io/','reason':'R'}]} | conditions[0].type: Invalid value: \"degraded.probelet.io/\": must be a name",
        "{'plugin':'kmsg','source':'s','conditions':[{'type':'degraded.probelet.io/a/b','reason':'R'}]} | conditions[0].type: Invalid value: \"degraded.probelet.io/a/b\": must be a name",
        "{'plugin':'custom','source':'s','rules':[{'type':'temporary','reason':'R','path':'p','timeout':'9s'}]} | rules[0].timeout: Invalid value: \"9s\": must not exceed the timeout of pluginConfig",
        "{'plugin':'custom','source':'s','pluginConfig':{'concurrency':'3'}} | pluginConfig.concurrency: Invalid value: \"3\": must be an integer",
        "{'plugin':'custom','source':'s','pluginConfig':{'user':'no body'}} | pluginConfig.user: Invalid value: \"no body\": must be a user's name, or numbers such as 65534 or 65534:65534",
        "{'plugin':'custom','source':'s','pluginConfig':{'user':'4294967295'}} | pluginConfig.user: Invalid value: \"4294967295\": must be a user's name",
        "{'plugin':'custom','source':'s','pluginConfig':{'user':'-1:0'}} | pluginConfig.user: Invalid value: \"-1:0\": must be a user's name",
        "{'plugin':'custom','source':'s','pluginConfig':{'env':['A=b']}} | pluginConfig.env: Invalid value: […]: must be an object",
        "{'plugin':'custom','source':'s','pluginConfig':{'env':{'A':1}}} | pluginConfig.env[A]: Invalid value: 1: must be a string",
        "{'plugin':'custom','source':'s','pluginConfig':{'env':{'A=B':'c'}}} | pluginConfig.env[A=B]: Invalid key: must be the name of an environment variable, such as NODE_NAME",
        "{'plugin':'custom','source':'s','pluginConfig':{'passEnv':['A B']}} | pluginConfig.passEnv[0]: Invalid value: \"A B\": must be the name of an environment variable",
      })
  @DisplayName("A-5, B-12 errors name the field and the allowed values")
  void refusals(String json, String complaint) {
    Reading reading = reading(json);
    assertThat(reading.monitor()).isEmpty();
    assertThat(reading.problems())
        .filteredOn(Problem::isError)
        .anySatisfy(problem -> assertThat(problem.text()).startsWith(complaint.strip()));
  }
}
