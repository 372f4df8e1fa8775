package io.probelet.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(240)
class ProcessGroupTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  @TempDir private Path dir;
  private final CappedOutput out = new CappedOutput(1000);
  private final CappedOutput err = new CappedOutput(10);
  private ProcessGroups groups;

  @BeforeEach
  void load() throws Exception {
    groups = ProcessGroups.load();
  }

  private GroupCommand sh(String script) {
    return new GroupCommand(
        List.of("setsid", "/bin/sh", "-c", script),
        Map.of("PATH", System.getenv("PATH"), "COLOUR", "blue"),
        dir);
  }

  private ProcessGroup start(String script) throws IOException {
    return groups.start(sh(script), ProcessOutput.to(out, err));
  }

  private String awaitFile(String name) {
    Path file = dir.resolve(name);
    return await()
        .until(() -> Files.exists(file) ? Files.readString(file) : "", text -> text.endsWith("\n"))
        .strip();
  }

  @ParameterizedTest
  @CsvSource({"exit 0, 0", "exit 3, 3", "kill -9 $$, 137", "no-such-program, 127"})
  @DisplayName("the exit code comes back, 128 + n for signal n")
  void exitCodes(String script, int exitCode) throws Exception {
    assertThat(start(script).waitFor()).isEqualTo(exitCode);
    assertThat(start(script).endWithin(LONG)).hasValue(exitCode);
  }

  @Test
  @DisplayName("it has its directory, exactly its variables, unchanged arguments and no input")
  void command() throws Exception {
    GroupCommand command =
        new GroupCommand(
            List.of(
                "setsid",
                "/bin/sh",
                "-c",
                "pwd; cat; printf '%s|' \"$COLOUR\" \"$@\"",
                "sh",
                "a b",
                "\"q\"",
                "*",
                ""),
            Map.of("COLOUR", "blue"),
            dir);
    assertThat(groups.start(command, ProcessOutput.to(out, err)).waitFor()).isZero();
    assertThat(out.text()).isEqualTo(dir + "\nblue|a b|\"q\"|*||");
    CappedOutput variables = new CappedOutput(1000);
    GroupCommand env = GroupCommand.leading(List.of("/usr/bin/env"), Map.of("A", "1"));
    groups.start(env, ProcessOutput.to(variables, null)).waitFor();
    assertThat(variables.text()).isEqualTo("A=1\n");
  }

  @Test
  @DisplayName("the first bytes of each stream are kept, and a flood does not block the process")
  void cappedOutput() throws Exception {
    start("head -c 5000000 /dev/zero | tr '\\0' x; head -c 5000000 /dev/zero >&2").waitFor();
    assertThat(out.text()).isEqualTo("x".repeat(1000));
    assertThat(err.text()).hasSize(10);
  }

  @Test
  @DisplayName("on timeout the whole group is killed")
  void timesOut() throws Exception {
    ProcessGroup group = start("trap '' TERM; sleep 300 & echo > ready; sleep 300; echo");
    awaitFile("ready");
    assertThat(group.endWithin(Duration.ofMillis(1))).isEqualTo(OptionalInt.empty());
    await().until(() -> Processes.group(group.pid()).isEmpty());
  }

  @Test
  @DisplayName("when the leader ends, the rest of the group is killed")
  void leavesChildren() throws Exception {
    ProcessGroup group = start("sleep 300 & echo done");
    assertThat(group.waitFor()).isZero();
    assertThat(group.isAlive()).isFalse();
    assertThat(Processes.group(group.pid())).isEmpty();
    assertThat(out.text()).isEqualTo("done\n");
  }

  @Test
  @DisplayName("a descendant that left the group and keeps the output open does not block")
  void leavesADaemon() throws Exception {
    ProcessGroup group =
        start(
            "setsid sh -c 'echo $$ > daemon; exec sleep 300' & "
                + "while ! [ -s daemon ]; do sleep 0.1; done; echo done");
    assertThat(group.waitFor()).isZero();
    assertThat(out.text()).isEqualTo("done\n");
    long daemon = Long.parseLong(awaitFile("daemon"));
    assertThat(ProcessHandle.of(daemon).orElseThrow().destroyForcibly()).isTrue();
  }

  @Test
  @DisplayName("TERM and KILL go to the whole group, and have no effect after its end")
  void signals() throws Exception {
    ProcessGroup polite = start("trap 'exit 5' TERM; echo > polite; sleep 300 & wait");
    awaitFile("polite");
    polite.terminate();
    assertThat(polite.waitFor()).isEqualTo(5);
    ProcessGroup rude = start("trap '' TERM; echo > rude; sleep 300");
    awaitFile("rude");
    rude.terminate();
    assertThat(rude.isAlive()).isTrue();
    rude.kill();
    assertThat(rude.waitFor()).isEqualTo(137);
    rude.kill();
    rude.terminate();
    AtomicReference<Integer> told = new AtomicReference<>();
    rude.whenEnded(told::set);
    assertThat(told).hasValue(137);
  }

  @Test
  @DisplayName("an interrupted wait kills the group")
  void interrupted() throws Exception {
    ProcessGroup group = start("echo > ready; sleep 300");
    awaitFile("ready");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> group.endWithin(LONG)).isInstanceOf(InterruptedException.class);
    assertThat(group.waitFor()).isEqualTo(137);
  }

  @Test
  @DisplayName("a program that cannot start is reported")
  void notStarted() {
    assertThatThrownBy(() ->
            groups.start(new GroupCommand(List.of("/none"), Map.of(), dir), ProcessOutput.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/none");
    assertThatThrownBy(() ->
            groups.start(
                new GroupCommand(List.of("true"), Map.of(), dir.resolve("none")),
                ProcessOutput.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none");
    assertThatThrownBy(() -> GroupCommand.leading(List.of("/usr"), Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("/usr does not exist or is not executable");
    assertThatThrownBy(() -> GroupCommand.leading(List.of("no-such"), Map.of("PATH", "/bin")))
        .isInstanceOf(IOException.class)
        .hasMessage("no-such is not in PATH /bin");
    assertThatThrownBy(() -> new GroupCommand(List.of(), Map.of(), dir))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("a program runs only after its group was admitted")
  void admission() throws Exception {
    AtomicLong entered = new AtomicLong();
    AtomicLong left = new AtomicLong();
    Admission admission =
        new Admission() {
          @Override
          public void enter(long group) throws IOException {
            entered.set(group);
            assertThat(dir.resolve("ran")).doesNotExist();
          }

          @Override
          public void left(long group) {
            left.set(group);
          }
        };
    String gated = "read -r _ && echo > ran";
    ProcessGroup group = groups.start(sh(gated), ProcessOutput.NONE, admission);
    assertThat(group.waitFor()).isZero();
    assertThat(dir.resolve("ran")).exists();
    assertThat(entered).hasValue(group.pid());
    assertThat(left).hasValue(group.pid());

    AtomicLong refused = new AtomicLong();
    Files.delete(dir.resolve("ran"));
    assertThatThrownBy(() ->
            groups.start(
                sh(gated),
                ProcessOutput.NONE,
                new Admission() {
                  @Override
                  public void enter(long id) throws IOException {
                    throw new IOException("no room");
                  }

                  @Override
                  public void left(long id) {
                    refused.set(id);
                  }
                }))
        .isInstanceOf(IOException.class)
        .hasMessage("no room");
    await().until(() -> refused.get() != 0 && Processes.group(refused.get()).isEmpty());
    assertThat(dir.resolve("ran")).doesNotExist();
  }

  @Test
  @DisplayName("output can be read by the thread that started the process")
  void readByCaller() throws Exception {
    List<String> lines = new ArrayList<>(); // not safe for two threads, on purpose
    List<Thread> readers = new ArrayList<>();
    LineOutput each =
        new LineOutput(
            100,
            line -> {
              lines.add(line);
              readers.add(Thread.currentThread());
            });
    ProcessGroup group = groups.start(sh("echo one; echo two"), new ProcessOutput(each, err, true));
    group.readOutput();
    assertThat(group.waitFor()).isZero();
    assertThat(lines).containsExactly("one", "two");
    assertThat(readers).containsOnly(Thread.currentThread());
  }

  @Test
  @DisplayName("if the receiver of the output fails, the pipe is closed")
  void takerFails() throws Exception {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int single) throws IOException {
            throw new IOException("full");
          }
        };
    ProcessGroup group =
        groups.start(sh("while echo y; do :; done 2>/dev/null"), ProcessOutput.to(broken, err));
    assertThat(group.endWithin(LONG)).isPresent();
  }
}
