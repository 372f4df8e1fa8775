package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static io.probelet.runtime.process.LocalPodBuilders.sh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.probelet.probe.PodRef;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.ExecResult.Exited;
import io.probelet.probe.runtime.ExecResult.TimedOut;
import io.probelet.process.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(240)
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class ContainerExecTest {
  /** A local process has no share of anything. */
  private static final PodRef POD = new PodRef("default", "web", "uid");

  private static final Duration LONG = Duration.ofMinutes(1);

  /** How long the processes that must be killed would hold a command up. */
  private static final Duration HELD_UP = Duration.ofMinutes(5);

  @TempDir private Path dir;
  private RuntimeFixture run;
  private String id;

  @BeforeEach
  void start() throws Exception {
    run = new RuntimeFixture(dir);
    run.run(
        pod()
            .policy(RestartPolicy.NEVER)
            .grace(Duration.ofSeconds(1))
            .with(
                sh("web", "exec sleep 600")
                    .in(dir)
                    .env("COLOUR", "blue")
                    .env("my.dotted", "green")));
    id = run.seen.running("web").id();
  }

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  @DisplayName("H-9 exit code and output come back, both streams in order")
  void exits() throws Exception {
    assertThat(exec("echo one; echo two >&2; echo three; exit 3"))
        .isEqualTo(new Exited(3, "one\ntwo\nthree\n"));
    assertThat(exec("exit 0")).isEqualTo(new Exited(0, ""));
    assertThat(exec("kill -9 $$")).isEqualTo(new Exited(137, ""));
  }

  @Test
  @DisplayName("H-9 a command sees the container's environment and directory, and nothing to read")
  void environment() throws Exception {
    assertThat(exec("pwd; echo $COLOUR [$SECRET]; cat"))
        .isEqualTo(new Exited(0, dir + "\nblue []\n"));
    assertThat(run.runtime.exec(POD, id, List.of("printenv", "my.dotted"), LONG, 100))
        .isEqualTo(new Exited(0, "green\n"));
  }

  @Test
  @DisplayName("H-9 words are passed as they are: no shell, no quoting")
  void words() throws Exception {
    List<String> words = List.of("printf", "%s|", "a b", "\"q\"", "$COLOUR", "*", "");
    assertThat(run.runtime.exec(POD, id, words, LONG, 100))
        .isEqualTo(new Exited(0, "a b|\"q\"|$COLOUR|*||"));
  }

  @Test
  @DisplayName("C-27 of 11 KiB output 10 KiB are kept, and the command is not held up")
  void longOutput() throws Exception {
    Exited kept = (Exited) exec("head -c 11264 /dev/zero | tr '\\0' x");
    assertThat(kept).isEqualTo(new Exited(0, "x".repeat(10240)));
    Exited endless = (Exited) exec("head -c 50000000 /dev/zero | tr '\\0' x; exit 4");
    assertThat(endless).isEqualTo(new Exited(4, "x".repeat(10240)));
  }

  @Test
  @DisplayName("H-9 malformed UTF-8 in the output is replaced")
  void malformedOutput() throws Exception {
    assertThat(exec("printf 'a\\377b'")).isEqualTo(new Exited(0, "a\uFFFDb"));
  }

  @Test
  @DisplayName(
      "H-9 a command that does not exist or is not executable is an error, as in a runtime")
  void noSuchCommand() throws Exception {
    Path data = Files.writeString(dir.resolve("data"), "exit 0\n");
    for (String program : List.of("no-such-program", "/no/such", "/usr", data.toString())) {
      assertThatThrownBy(() -> run.runtime.exec(POD, id, List.of(program), LONG, 1000))
          .isInstanceOf(ContainerRuntimeException.class)
          .hasMessageContaining(program);
    }
  }

  @Test
  @DisplayName("H-9 what the kernel refuses to execute exits with a message, as in a runtime")
  void unexecutable() throws Exception {
    Path plain = Files.writeString(dir.resolve("plain"), "exit 0\n");
    assertThat(plain.toFile().setExecutable(true)).isTrue();
    assertThat(run.runtime.exec(POD, id, List.of("./plain"), LONG, 1000))
        .isEqualTo(new Exited(255, "exec ./plain: exec format error\n"));
    Files.writeString(plain, "#!/bin/sh\nexit 3\n");
    assertThat(run.runtime.exec(POD, id, List.of("./plain"), LONG, 1000))
        .isEqualTo(new Exited(3, ""));
    Files.writeString(plain, "#!/no/such/interpreter\n");
    assertThat(run.runtime.exec(POD, id, List.of("./plain"), LONG, 1000))
        .isEqualTo(
            new Exited(127, "exec ./plain: its interpreter /no/such/interpreter does not exist\n"));
  }

  @Test
  @DisplayName("H-9 at the timeout the command is killed with all its children")
  void timesOut() throws Exception {
    String script = "trap '' TERM; sleep 300 & echo $$ > group; sleep 300; echo";
    do { // the timeout may strike before the shell has got to its first command
      long begin = System.nanoTime();
      assertThat(
              run.runtime.exec(
                  POD, id, List.of("/bin/sh", "-c", script), Duration.ofMillis(500), 100))
          .isEqualTo(new TimedOut());
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isBetween(Duration.ofMillis(500), HELD_UP.dividedBy(2));
    } while (!Files.exists(dir.resolve("group")));
    awaitEndOf("group");
    assertThat(Processes.runs(Processes.pid(id))).isTrue();
  }

  @Test
  @DisplayName("D-24 what a command has written until its timeout is kept")
  void outputUntilTimeout() throws Exception {
    // The timeout may strike before the shell has got to its first command.
    await()
        .untilAsserted(() ->
            assertThat(
                    run.runtime.exec(
                        POD,
                        id,
                        List.of("/bin/sh", "-c", "echo thread 1; exec sleep 300"),
                        Duration.ofMillis(500),
                        100))
                .isEqualTo(new TimedOut("thread 1\n")));
  }

  @Test
  @DisplayName("H-9 children a command leaves behind are killed and do not hold it up")
  void leavesChildren() throws Exception {
    assertThat(exec("sleep 300 & echo $$ > group; echo done")).isEqualTo(new Exited(0, "done\n"));
    awaitEndOf("group");
  }

  @Test
  @DisplayName("H-9 a daemon that keeps the pipe does not hold the command up")
  void leavesADaemon() throws Exception {
    String script = "setsid sh -c 'echo $$ > daemon; exec sleep 300' &";
    assertThat(exec(script + " while ! [ -s daemon ]; do sleep 0.1; done; echo done"))
        .isEqualTo(new Exited(0, "done\n"));
    long daemon = Long.parseLong(run.awaitFile("daemon").strip());
    assertThat(ProcessHandle.of(daemon).orElseThrow().destroyForcibly()).isTrue();
  }

  @Test
  @DisplayName("H-9 in a container that does not run nothing can be run")
  void ended() throws Exception {
    run.runtime.stop(id, Duration.ZERO);
    for (String none : List.of(id, "process://nobody")) {
      assertThatThrownBy(() -> run.runtime.exec(POD, none, List.of("true"), LONG, 100))
          .isInstanceOf(ContainerRuntimeException.class)
          .hasMessage("container " + none + " does not run");
    }
  }

  @Test
  @DisplayName("H-9 a command ends with its container, and says nothing about it")
  void containerEnds() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            failure.completeExceptionally(
                new AssertionError(exec("echo $$ > group; sleep 300").toString()));
          } catch (Exception expected) {
            failure.complete(expected);
          }
        });
    long group = Long.parseLong(run.awaitFile("group").strip());
    run.runtime.stop(id, Duration.ZERO);
    assertThat(failure.get(1, TimeUnit.MINUTES))
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessageContaining("ended while");
    await().until(() -> Processes.group(group).isEmpty());
  }

  @Test
  @DisplayName("who gives up waiting has the command killed")
  void interrupted() throws Exception {
    AtomicReference<Object> outcome = new AtomicReference<>();
    Thread caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                outcome.set(exec("echo $$ > group; sleep 300"));
              } catch (Exception failure) {
                outcome.set(failure);
              }
            });
    long group = Long.parseLong(run.awaitFile("group").strip());
    caller.interrupt();
    await().until(() -> outcome.get() instanceof InterruptedException);
    // Who gives up does not wait for the command to die of it, either.
    await().until(() -> Processes.group(group).isEmpty());
  }

  /** Killed processes end as soon as the machine lets them. */
  private void awaitEndOf(String file) {
    long group = Long.parseLong(run.awaitFile(file).strip());
    await().until(() -> Processes.group(group).isEmpty());
  }

  private ExecResult exec(String script) throws Exception {
    return run.runtime.exec(POD, id, List.of("/bin/sh", "-c", script), LONG, Verdict.OUTPUT_LIMIT);
  }
}
