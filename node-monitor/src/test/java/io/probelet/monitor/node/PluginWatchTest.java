package io.probelet.monitor.node;

import static io.probelet.monitor.MonitorFiles.read;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.plugin.BuiltIns;
import io.probelet.monitor.rule.Monitor;
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
  @DisplayName("B-5 a run that fails as nobody expected is told, and the next comes in its time")
  void mistake() {
    Monitor.Plugins monitor =
        (Monitor.Plugins)
            read(
                """
                {'plugin': 'custom', 'source': 'plugins',
                 'pluginConfig': {'invoke_interval': '50ms', 'timeout': '1m'},
                 'rules': [{'type': 'temporary', 'reason': 'Sick', 'path': '/no\\\\u0000path'}]}\
                """);
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
            RuleRef.of("plugins", monitor),
            new BuiltIns(machine, "journalctl", Instant.EPOCH, Map.of()),
            (_, one) -> evidence.add(one),
            new SourceStats("plugins"));
    watch.start(SystemClock.INSTANCE);
    await().until(() -> evidence.stream().filter(Evidence.Lost.class::isInstance).count() > 1);
    watch.close();
  }
}
