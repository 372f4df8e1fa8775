package io.probelet.monitor.rule;

import static io.probelet.monitor.MonitorFiles.read;
import static io.probelet.monitor.MonitorFiles.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Problem;
import io.probelet.monitor.MonitorFiles.Reading;
import io.probelet.monitor.rule.CheckSpec.DiskUsage;
import io.probelet.monitor.rule.CheckSpec.DiskUsage.Counted;
import io.probelet.monitor.rule.Consequence.EventOnly;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Consequence.OnCondition;
import io.probelet.monitor.rule.Monitor.CheckRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckMonitorReaderTest {
  private static Monitor.Checks checks(String json) {
    return (Monitor.Checks) read(json);
  }

  @Test
  @DisplayName("B-9 a check requires only its name")
  void defaults() {
    Monitor.Checks monitor = checks("{'plugin':'check','rules':[{'check':'disk-space'}]}");
    assertThat(monitor.source()).isEqualTo("node-checks");
    assertThat(monitor.conditions())
        .containsExactly(
            ConditionSpec.of("DiskFull", "DisksHaveRoom", "disks have free space and inodes"));
    assertThat(monitor.rules())
        .containsExactly(
            new CheckRule(
                CheckKind.DISK_SPACE,
                new OnCondition(
                    "DiskFull",
                    "DiskSpaceLow",
                    EvidenceThreshold.NONE.withDebounce(Duration.ofSeconds(90))),
                new DiskUsage(List.of(), Counted.SPACE, 90),
                Duration.ofMinutes(1),
                Duration.ofSeconds(10)));
  }

  @Test
  @DisplayName("B-9 every field of a check is read")
  void everything() {
    Monitor.Checks monitor =
        checks(
            """
            {'plugin':'check','source':'mine','metricsReporting':false,
             'conditions':[{'type':'Full','reason':'NotFull','message':'m','holdFor':'1m'}],
             'rules':[{'check':'disk-space','condition':'Full','reason':'NoRoom','interval':'5s',
               'timeout':'2s','debounce':'0s','mounts':['/data'],'maxUsedPercent':50},
               {'check':'zombies','type':'temporary','most':3},
               {'check':'dns','enabled':false}]}\
            """);
    assertThat(monitor.conditions())
        .extracting(ConditionSpec::holdFor)
        .containsExactly(Duration.ofMinutes(1));
    assertThat(monitor.rules())
        .containsExactly(
            new CheckRule(
                CheckKind.DISK_SPACE,
                new OnCondition("Full", "NoRoom", EvidenceThreshold.NONE),
                new DiskUsage(List.of(Path.of("/data")), Counted.SPACE, 50),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2)),
            new CheckRule(
                CheckKind.ZOMBIES,
                new EventOnly("TooManyZombies", EvidenceThreshold.NONE),
                new CheckSpec.Zombies(3),
                CheckKind.ZOMBIES.interval(),
                CheckKind.ZOMBIES.timeout()));
    assertThat(monitor.about())
        .containsExactlyInAnyOrder(CheckKind.DISK_SPACE, CheckKind.ZOMBIES, CheckKind.DNS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | rules[0].check: Required value: one of container-runtime, kubelet",
        "{'check':'disk'} | rules[0].check: Unsupported value: \"disk\": supported values: \"container-runtime\", \"kubelet\"",
        "{'check':'dns','nam':'x'} | rules[0].nam: unknown field of the check dns",
        "{'check':'pids','maxUsedPercent':101} | rules[0].maxUsedPercent: Invalid value: 101: must be 1 to 100",
        "{'check':'pids','type':'odd'} | rules[0].type: Unsupported value: \"odd\": supported values: \"temporary\", \"permanent\"",
        "{'check':'pids','condition':'X'} | rules[0].condition: Invalid value: \"X\": must be a built-in condition, or a type in conditions",
        "{'check':'pids','interval':'0s'} | rules[0].interval: Invalid value: \"0s\": must be above zero",
        "{'check':'disk-io','folder':'tmp'} | rules[0].folder: Invalid value: \"tmp\": must be an absolute path",
        "{'check':'disk-space','mounts':['x']} | rules[0].mounts[0]: Invalid value: \"x\": must be an absolute path",
        "{'check':'kubelet','url':'https://x'} | rules[0].url: Invalid value: \"https://x\": must be a URL that begins with http://",
        "{'check':'kubelet','url':'a b'} | rules[0].url: Invalid value: \"a b\": is not a URL",
        "{'check':'cpu-lockup','within':'45s'} | rules[0].within: Invalid value: \"45s\": must be less than timeout, 45s",
        "{'check':'clock','maxOffset':'-1s'} | rules[0].maxOffset: Invalid value: \"-1s\": must not be negative",
      })
  @DisplayName("B-12 errors of a check name their field")
  void wrong(String rule, String expected) {
    Reading reading = reading("{'plugin':'check','rules':[" + rule + "]}");
    assertThat(reading.monitor()).isEmpty();
    assertThat(reading.problems())
        .extracting(Problem::text)
        .anySatisfy(text -> assertThat(text).startsWith(expected.strip()));
  }

  @Test
  @DisplayName("B-9 the user's check replaces the built-in one")
  void replaced() {
    Monitor.Checks own =
        checks(
            """
            {'plugin':'check','source':'mine',
             'conditions':[{'type':'KernelLimitNear','reason':'Far','message':'','holdFor':'1h'}],
             'rules':[{'check':'pids','maxUsedPercent':50},{'check':'dns','enabled':false}]}\
            """);
    List<Monitor> all = DefaultMonitors.with(List.of(own));
    assertThat(all).last().isEqualTo(own);
    Monitor.Checks builtIn = (Monitor.Checks) all.get(all.size() - 2);
    assertThat(builtIn.rules())
        .extracting(CheckRule::kind)
        .doesNotContain(CheckKind.PIDS, CheckKind.DNS)
        .contains(CheckKind.CONNTRACK);
    assertThat(builtIn.conditions())
        .filteredOn(spec -> spec.type().equals("KernelLimitNear"))
        .extracting(ConditionSpec::holdFor)
        .containsExactly(Duration.ofHours(1));
  }

  @Test
  @DisplayName(
      "B-9, A-10 every check is in the default set, with a debounce longer than its " + "interval")
  void builtIn() {
    Monitor.Checks all = (Monitor.Checks) DefaultMonitors.read("checks.json");
    assertThat(all.rules())
        .extracting(CheckRule::kind)
        .containsExactlyElementsOf(Arrays.asList(CheckKind.values()));
    assertThat(all.rules())
        .filteredOn(rule -> !rule.kind().debounce().isZero())
        .allSatisfy(rule -> assertThat(rule.kind().debounce()).isGreaterThan(rule.interval()));
    assertThat(all.rules())
        .allSatisfy(rule -> assertThat(rule.timeout()).isLessThan(rule.interval()));
  }
}
