package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.probelet.agent.config.NodeSettings;
import io.probelet.agent.node.NodeWatch;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.check.RuntimeQuery;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.monitor.node.SourceView;
import io.probelet.monitor.node.SourceView.SourceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/**
 * What agents see of a node through the mount that deploy/variants/node-monitor-patch.yaml makes.
 */
class HostRootTest {
  private static final Path PATCH = Path.of("..", "deploy", "variants", "node-monitor-patch.yaml");
  private static final String CHECKS = "node-checks/";

  @TempDir Path dir;
  private Path root;

  @BeforeEach
  void start() throws IOException {
    root = Files.createDirectory(dir.resolve("host"));
  }

  private void file(String path, String content) throws IOException {
    Path file = root.resolve(path.substring(1));
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  /** An ordinary node: without systemd, without a pstore, without a journal, not of Kubernetes. */
  private void node() throws IOException {
    file("/proc/1/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
    file("/proc/1/stat", "1 (init) S 0 1");
    file("/proc/stat", "cpu  1 0 1 1\ncpu0 1 0 1 1\nintr 1\n");
    file("/proc/loadavg", "0.1 0.2 0.3 1/200 1234\n");
    file("/proc/net/route", "Iface\tDestination\n");
    file("/proc/sys/kernel/pid_max", "4194304\n");
    file("/proc/sys/kernel/threads-max", "1000\n");
    file("/proc/sys/kernel/random/boot_id", "6f9c1c7e-7b2f-4a55-8a59-0d0f1c6f6c11\n");
    file("/proc/sys/fs/file-nr", "10\t0\t1000\n");
    file("/proc/sys/net/core/somaxconn", "4096\n");
    for (String resource : List.of("memory", "io", "cpu")) {
      String averages = " avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
      file("/proc/pressure/" + resource, "some" + averages + "full" + averages);
    }
    file("/run/motd", "");
    file("/etc/resolv.conf", "nameserver 127.0.0.1\n");
  }

  /**
   * The arguments of the patch that are about nodes, with this root directory in place of /host.
   */
  private String[] arguments(String... more) throws IOException {
    List<String> arguments = new ArrayList<>();
    for (Object argument : args(new Yaml().load(Files.readString(PATCH)))) {
      String text = argument.toString();
      if (text.startsWith("--monitor=") || text.startsWith("--host-root=")) {
        arguments.add(text.replace("=/host", "=" + root));
      }
    }
    assertThat(arguments).hasSize(2);
    arguments.add("--kmsg=" + Files.createFile(dir.resolve("kmsg")));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  private static List<?> args(Map<String, ?> patch) {
    Map<?, ?> spec = (Map<?, ?>) patch.get("spec");
    Map<?, ?> pod = (Map<?, ?>) ((Map<?, ?>) spec.get("template")).get("spec");
    return (List<?>) ((Map<?, ?>) ((List<?>) pod.get("containers")).getFirst()).get("args");
  }

  /** The node once each source has been tried. */
  private NodeSnapshot seen(String... more) throws Exception {
    NodeOptions options = CommandLine.populateCommand(new NodeOptions(), arguments(more));
    RuntimeQuery runtime = _ -> new RuntimeQuery.Status("", "", Duration.ZERO);
    AtomicReference<Supplier<CompletableFuture<NodeSnapshot>>> asked = new AtomicReference<>();
    try (NodeWatch _ =
        NodeWatch.start(
            options.kmsg(),
            options.read(options.choice(List.of(NodeSettings.NONE))),
            options.machine(dir.resolve("state"), Optional.of(runtime)),
            true,
            asked::set)) {
      return await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () -> asked.get().get().get(1, TimeUnit.MINUTES),
              now ->
                  now.waiting() == 0
                      && !now.sources().isEmpty()
                      && now.sources().stream().noneMatch(HostRootTest::isStarting));
    }
  }

  private static boolean isStarting(SourceView source) {
    return source.state() instanceof SourceState.Starting;
  }

  /** What does not run, and why. */
  private static Map<String, String> unavailable(NodeSnapshot node) {
    Map<String, String> unavailable = new TreeMap<>();
    for (SourceView source : node.sources()) {
      if (!(source.state() instanceof SourceState.Running)) {
        unavailable.put(source.source(), source.state().obstacleLabel());
      }
    }
    return unavailable;
  }

  private static Set<String> healthy(NodeSnapshot node) {
    Set<String> healthy = new TreeSet<>();
    for (Condition condition : node.conditions()) {
      if (condition.status() == ConditionStatus.FALSE) {
        healthy.add(condition.type());
      }
    }
    return healthy;
  }

  @Test
  @DisplayName("B-17 every default check observes the node or names what the node lacks")
  void ordinary() throws Exception {
    node();
    NodeSnapshot now = seen();
    assertThat(unavailable(now))
        .isEqualTo(
            Map.of(
                CHECKS + "kubelet",
                "not-there",
                CHECKS + "inotify",
                "not-permitted",
                CHECKS + "certificates",
                "not-there",
                CHECKS + "systemd-units",
                "not-there",
                CHECKS + "kernel-panic",
                "not-there",
                CHECKS + "hardware-errors",
                "not-there",
                "systemd-monitor",
                "not-there"));
    assertThat(now.sources()).hasSize(26);
    assertThat(now.conditions())
        .extracting(Condition::type)
        .contains("DiskFull", "KernelLimitNear", "RebootRequired", "KernelDeadlock")
        .doesNotContain("KubeletUnhealthy", "CertificateExpiring", "UnitFailed", "KernelPanicked")
        .doesNotContain("FrequentKubeletRestart");
    assertThat(now.conditions())
        .filteredOn(condition -> condition.type().equals("KernelLimitNear"))
        .extracting(Condition::message)
        .containsExactly("no kernel limit is near; not checked here: InotifyExhausted");
  }

  @Test
  @DisplayName("B-21 logs a pod volume that turned read-only and sets no condition")
  void volumeOfPod() throws Exception {
    node();
    String uid = "0c7ae3d2-3a56-4f0f-9a51-6f2d3a1b0c99";
    file(
        "/proc/1/mountinfo",
        """
        22 1 8:1 / / rw - ext4 /dev/sda1 rw
        30 22 8:96 / /var/lib/kubelet/pods/%s/volumes/kubernetes.io~csi/pvc-1/mount rw - ext4 /dev/sdg ro
        """
            .formatted(uid));
    Files.createDirectories(root.resolve("var/log/pods/shop_web-0_" + uid));
    Logger logger = (Logger) LoggerFactory.getLogger("io.probelet.monitor.node.NodeCheckRun");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      assertThat(healthy(seen())).contains("ReadonlyFilesystem");
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .contains(
            "problem on a pod's volume, no node condition set check=read-only-mounts"
                + " problem=\"read-only: volume pvc-1 of pod shop/web-0 (uid "
                + uid
                + ")\"");
  }

  @Test
  @DisplayName("B-17 the log that a monitor names is the node's, behind a link of the node's too")
  void log() throws Exception {
    node();
    file("/data/log/app.log", "");
    Files.createDirectories(root.resolve("var"));
    Files.createSymbolicLink(root.resolve("var/log"), Path.of("/data/log"));
    Path monitor =
        Files.writeString(
            dir.resolve("app.json"),
            """
            {"plugin": "filelog", "logPath": "/var/log/app.log", "source": "app",
             "pluginConfig": {"timestamp": "^.{15}", "message": ": (.*)", "timestampFormat": "Jan _2 15:04:05"},
             "rules": [{"type": "temporary", "reason": "Oops", "pattern": "oops"}]}
            """);
    assertThat(unavailable(seen("--config.system-log-monitor=" + monitor)))
        .doesNotContainKey("app");
    Files.delete(root.resolve("data/log/app.log"));
    Files.delete(dir.resolve("kmsg"));
    assertThat(unavailable(seen("--config.system-log-monitor=" + monitor)))
        .containsEntry("app", "not-there");
  }

  @Test
  @DisplayName("B-17 an empty folder instead of the node's root directory is not a healthy node")
  void empty() throws Exception {
    NodeSnapshot now = seen();
    assertThat(healthy(now))
        .as("what takes no file of the node; its log alone says nothing (A-11)")
        .isSubsetOf("ContainerRuntimeUnhealthy", "DiskUnresponsive", "NTPProblem")
        .contains("ContainerRuntimeUnhealthy");
    assertThat(unavailable(now))
        .containsKeys(
            CHECKS + "disk-space",
            CHECKS + "disk-inodes",
            CHECKS + "read-only-mounts",
            CHECKS + "filesystem-shutdown",
            CHECKS + "cpu-lockup",
            CHECKS + "hardware-errors",
            CHECKS + "zombies",
            CHECKS + "conntrack",
            CHECKS + "pids",
            CHECKS + "reboot-required",
            CHECKS + "kernel-panic");
    assertThat(now.conditions())
        .extracting(Condition::type)
        .doesNotContain(
            "ReadonlyFilesystem", "XfsShutdown", "KernelDeadlock", "CperHardwareErrorFatal");
  }
}
