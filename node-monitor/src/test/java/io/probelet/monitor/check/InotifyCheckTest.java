package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.check.NodeCheckResult.Problem;
import io.probelet.monitor.check.NodeCheckResult.Unknown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InotifyCheckTest {
  @TempDir Path root;
  private PretendedNode node;

  @BeforeEach
  void start() {
    node =
        new PretendedNode(root)
            .file("/proc/sys/fs/inotify/max_user_instances", "10\n")
            .file("/proc/sys/fs/inotify/max_user_watches", "100\n");
  }

  /** A process with inotify instances that have so many watches each, and one other file. */
  private void process(int pid, int user, int... watches) throws IOException {
    String process = "/proc/" + pid;
    node.file(process + "/stat", pid + " (x) S 1")
        .file(process + "/status", "Name:\tx\nUid:\t7\t" + user + "\t7\t7\nGid:\t0\t0\t0\t0\n");
    Path files = Files.createDirectories(node.seen(process + "/fd"));
    link(files.resolve("0"), "/dev/null");
    node.file(process + "/fdinfo/0", "pos:\t0\n");
    for (int at = 0; at < watches.length; at++) {
      int file = at + 3;
      link(files.resolve("" + file), "anon_inode:inotify");
      String lines = "inotify wd:1 ino:9e7e sdev:800013 mask:800afce ignored_mask:0\n";
      node.file(
          process + "/fdinfo/" + file,
          "pos:\t0\nflags:\t00\nmnt_id:\t15\n" + lines.repeat(watches[at]));
    }
  }

  private static void link(Path file, String target) throws IOException {
    Files.createSymbolicLink(file, Path.of(target));
  }

  private NodeCheckResult run() throws Exception {
    return new InotifyCheck(90, node.machine()).run();
  }

  @Test
  @DisplayName("B-9 inotify: instances and watches are counted for each user")
  void counted() throws Exception {
    process(1, 0, 1, 1, 1, 1, 1);
    process(2, 0, 1, 1, 1, 82);
    process(3, 1000, 90);
    assertThat(run()).isEqualTo(NodeCheckResult.OK);
    process(4, 0, 0);
    assertThat(run())
        .as("10 of 10 instances")
        .isEqualTo(new Problem("more than 90 % of the inotify instances of user 0 are used"));
    process(5, 1000, 1);
    assertThat(run())
        .isEqualTo(
            new Problem(
                "more than 90 % of the inotify instances of user 0 and watches of user 1000 are used"));
  }

  @Test
  @DisplayName(
      "B-9 inotify: beyond the count limit the state is Unknown, unless the usage is "
          + "already too high")
  void bounded() throws Exception {
    process(1, 0, 1, 1);
    assertThat(new InotifyCheck(90, node.machine(), 3).run()).isEqualTo(NodeCheckResult.OK);
    process(2, 0);
    assertThat(new InotifyCheck(90, node.machine(), 3).run())
        .isEqualTo(
            new Unknown(
                "too many open files to count: the limit is 3 files and 64 MiB of watches"));
    node.file("/proc/sys/fs/inotify/max_user_instances", "2\n");
    assertThat(new InotifyCheck(90, node.machine(), 4).run().getClass()).isEqualTo(Problem.class);
  }

  @Test
  @DisplayName("B-5 inotify: without access to all processes the check is unavailable")
  void unseen() throws Exception {
    process(1, 0, 1);
    Files.delete(node.seen("/proc/1/status"));
    assertUnavailable();
    Files.delete(node.seen("/proc/1/stat"));
    assertThat(run()).as("a process that has ended").isEqualTo(NodeCheckResult.OK);
    Files.delete(node.seen("/proc/sys/fs/inotify/max_user_watches"));
    assertThatThrownBy(this::run).isInstanceOf(IOException.class);
  }

  private void assertUnavailable() {
    assertThatThrownBy(this::run)
        .hasMessage(
            "cannot read the open files of all processes; requires root with CAP_SYS_PTRACE")
        .isInstanceOfSatisfying(
            UnavailableException.class,
            unavailable -> assertThat(unavailable.obstacle()).isEqualTo(Obstacle.NOT_PERMITTED));
  }

  @Test
  @DisplayName("B-17 inotify: if process 1 is not readable, no other process is read")
  void notPermitted() throws Exception {
    node.file("/proc/1/stat", "1 (init) S 0");
    process(2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    assertUnavailable();
  }

  @Test
  @DisplayName("B-9 inotify: a real kernel reports instances and watches")
  void real() throws Exception {
    Path info = Path.of("/proc/self/fdinfo");
    assertThat(Files.isDirectory(info)).isTrue();
    assertThat(new InotifyWatches().count(info.resolve("0"))).isZero();
  }
}
