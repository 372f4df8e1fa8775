package io.probelet.monitor.node;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;
import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.node.NodeSnapshot.ConditionDetail;
import io.probelet.monitor.node.SourceView.SourceState;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.track.ConditionHistory.PastStatus;
import io.probelet.monitor.track.PodTrace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(300)
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class NodeMonitorTest {
  private static final String OOM =
      "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,"
          + "oom_memcg=%s,task_memcg=%s/%s,task=java,pid=%d,uid=0";

  @TempDir Path dir;
  private Path kmsg;

  @BeforeEach
  void standIn() throws Exception {
    kmsg = Files.createFile(dir.resolve("kmsg"));
  }

  private NodeMonitor monitor(Monitor... monitors) {
    return monitor(SystemClock.INSTANCE, monitors);
  }

  private NodeMonitor monitor(TimeSource time, Monitor... monitors) {
    MonitorSettings settings =
        new MonitorSettings(
            dir.resolve("state/node-monitor.json"),
            kmsg,
            JournalAccess.USUAL,
            machine(),
            ZoneOffset.UTC);
    NodeMonitor monitor = new NodeMonitor(settings, time);
    monitor.watch(List.of(monitors));
    return monitor;
  }

  private Machine machine() {
    Machine here =
        Machine.of(
            Path.of("/"),
            dir.resolve("state"),
            Optional.empty(),
            SystemClock.INSTANCE,
            new Random(1));
    return new Machine(
        here.root(),
        here.proc(),
        dir.resolve("sys"),
        here.stateFolder(),
        here.kernel(),
        here.runtime(),
        here.time(),
        here.random());
  }

  private static Monitor link(String more) {
    return read(
        """
        {'plugin': 'kmsg', 'source': 'link-monitor',
         'conditions': [{'type': 'LinkDown', 'reason': 'LinkIsUp', 'message': 'link is up' %s}],
         'rules': [{'type': 'permanent', 'condition': 'LinkDown', 'reason': 'NoCarrier',
           'pattern': 'eth\\\\d+: link down', 'clearPattern': 'eth\\\\d+: link up'},
           {'type': 'temporary', 'reason': 'Oops', 'pattern': 'oops.*'}]}\
        """
            .formatted(more));
  }

  private Monitor plugin(String conditions, Path path, String more) {
    return read(
        """
        {'plugin': 'custom', 'source': 'plugins', 'pluginConfig': {'invoke_interval': '100ms', 'timeout': '1m'},
         'conditions': [%s],
         'rules': [{'type': 'permanent', 'condition': 'Sick', 'reason': 'PluginSaysSo',
                    'path': '%s' %s}]}\
        """
            .formatted(conditions, path, more));
  }

  private void log(String line) throws Exception {
    Files.writeString(kmsg, line + "\n", StandardOpenOption.APPEND);
  }

  /** A record of this very moment. */
  private void kernel(int sequence, String message) throws Exception {
    double uptime = Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ", -1)[0]);
    log("6,%d,%d,-;%s".formatted(sequence, (long) (uptime * 1e6) + 1_000_000, message));
  }

  private static NodeSnapshot snapshot(NodeMonitor monitor) throws Exception {
    return monitor.snapshot().get(1, TimeUnit.MINUTES);
  }

  private static Optional<Condition> condition(NodeMonitor monitor, String type) throws Exception {
    return snapshot(monitor).conditions().stream()
        .filter(condition -> condition.type().equals(type))
        .findFirst();
  }

  private static Condition awaitStatus(NodeMonitor monitor, String type, ConditionStatus status) {
    return await()
        .until(
            () -> condition(monitor, type),
            found -> found.map(Condition::status).filter(status::equals).isPresent())
        .orElseThrow();
  }

  private Path script(String body) throws Exception {
    Path script = Files.writeString(dir.resolve("plugin.sh"), "#!/bin/sh\n" + body + "\n");
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  @DisplayName("A-4, NM-2, B-1 a line sets the condition with one event, its counterpart clears it")
  void setAndCleared() throws Exception {
    try (NodeMonitor monitor = monitor(link(""))) {
      assertThat(awaitStatus(monitor, "LinkDown", FALSE).message()).isEqualTo("link is up");
      kernel(1, "\"x\" eth0: link down");
      kernel(2, "eth0: link down");
      kernel(3, "oops %d %s {}");
      Condition down = awaitStatus(monitor, "LinkDown", TRUE);
      assertThat(down.message()).isEqualTo("\"x\" eth0: link down");
      await().until(() -> snapshot(monitor).events().size() == 2);
      assertThat(snapshot(monitor).events())
          .extracting(NodeEvent::source, NodeEvent::reason, NodeEvent::message)
          .containsExactly(
              tuple(
                  "link-monitor",
                  "NoCarrier",
                  "Node condition LinkDown is now: True, reason: NoCarrier,"
                      + " message: \"\\\"x\\\" eth0: link down\""),
              tuple("link-monitor", "Oops", "oops %d %s {}"));
      kernel(4, "eth0: link up");
      awaitStatus(monitor, "LinkDown", FALSE);
    }
  }

  @Test
  @DisplayName("A-8, B-13 problems are counted per rule; sources report their state")
  void counts() throws Exception {
    try (NodeMonitor monitor = monitor(link(""))) {
      awaitStatus(monitor, "LinkDown", FALSE);
      assertThat(snapshot(monitor).problemCounts())
          .containsOnly(Map.entry("NoCarrier", 0L), Map.entry("Oops", 0L));
      kernel(1, "eth0: link down");
      kernel(7, "oops");
      await().until(() -> snapshot(monitor).problemCounts().get("Oops") == 1);
      assertThat(snapshot(monitor).problemCounts()).containsEntry("NoCarrier", 1L);
      assertThat(snapshot(monitor).problems())
          .containsExactly(new NodeSnapshot.Problem("LinkDown", "NoCarrier", true));
      SourceView source = snapshot(monitor).sources().getFirst();
      assertThat(source.source()).isEqualTo("link-monitor");
      assertThat(source.reads()).isEqualTo(2);
      assertThat(source.matches()).isEqualTo(2);
      assertThat(source.lost()).isEqualTo(5);
    }
  }

  @Test
  @DisplayName("A-3 a live line counts, however old its kernel timestamp is")
  void staleStamps() throws Exception {
    Files.writeString(kmsg, "6,1,1000000,-;eth0: link down\n");
    try (NodeMonitor monitor = monitor(link(""))) {
      awaitStatus(monitor, "LinkDown", FALSE);
      log("6,2,1000001,-;oops one second after the boot");
      await().until(() -> snapshot(monitor).events().size() == 1);
      log("6,3,1000002,-;eth0: link down");
      awaitStatus(monitor, "LinkDown", TRUE);
      log("6,4,1000003,-;eth0: link up");
      awaitStatus(monitor, "LinkDown", FALSE);
    }
  }

  @Test
  @DisplayName("A-8 the healthy reason of a plugin's condition has its own series, always 0")
  void healthySeries() throws Exception {
    Path plugin = script("exit 0");
    String sick = "{'type': 'Sick', 'reason': 'FeelsWell', 'message': 'm'}";
    try (NodeMonitor monitor = monitor(plugin(sick, plugin, ""), link(""))) {
      awaitStatus(monitor, "Sick", FALSE);
      awaitStatus(monitor, "LinkDown", FALSE);
      assertThat(snapshot(monitor).problems())
          .containsExactlyInAnyOrder(
              new NodeSnapshot.Problem("Sick", "FeelsWell", false),
              new NodeSnapshot.Problem("Sick", "PluginSaysSo", false),
              new NodeSnapshot.Problem("LinkDown", "NoCarrier", false));
      script("exit 1");
      awaitStatus(monitor, "Sick", TRUE);
      assertThat(snapshot(monitor).problems())
          .contains(
              new NodeSnapshot.Problem("Sick", "FeelsWell", false),
              new NodeSnapshot.Problem("Sick", "PluginSaysSo", true));
    }
  }

  @Test
  @DisplayName("A-6 a plugin that is not executable is Unknown from the first run on")
  void notExecutable() throws Exception {
    Path plugin = script("exit 0");
    Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rw-r--r--"));
    String sick = "{'type': 'Sick', 'reason': 'FeelsWell', 'message': 'm'}";
    try (NodeMonitor monitor = monitor(plugin(sick, plugin, ""))) {
      Condition unknown = awaitStatus(monitor, "Sick", ConditionStatus.UNKNOWN);
      assertThat(unknown.message()).isEqualTo(plugin + " is not executable");
      assertThat(snapshot(monitor).sources().getFirst().state())
          .isEqualTo(new SourceState.Failing(plugin + " is not executable"));
      script("exit 0");
      awaitStatus(monitor, "Sick", FALSE);
    }
  }

  @Test
  @DisplayName(
      "B-4, B-18, NM-8 a restart keeps True with its times, and reads what was logged meanwhile")
  void restart() throws Exception {
    Condition before;
    ConditionDetail detail;
    try (NodeMonitor monitor = monitor(link(""))) {
      awaitStatus(monitor, "LinkDown", FALSE);
      log("eth0: link down");
      before = awaitStatus(monitor, "LinkDown", TRUE);
      detail = snapshot(monitor).details().get("LinkDown");
      assertThat(detail.history().changes()).extracting(PastStatus::status).endsWith(FALSE, TRUE);
      assertThat(detail.evidence())
          .extracting(ConditionDetail.Found::source, ConditionDetail.Found::message)
          .containsExactly(tuple("link-monitor", "eth0: link down"));
    }
    log("oops while away");
    try (NodeMonitor monitor = monitor(link(""))) {
      assertThat(awaitStatus(monitor, "LinkDown", TRUE)).isEqualTo(before);
      assertThat(snapshot(monitor).details()).containsEntry("LinkDown", detail);
      await().until(() -> snapshot(monitor).events().size() == 1);
      assertThat(snapshot(monitor).events().getFirst().message()).isEqualTo("oops while away");
      log("eth0: link up");
      awaitStatus(monitor, "LinkDown", FALSE);
    }
  }

  @Test
  @DisplayName("B-4 a state file that is corrupt or of another boot is ignored")
  void brokenState() throws Exception {
    Path state = Files.createDirectories(dir.resolve("state")).resolve("node-monitor.json");
    for (String content :
        List.of(
            "{broken",
            "{\"bootId\":\"another\",\"conditions\":{\"LinkDown\":{\"problem\":true}}}")) {
      Files.writeString(state, content);
      try (NodeMonitor monitor = monitor(link(""))) {
        awaitStatus(monitor, "LinkDown", FALSE);
      }
      assertThat(Files.readString(state)).contains("LinkIsUp");
    }
  }

  @Test
  @DisplayName("B-4 conditions on the node are adopted")
  void adoption() throws Exception {
    Condition onNode =
        new Condition(
            "LinkDown",
            TRUE,
            SystemClock.INSTANCE.wallTime().minusSeconds(60),
            SystemClock.INSTANCE.wallTime(),
            "NoCarrier",
            "eth7: link down",
            List.of());
    try (NodeMonitor monitor = monitor()) {
      List<Condition> told = new CopyOnWriteArrayList<>();
      monitor.addListener(
          new MonitorListener() {
            @Override
            public void conditionChanged(Condition condition) {
              told.add(condition);
            }
          });
      monitor.adopt(List.of(onNode));
      monitor.watch(List.of(link("")));
      assertThat(awaitStatus(monitor, "LinkDown", TRUE)).isEqualTo(onNode);
      await().until(() -> snapshot(monitor).sources().getFirst().trouble().isEmpty());
      assertThat(told).containsOnly(onNode);
      log("eth7: link up");
      awaitStatus(monitor, "LinkDown", FALSE);
    }
  }

  @Test
  @DisplayName("B-17 a missing log has no condition; it joins when it exists")
  void logMissing() throws Exception {
    Files.delete(kmsg);
    try (NodeMonitor monitor = monitor(link(", 'holdFor': '1ms'"))) {
      String why = "cannot read " + kmsg + ": no such file";
      await()
          .until(
              () -> snapshot(monitor).sources().getFirst().state(),
              new SourceState.Unavailable(Obstacle.NOT_THERE, why)::equals);
      assertThat(snapshot(monitor).specs()).isEmpty();
      Files.createFile(kmsg);
      awaitStatus(monitor, "LinkDown", FALSE);
      assertThat(snapshot(monitor).sources().getFirst().trouble()).isEmpty();
      assertThat(snapshot(monitor).specs()).hasSize(1);
    }
  }

  @Test
  @DisplayName("B-5 an existing but unreadable log is Unknown after holdFor")
  void logBroken() throws Exception {
    Files.delete(kmsg);
    Files.createDirectory(kmsg);
    try (NodeMonitor monitor = monitor(link(", 'holdFor': '300ms'"))) {
      Condition unseen = awaitStatus(monitor, "LinkDown", UNKNOWN);
      assertThat(unseen.reason()).isEqualTo("NotObserved");
      assertThat(unseen.message()).isEqualTo("Is a directory");
      assertThat(snapshot(monitor).sources().getFirst().state())
          .isEqualTo(new SourceState.Failing("Is a directory"));
    }
  }

  @Test
  @DisplayName("A-5, A-6 a plugin that starts failing sets the condition, and clears it again")
  void plugins() throws Exception {
    Path flag = dir.resolve("flag");
    Path script = script("test ! -e " + flag + " && echo fine || { echo flag is up; exit 1; }");
    String sick = "{'type': 'Sick', 'reason': 'Well', 'message': 'well'}";
    try (NodeMonitor monitor = monitor(plugin(sick, script, ""))) {
      awaitStatus(monitor, "Sick", FALSE);
      Files.createFile(flag);
      Condition bad = awaitStatus(monitor, "Sick", TRUE);
      assertThat(bad.reason()).isEqualTo("PluginSaysSo");
      assertThat(bad.message()).isEqualTo("flag is up");
      Files.delete(flag);
      awaitStatus(monitor, "Sick", FALSE);
      assertThat(snapshot(monitor).sources().getFirst().seconds()).isPositive();
    }
  }

  @Test
  @DisplayName("A-6 runs of a plugin never overlap, and concurrency limits those of a file")
  void concurrency() throws Exception {
    Path script = script("echo + >>$0.log; sleep 0.1; echo - >>$0.log");
    String rules =
        "{'type': 'temporary', 'reason': 'R%d', 'path': '"
            + script
            + "', 'invoke_interval': '10ms'}";
    Monitor many =
        read(
            "{'plugin':'custom','source':'s','pluginConfig':{'concurrency':2,"
                + "'timeout':'1m'},'rules':["
                + rules.formatted(1)
                + ","
                + rules.formatted(2)
                + ","
                + rules.formatted(3)
                + "]}");
    Path log = Path.of(script + ".log");
    try (NodeMonitor _ = monitor(many)) {
      await()
          .atMost(Duration.ofMinutes(2)) // on a busy machine a shell may take a second to start
          .until(() -> Files.exists(log) && Files.readAllLines(log).size() > 20);
    }
    int running = 0;
    for (String line : Files.readAllLines(log)) {
      running += line.equals("+") ? 1 : -1;
      assertThat(running).isBetween(0, 2);
    }
  }

  @Test
  @DisplayName("A-6 no plugin keeps running after the monitor is closed")
  void killed() throws Exception {
    Path script = script("echo $$ >$0.new; mv $0.new $0.pid; sleep 100");
    Path pid = Path.of(script + ".pid");
    try (NodeMonitor _ =
        monitor(plugin("{'type': 'Sick', 'reason': 'Well', 'message': 'well'}", script, ""))) {
      await().until(() -> Files.exists(pid));
    }
    long plugin = Long.parseLong(Files.readString(pid).strip());
    await().until(() -> ProcessHandle.of(plugin).isEmpty()); // killed, and then reaped
  }

  @Test
  @DisplayName("A-7 a temporary plugin rule is an event on every run that is not OK")
  void temporaryPlugin() throws Exception {
    Monitor temporary =
        read(
            "{'plugin':'custom','source':'s','pluginConfig':{'timeout':'1m'},"
                + "'rules':[{'type':'temporary','reason':'Bad','path':'"
                + script("echo odd; exit 3")
                + "','invoke_interval':'50ms'}]}");
    try (NodeMonitor monitor = monitor(temporary)) {
      await().until(() -> snapshot(monitor).events().size() >= 3);
      assertThat(snapshot(monitor).events())
          .allSatisfy(event -> assertThat(event.message()).isEqualTo("odd"));
    }
  }

  @Test
  @DisplayName("B-12 files are reloaded without a restart: unchanged monitors keep their state")
  void reload() throws Exception {
    List<String> watched = new CopyOnWriteArrayList<>();
    try (NodeMonitor monitor =
        monitor(
            link(""),
            plugin(
                "{'type': 'Sick', 'reason': 'Well', 'message': 'well'}", script("exit 0"), ""))) {
      monitor.addListener(
          new MonitorListener() {
            @Override
            public void watching(List<ConditionSpec> specs) {
              specs.forEach(spec -> watched.add(spec.type()));
            }
          });
      awaitStatus(monitor, "LinkDown", FALSE);
      log("eth0: link down");
      Condition down = awaitStatus(monitor, "LinkDown", TRUE);
      awaitStatus(monitor, "Sick", FALSE);
      monitor.watch(List.of(link(", 'flapCount': 0")));
      await().until(() -> snapshot(monitor).specs().size() == 1);
      assertThat(watched).endsWith("LinkDown");
      assertThat(condition(monitor, "LinkDown")).contains(down);
      log("eth0: link up");
      awaitStatus(monitor, "LinkDown", FALSE);
    }
  }

  @Test
  @DisplayName("B-14 a flood of matches slows its reader down instead of filling memory")
  void flood() throws Exception {
    try (NodeMonitor monitor = monitor(link(""))) {
      awaitStatus(monitor, "LinkDown", FALSE);
      log("oops again\n".repeat(200_000));
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> snapshot(monitor).problemCounts().get("Oops") == 200_000);
      assertThat(snapshot(monitor).events()).hasSize(50);
      assertThat(snapshot(monitor).waiting()).isLessThanOrEqualTo(1024);
    }
  }

  @Test
  @DisplayName(
      "NM-11 the one matching line of 300,000 in three seconds is found, without a backlog")
  void needle() throws Exception {
    try (NodeMonitor monitor = monitor(link(""))) {
      awaitStatus(monitor, "LinkDown", FALSE);
      String chunk = "6,1,99999999999,-;IPv6: ADDRCONF: veth1: link becomes ready\n".repeat(10_000);
      long start = SystemClock.INSTANCE.nanoTime();
      for (int i = 0; i < 30; i++) {
        log(chunk + (i == 15 ? "eth0: link down" : "nothing"));
        long early = start + (i + 1) * 100_000_000L - SystemClock.INSTANCE.nanoTime();
        LockSupport.parkNanos(Math.max(0, early));
        assertThat(snapshot(monitor).waiting()).isLessThan(10);
      }
      awaitStatus(monitor, "LinkDown", TRUE);
      await().until(() -> snapshot(monitor).sources().getFirst().reads() == 300_030);
      assertThat(snapshot(monitor).sources().getFirst().matches()).isEqualTo(1);
      assertThat(snapshot(monitor).events()).hasSize(1);
    }
  }

  @Test
  @DisplayName("B-3 monitors of the same name and condition do not conflict")
  void sameNames() throws Exception {
    try (NodeMonitor monitor = monitor(link(""), link(""))) {
      awaitStatus(monitor, "LinkDown", FALSE);
      log("eth0: link down");
      assertThat(awaitStatus(monitor, "LinkDown", TRUE).reason()).isEqualTo("NoCarrier");
      assertThat(snapshot(monitor).sources())
          .extracting(SourceView::source)
          .containsExactly("link-monitor", "link-monitor#2");
    }
  }

  private static String isNow(String reason, String message) {
    return "Node condition Sick is now: True, reason: %s, message: \"%s\""
        .formatted(reason, message);
  }

  @Test
  @DisplayName("B-15, B-16 each disk of a condition is reported, counted and cleared separately")
  void severalDisks() throws Exception {
    Monitor disks =
        read(
            """
            {'plugin': 'kmsg', 'source': 'disks',
             'conditions': [{'type': 'Sick', 'reason': 'Well', 'message': 'all are well'}],
             'rules': [{'type': 'permanent', 'condition': 'Sick', 'reason': 'Down',
                        'pattern': '(?P<device>\\\\w+): down', 'clearPattern': '(?P<device>\\\\w+): up'},
                       {'type': 'permanent', 'condition': 'Sick', 'reason': 'Slow',
                        'pattern': '\\\\w+: slow', 'clearPattern': '\\\\w+: fast'}]}\
            """);
    try (NodeMonitor monitor = monitor(disks)) {
      awaitStatus(monitor, "Sick", FALSE);
      log("sda: down\nsdb: up\nsdb: down\nsdb: down\nsda: slow\nsda: up");
      await()
          .until(
              () -> condition(monitor, "Sick").orElseThrow().message(),
              "Down: sdb: down; Slow: sda: slow"::equals);
      assertThat(snapshot(monitor).problemCounts())
          .containsOnly(Map.entry("Down", 2L), Map.entry("Slow", 1L));
      assertThat(snapshot(monitor).events())
          .extracting(NodeEvent::reason, NodeEvent::message)
          .containsExactly(
              tuple("Down", isNow("Down", "sda: down")),
              tuple("Down", isNow("Down", "sdb: down")),
              tuple("Slow", isNow("Slow", "sda: slow")));
      log("sdb: up\nsda: fast");
      awaitStatus(monitor, "Sick", FALSE);
    }
  }

  @Test
  @DisplayName("B-10 the event of a kernel that kills names pod and container")
  void oom() throws Exception {
    String uid = "3f0f5a0e-0ae0-4c36-b3f0-7f3a5a3f4c11";
    String id = "0123456789abcdef".repeat(4);
    Monitor kernel =
        read(
            "{'plugin':'kmsg','source':'kernel','rules':[{'type':'temporary','reason':'OOMKilling',"
                + "'pattern':'Killed process \\\\d+ .*'}]}");
    String pod = "/kubepods/pod" + uid;
    Path events = Files.createDirectories(dir.resolve("sys/fs/cgroup" + pod));
    Files.writeString(events.resolve("memory.events"), "low 0\noom 1\noom_kill 1\n");
    try (NodeMonitor monitor = monitor(kernel)) {
      await().until(() -> snapshot(monitor).sources().size() == 1);
      kernel(1, OOM.formatted(pod, pod, id, 7));
      kernel(2, "Memory cgroup out of memory: Killed process 7 (java) total-vm:1kB");
      await().until(() -> snapshot(monitor).events().size() == 1);
      NodeEvent event = snapshot(monitor).events().getFirst();
      assertThat(event.pod()).isEqualTo(new PodTrace(uid, id));
      assertThat(event.message())
          .isEqualTo(
              "Memory cgroup out of memory: Killed process 7 (java) total-vm:1kB;"
                  + " in container 0123456789ab of pod "
                  + uid);
    }
  }

  @Test
  @DisplayName("B-10 a kill not confirmed by the pod's own count names no pod")
  void oomNotConfirmed() throws Exception {
    String pod = "/kubepods/pod3f0f5a0e-0ae0-4c36-b3f0-7f3a5a3f4c11";
    Path events = Files.createDirectories(dir.resolve("sys/fs/cgroup" + pod));
    Files.writeString(events.resolve("memory.events"), "low 0\noom 1\noom_kill 0\n");
    Monitor kernel =
        read(
            "{'plugin':'kmsg','source':'kernel','rules':[{'type':'temporary','reason':'OOMKilling',"
                + "'pattern':'Killed process \\\\d+ .*'}]}");
    try (NodeMonitor monitor = monitor(kernel)) {
      await().until(() -> snapshot(monitor).sources().size() == 1);
      kernel(1, OOM.formatted(pod, pod, "0123456789abcdef".repeat(4), 7));
      kernel(2, "Memory cgroup out of memory: Killed process 7 (java) total-vm:1kB");
      await().until(() -> snapshot(monitor).events().size() == 1);
      assertThat(snapshot(monitor).events().getFirst().pod()).isNull();
    }
  }

  @Test
  @DisplayName("A-3 delay: lines before boot + delay do not count, later ones do")
  void delay() throws Exception {
    double uptime = Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ", -1)[0]);
    Monitor delayed =
        read(
            "{'plugin':'kmsg','source':'kernel','delay':'%ds','lookback':'1000h',"
                    .formatted((long) uptime)
                + "'rules':[{'type':'temporary','reason':'Oops','pattern':'oops.*'}]}");
    log("6,1,%d,-;oops too early".formatted((long) ((uptime - 60) * 1e6)));
    log("6,2,%d,-;oops in time".formatted((long) ((uptime + 1) * 1e6)));
    try (NodeMonitor monitor = monitor(delayed)) {
      await().until(() -> snapshot(monitor).events().size() == 1);
      assertThat(snapshot(monitor).events())
          .extracting(NodeEvent::message)
          .containsExactly("oops in time");
      assertThat(snapshot(monitor).sources().getFirst().reads()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("B-1 a failing listener affects neither other listeners nor timers")
  void listenerFails() throws Exception {
    try (NodeMonitor monitor = monitor()) {
      List<ConditionStatus> heard = new CopyOnWriteArrayList<>();
      monitor.addListener(
          new MonitorListener() {
            @Override
            public void conditionChanged(Condition condition) {
              throw new IllegalStateException("a mistake of the listener's");
            }
          });
      monitor.addListener(
          new MonitorListener() {
            @Override
            public void conditionChanged(Condition condition) {
              heard.add(condition.status());
            }
          });
      monitor.watch(
          List.of(
              read(
                  """
                  {'plugin': 'kmsg', 'source': 'link-monitor',
                   'conditions': [{'type': 'LinkDown', 'reason': 'LinkIsUp', 'message': 'up'}],
                   'rules': [{'type': 'permanent', 'condition': 'LinkDown', 'reason': 'NoCarrier',
                              'pattern': 'link down', 'clearAfter': '500ms'}]}\
                  """)));
      await().until(() -> heard.equals(List.of(FALSE)));
      kernel(1, "link down");
      await().until(() -> heard.equals(List.of(FALSE, TRUE, FALSE)));
    }
  }

  /** Counts how often a log was looked at. */
  private static final class LookClock implements TimeSource {
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public long nanoTime() {
      return SystemClock.INSTANCE.nanoTime();
    }

    @Override
    public Instant wallTime() {
      if (Thread.currentThread().getName().startsWith("log-")) {
        looks.incrementAndGet();
      }
      return SystemClock.INSTANCE.wallTime();
    }

    void awaitLook() {
      int before = looks.get();
      await().until(() -> looks.get() > before + 1); // one that began since, and has ended
    }
  }

  @Test
  @DisplayName("B-4 evidence queued when the monitor ends is not lost")
  void endsWithMuchWaiting() throws Exception {
    LookClock clock = new LookClock();
    NodeMonitor monitor = monitor(clock, link(""));
    awaitStatus(monitor, "LinkDown", FALSE);
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    monitor.addListener(
        new MonitorListener() {
          @Override
          public void happened(NodeEvent event) {
            busy.countDown();
            try {
              free.await();
            } catch (InterruptedException hurry) {
              Thread.currentThread().interrupt();
            }
          }
        });
    kernel(1, "oops");
    busy.await();
    Thread closing = Thread.ofPlatform().start(monitor::close);
    await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
    kernel(2, "eth0: link down");
    clock.awaitLook();
    free.countDown();
    closing.join();
    try (NodeMonitor next = monitor(clock, link(""))) {
      assertThat(awaitStatus(next, "LinkDown", TRUE).message()).isEqualTo("eth0: link down");
    }
  }
}
