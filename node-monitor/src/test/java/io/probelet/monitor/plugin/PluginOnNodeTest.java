package io.probelet.monitor.plugin;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Monitor.PluginRule;
import io.probelet.monitor.rule.PluginProcess;
import io.probelet.process.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plugins in the node's root directory: here one with busybox and nothing else. */
@Timeout(300)
class PluginOnNodeTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** As in the image: PATH has no setsid. */
  private static final Map<String, String> OURS =
      Map.of("PATH", "/nowhere", "HOME", "/ours", "LANG", "C.UTF-8", "NODE_NAME", "worker-1");

  @TempDir Path node;
  @TempDir Path ours;

  @BeforeEach
  void busybox() throws Exception {
    assumeThat(Account.current().uid()).as("chroot(2) takes root").isZero();
    Path busybox = Path.of("/bin/busybox");
    assumeThat(busybox).as("needs busybox-static").isRegularFile();
    Files.setPosixFilePermissions(node, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path bin = Files.createDirectories(node.resolve("bin"));
    Files.copy(busybox, bin.resolve("busybox"));
    for (String name : List.of("sh", "cat", "grep", "id", "sleep", "ls", "readlink", "tr")) {
      Files.createSymbolicLink(bin.resolve(name), Path.of("busybox"));
    }
    Files.createDirectories(node.resolve("etc"));
    Files.writeString(node.resolve("etc/passwd"), "checker:x:4711:4712::/home/checker:/bin/sh\n");
    Files.writeString(node.resolve("etc/hostname"), "a-node\n");
  }

  private static Path script(Path folder, String body) throws IOException {
    Path file = Files.createDirectories(folder).resolve("plugin.sh");
    Files.writeString(file, body);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private PluginResult run(PluginProcess process, Duration timeout, String path, String... args)
      throws InterruptedException {
    return new PluginRun(
            new PluginRule(
                new Consequence.EventOnly("R", EvidenceThreshold.NONE),
                path,
                List.of(args),
                timeout,
                TIMEOUT,
                process),
            4096,
            new BuiltIns(
                Machine.of(node, ours, Optional.empty(), SystemClock.INSTANCE, new Random(1)),
                JournalAccess.USUAL,
                () -> Instant.EPOCH,
                OURS))
        .run();
  }

  private PluginResult run(String path, String... args) throws InterruptedException {
    return run(PluginProcess.DEFAULT, TIMEOUT, path, args);
  }

  @Test
  @DisplayName("A-6 with --host-root a plugin of the node runs in the node's root directory")
  void ofTheNode() throws Exception {
    script(
        node.resolve("config/plugin"),
        """
        #!/bin/sh
        # Says how full a table is, from two files, as many plugins do.
        readonly OK=0 NONOK=1 UNKNOWN=2
        [ -r "$1/count" ] && [ -r "$1/max" ] || { echo "no table in $1"; exit $UNKNOWN; }
        count=$(cat "$1/count") max=$(cat "$1/max")
        if [ "$count" -gt $((max * 9 / 10)) ]; then
          echo "table of $(cat /etc/hostname) is full: $count of $max"
          exit $NONOK
        fi
        echo "table is fine"
        exit $OK
        """);
    Path table = Files.createDirectories(node.resolve("proc/table"));
    String plugin = "/config/plugin/plugin.sh";
    assertThat(run(plugin, "/proc/table"))
        .isEqualTo(new PluginResult.Ran(UNKNOWN, "no table in /proc/table", false));
    Files.writeString(table.resolve("count"), "95\n");
    Files.writeString(table.resolve("max"), "100\n");
    assertThat(run(plugin, "/proc/table"))
        .isEqualTo(new PluginResult.Ran(TRUE, "table of a-node is full: 95 of 100", false));
    Files.writeString(table.resolve("count"), "9\n");
    assertThat(run(plugin, "/proc/table"))
        .isEqualTo(new PluginResult.Ran(FALSE, "table is fine", false));
    assertThat(run("cat", "/etc/hostname")).isEqualTo(new PluginResult.Ran(FALSE, "a-node", false));
  }

  @Test
  @DisplayName("A-6 it leads a session, gains no rights, and sees only allowed variables")
  void given() throws Exception {
    script(
        node.resolve("p"),
        """
        #!/bin/sh
        echo "$$ $PATH $HOME $LANG $NODE_NAME $# $2"
        ls / | tr '\\n' ' '
        """);
    PluginProcess process = new PluginProcess("", Map.of(), List.of("NODE_NAME"));
    PluginResult result = run(process, TIMEOUT, "/p/plugin.sh", "one", "two words @x");
    assertThat(((PluginResult.Ran) result).message())
        .matches("[0-9]+ /usr/local/sbin:\\S+ / C.UTF-8 worker-1 2 two words @x bin etc p");
  }

  @Test
  @DisplayName("A-6 it runs as a user of the node, from the node's /etc/passwd")
  void user() throws Exception {
    script(node.resolve("p"), "#!/bin/sh\necho $(id -u) $(id -g) $(id -G) $HOME\n");
    for (String user : List.of("checker", "4711")) {
      PluginProcess process = new PluginProcess(user, Map.of(), List.of());
      assertThat(run(process, TIMEOUT, "/p/plugin.sh"))
          .isEqualTo(new PluginResult.Ran(FALSE, "4711 4712 4712 /home/checker", false));
    }
    PluginProcess unknown = new PluginProcess("nobody-there", Map.of(), List.of());
    assertThat(((PluginResult.NotRun) run(unknown, TIMEOUT, "/p/plugin.sh")).why())
        .contains("user nobody-there is not in " + node.resolve("etc/passwd"));
  }

  @Test
  @DisplayName("A-6 on timeout it is killed with all its children")
  void late() throws Exception {
    script(node.resolve("p"), "#!/bin/sh\nsleep 4321.5 & echo begun; sleep 4321.5\n");
    PluginResult result = run(PluginProcess.DEFAULT, Duration.ofSeconds(3), "/p/plugin.sh");
    assertThat(result).isInstanceOf(PluginResult.Ran.class);
    assertThat(((PluginResult.Ran) result).timedOut()).isTrue();
    await()
        .until(() ->
            ProcessHandle.allProcesses()
                .map(each -> each.info().commandLine().orElse(""))
                .noneMatch(line -> line.contains("4321.5")));
  }

  @Test
  @DisplayName(
      "A-6 a plugin that cannot start does not run: no interpreter, not executable, " + "missing")
  void notRun() throws Exception {
    script(node.resolve("p"), "#!/usr/bin/python3\n");
    assertThat(((PluginResult.NotRun) run("/p/plugin.sh")).why())
        .contains("/p/plugin.sh", "it, or its interpreter, does not exist there");
    Files.setPosixFilePermissions(
        node.resolve("p/plugin.sh"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(run("/p/plugin.sh"))
        .isEqualTo(new PluginResult.NotExecutable("/p/plugin.sh is not executable"));
    assertThat(((PluginResult.NotRun) run("/p/other.sh")).why())
        .isEqualTo("/p/other.sh does not exist");
    assertThat(((PluginResult.NotRun) run("no-such-program")).why()).contains("does not exist");
  }

  @Test
  @DisplayName(
      "A-6 a plugin of the container, as from a ConfigMap, runs with the node's interpreter")
  void carried() throws Exception {
    Path file =
        script(
            ours.resolve("config"),
            "#!/bin/sh\necho $(cat /etc/hostname) $1 $(grep NoNewPrivs /proc/self/status); exit 1\n");
    // The interpreter opens the script by /dev/fd, which every node has.
    Files.createDirectories(node.resolve("dev"));
    Files.createSymbolicLink(node.resolve("dev/fd"), Path.of("/proc/self/fd"));
    Files.createDirectories(node.resolve("proc"));
    Process mount =
        new ProcessBuilder("mount", "-t", "proc", "proc", node.resolve("proc").toString()).start();
    assumeThat(mount.waitFor()).as("may mount /proc").isZero();
    try {
      assertThat(run(file.toString(), "said"))
          .isEqualTo(new PluginResult.Ran(TRUE, "a-node said NoNewPrivs: 1", false));
    } finally {
      new ProcessBuilder("umount", node.resolve("proc").toString()).start().waitFor();
    }
  }
}
