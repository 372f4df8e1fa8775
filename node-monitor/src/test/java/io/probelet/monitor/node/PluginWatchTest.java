package io.probelet.monitor.node;

import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.node.SourceView.SourceState;
import io.probelet.monitor.node.SourceView.SourceStats;
import io.probelet.monitor.plugin.BuiltIns;
import io.probelet.monitor.plugin.PluginRun;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.track.Evidence;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PluginWatchTest {
  private final List<Evidence> evidence = new CopyOnWriteArrayList<>();

  @Test
  @DisplayName("B-17 a plugin that is not installed is unavailable")
  void notInstalled() {
    SourceStats stats = new SourceStats("plugins");
    PluginWatch watch = watch("/nowhere/plugin", stats);
    await().until(() -> evidence.size() > 1);
    watch.close();
    String why = "/nowhere/plugin does not exist";
    assertThat(evidence).containsOnly(new Evidence.Unavailable(why));
    assertThat(stats.view().state())
        .isEqualTo(new SourceState.Unavailable(Obstacle.NOT_INSTALLED, why));
  }

  @Test
  @DisplayName("B-5 an unexpected failure is reported, and the next run follows on schedule")
  void mistake() {
    SourceStats stats = new SourceStats("plugins");
    PluginWatch watch = watch("/no\\u0000path", stats);
    await().until(() -> evidence.stream().filter(Evidence.Lost.class::isInstance).count() > 1);
    watch.close();
    assertThat(stats.view().state()).isInstanceOf(SourceState.Failing.class);
  }

  private PluginWatch watch(String path, SourceStats stats) {
    Monitor.Plugins monitor =
        (Monitor.Plugins)
            read(
                """
                {'plugin': 'custom', 'source': 'plugins',
                 'pluginConfig': {'invoke_interval': '50ms', 'timeout': '1m'},
                 'rules': [{'type': 'temporary', 'reason': 'Sick', 'path': '%s'}]}\
                """
                    .formatted(path));
    Machine machine =
        Machine.of(
            Path.of("/"),
            Path.of("/nowhere"),
            Optional.empty(),
            SystemClock.INSTANCE,
            new Random(1));
    PluginWatch watch =
        new PluginWatch(
            monitor,
            NamedRule.of("plugins", monitor),
            (rule, most) ->
                new PluginRun(
                        rule,
                        most,
                        new BuiltIns(machine, JournalAccess.USUAL, () -> Instant.EPOCH, Map.of()))
                    .run(),
            (_, one) -> evidence.add(one),
            stats);
    watch.start(SystemClock.INSTANCE);
    return watch;
  }
}
