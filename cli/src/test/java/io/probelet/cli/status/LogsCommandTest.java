package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code probelet logs} against a real endpoint and real files. */
@Timeout(60)
class LogsCommandTest {
  private static final String LOCAL = "process://0a1b/c/1-42";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final IoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private HttpEndpoint endpoint;

  @TempDir private Path folder;
  private Path log;

  @BeforeEach
  void write() throws IOException {
    log =
        Files.writeString(
            folder.resolve("shop_web_httpd.log"), "old 1\nold 2\nnew 1\nnew 2\nnew 3\n");
    Files.writeString(folder.resolve("shop_web_httpd.log.start"), "12");
  }

  @AfterEach
  void close() {
    if (endpoint != null) {
      endpoint.close();
    }
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static String container(String pod, String name, String role, String id, Path log) {
    return """
    {"namespace":"shop","pod":"%s","container":"%s","role":"%s","id":"%s","state":"Running",
    "ready":true,"started":true,"restartCount":1,"startedAt":null,"nextStart":null,
    "logPath":"%s","probes":[]}\
    """
        .formatted(pod, name, role, id, log);
  }

  private void serve(String... containers) throws IOException {
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    String list = "[" + String.join(",", containers) + "]";
    resources.put("/api/v1/containers", _ -> Answer.of(200, Resource.JSON, list));
    endpoint = new HttpEndpoint(new ListenAddress("127.0.0.1", 0), loops, resources, Set::of);
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of("--address", endpoint.address().toString()));
    if (!List.of(arguments).contains("--log-dir")) {
      all.addAll(List.of("--log-dir", folder.toString()));
    }
    all.addAll(List.of(arguments));
    return new CommandLine(new LogsCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all.toArray(String[]::new));
  }

  @Test
  void printsOutputSinceLastStart() throws IOException {
    serve(container("web", "httpd", "regular", LOCAL, log));
    assertThat(run("web")).as(err.toString()).isZero();
    assertThat(out.toString()).isEqualTo("new 1\nnew 2\nnew 3\n");
    assertThat(run("shop/web", "--tail", "2")).isZero();
    assertThat(out.toString()).isEqualTo("new 2\nnew 3\n");
    assertThat(run("web", "--tail", "0")).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(run("web", "--tail", "99")).isZero();
    assertThat(out.toString()).startsWith("new 1\n");
  }

  @Test
  void printsOutputOfEarlierInstances() throws IOException {
    serve(container("web", "httpd", "regular", LOCAL, log));
    assertThat(run("web", "httpd", "-p")).isZero();
    assertThat(out.toString()).isEqualTo("old 1\nold 2\n");
    assertThat(run("web", "-p", "--tail=1", "-n", "shop")).isZero();
    assertThat(out.toString()).isEqualTo("old 2\n");
  }

  @Test
  void choosesFirstRegularContainerAndSaysSo() throws IOException {
    serve(
        container("web", "setup", "init", LOCAL, file("setup")).replace("Running", "Completed"),
        container("web", "httpd", "regular", LOCAL, log),
        container("web", "proxy", "regular", LOCAL, file("proxy")));
    assertThat(run("web")).isZero();
    assertThat(err.toString()).contains("shows container httpd (Running) of setup, httpd, proxy");
    assertThat(run("web", "proxy")).isEqualTo(1);
    assertThat(err.toString()).contains("proxy.log: no such file or directory");
    assertThat(run("web", "gone")).isEqualTo(2);
    assertThat(err.toString()).contains("no container gone; it has setup, httpd, proxy");
    assertThat(run("nowhere")).isEqualTo(2);
    assertThat(err.toString())
        .contains("the agent has no pod or container nowhere; `probelet status` lists");
    assertThat(run("web", "-n", "elsewhere")).isEqualTo(2);
    assertThat(run("web", "-A")).isZero();
    assertThat(run("web", "-A", "-n", "shop")).isEqualTo(2);
  }

  @Test
  void choosesContainerThatFailsOrHasRun() throws IOException {
    Files.writeString(file("setup"), "cannot set up\n");
    Files.writeString(file("proxy"), "cannot proxy\n");
    String waiting =
        container("web", "httpd", "regular", "", log).replace("Running", "PodInitializing");
    String setup = container("web", "setup", "init", LOCAL, file("setup"));
    serve(setup.replace("Running", "CrashLoopBackOff"), waiting);
    assertThat(run("web")).isZero();
    assertThat(out.toString()).isEqualTo("cannot set up\n");
    assertThat(err.toString()).contains("shows container setup (CrashLoopBackOff) of setup, httpd");
    endpoint.close();
    serve(setup, waiting); // which is not at fault
    assertThat(run("web")).isZero();
    assertThat(out.toString()).isEqualTo("cannot set up\n");
    endpoint.close();
    serve(
        container("web", "httpd", "regular", LOCAL, log),
        container("web", "proxy", "regular", LOCAL, file("proxy")).replace("Running", "Error"));
    assertThat(run("web")).isZero();
    assertThat(out.toString()).isEqualTo("cannot proxy\n");
  }

  private Path file(String container) {
    return folder.resolve("shop_web_" + container + ".log");
  }

  @Test
  void namesCommandForContainerOfRuntime() throws IOException {
    serve(container("web", "httpd", "regular", "0123456789abcdef", log));
    assertThat(run("web", "-p")).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "run: kubectl logs -n shop web -c httpd --previous;"
                + " or on its node: crictl logs 0123456789abcdef");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  @DisplayName("Attack: a program on the agent's port names a file that only its reader can read")
  void readsOnlyTheLogFolder() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "root:$6$\n");
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.createSymbolicLink(other.resolve("shop_web_httpd.log"), secret);
    Path elsewhere = Files.writeString(other.resolve("log"), "root:$6$\n");
    Path around = folder.resolve("other/../secret");
    for (String each :
        List.of(
            secret.toString(),
            elsewhere.toString(),
            around.toString(),
            other.resolve("shop_web_httpd.log").toString(),
            "secret",
            "\\u0000")) {
      serve(container("web", "httpd", "regular", LOCAL, log).replace(log.toString(), each));
      assertThat(run("web")).as(each).isEqualTo(1);
      assertThat(err.toString()).contains("not in the log folder " + folder, "--log-dir");
      assertThat(out.toString()).isEmpty();
      endpoint.close();
    }
    serve(container("../../x", "httpd", "regular", LOCAL, log));
    assertThat(run("-c", "httpd", "--", "../../x")).isNotZero();
    endpoint.close();
    serve(container("web", "httpd", "regular", LOCAL, other.resolve("shop_web_httpd.log")));
    assertThat(run("web", "--log-dir", other.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("is not a regular file");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  @DisplayName("Attack: a log folder in which others can place links, or above it")
  void refusesFolderOfOthers() throws Exception {
    serve(container("web", "httpd", "regular", LOCAL, log));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(run("web")).isEqualTo(1);
    assertThat(err.toString()).contains("other users can write to " + folder);
    endpoint.close();
    Path below = Files.createDirectory(folder.resolve("logs"));
    Path inside = Files.copy(log, below.resolve("shop_web_httpd.log"));
    serve(container("web", "httpd", "regular", LOCAL, inside));
    assertThat(run("web", "--log-dir", below.toString())).isEqualTo(1);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
    assertThat(run("web", "--log-dir", below.toString())).isZero();
    assumeTrue(Files.getAttribute(folder, "unix:uid").equals(0), "only root can give files away");
    Files.setAttribute(folder, "unix:uid", 4242);
    assertThat(run("web", "--log-dir", below.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("belongs to another user, with uid 4242");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  @DisplayName("Attack: pipes in place of a log and the files beside it; names for a shell")
  void refusesPipesAndLinks() throws Exception {
    serve(container("web", "httpd", "regular", LOCAL, log));
    for (String each : List.of(".start", ".1", "")) {
      Path pipe = folder.resolve("shop_web_httpd.log" + each);
      Files.deleteIfExists(pipe);
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
      assertThat(run("web")).isEqualTo(each.equals(".start") ? 0 : 1);
    }
    assertThat(err.toString()).contains("httpd.log is not a regular file");
    endpoint.close();
    serve(container("web", "$(reboot)", "regular", "0123456789abcdef", log));
    assertThat(run("web")).isEqualTo(1);
    assertThat(err.toString()).doesNotContain("reboot");
  }

  @Test
  void readsRotatedFilesAsOneLog() throws IOException {
    Path rotated = folder.resolve("shop_web_httpd.log.1");
    Path older = folder.resolve("shop_web_httpd.log.2");
    Files.writeString(older, "1 old\n2 old\n");
    Files.writeString(rotated, "3 old\n4 new\n5 n");
    Files.writeString(log, "ew\n6 new\n");
    mark(-9);
    serve(container("web", "httpd", "regular", LOCAL, log));
    assertThat(run("web")).isZero();
    assertThat(out.toString()).isEqualTo("4 new\n5 new\n6 new\n");
    assertThat(err.toString()).isEmpty();
    assertThat(run("web", "-p")).isZero();
    assertThat(out.toString()).isEqualTo("1 old\n2 old\n3 old\n");
    assertThat(run("web", "-p", "--tail=2")).isZero();
    assertThat(out.toString()).isEqualTo("2 old\n3 old\n");
    assertThat(run("web", "--tail=2")).isZero();
    assertThat(out.toString()).isEqualTo("5 new\n6 new\n");
    mark(-27);
    assertThat(run("web", "-p")).isZero();
    assertThat(err.toString()).contains("there is no output before the container's last start");
    Files.delete(folder.resolve("shop_web_httpd.log.start"));
    assertThat(run("web")).isZero();
    assertThat(out.toString()).startsWith("1 old\n").endsWith("6 new\n");
    assertThat(err.toString()).contains("last start is unknown");
  }

  @Test
  void saysWhatWasRotatedAway() throws IOException {
    serve(container("web", "httpd", "regular", LOCAL, log));
    for (int i = 1; i < 5; i++) {
      Files.writeString(folder.resolve("shop_web_httpd.log." + i), "ne " + i + "\nli");
    }
    Files.writeString(log, "ne 0\n");
    mark(-1_000);
    assertThat(run("web")).isZero();
    assertThat(out.toString()).isEqualTo("ne 4\nline 3\nline 2\nline 1\nline 0\n");
    assertThat(err.toString()).contains("older output was rotated away; the first line may be in");
    assertThat(run("web", "-p")).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("before the container's last start was rotated away");
    mark(0);
    assertThat(run("web", "-p")).isZero();
    assertThat(err.toString()).contains("older output was rotated away");
    assertThat(run("web", "-p", "--tail=1")).isZero();
    assertThat(err.toString()).isEmpty();
  }

  private void mark(long start) throws IOException {
    Files.writeString(folder.resolve("shop_web_httpd.log.start"), Long.toString(start));
  }

  @Test
  @DisplayName("Attack: 10 GB without a line end, of which the last lines are wanted")
  void looksBackOnlySoFar() throws Exception {
    try (RandomAccessFile sparse = new RandomAccessFile(log.toFile(), "rw")) {
      sparse.setLength(10_000_000_000L);
      sparse.seek(10_000_000_000L - 4);
      sparse.write("end\n".getBytes(StandardCharsets.UTF_8));
    }
    serve(container("web", "httpd", "regular", LOCAL, log));
    assertThat(run("web", "--tail=5")).isZero();
    assertThat(err.toString()).contains("the last 64 MiB have fewer lines");
    assertThat(out.toString()).hasSize((int) LogPrinter.LOOK_BACK).endsWith("end\n");
  }

  private LogPrinter printer(RotatedLog file, StringWriter text, boolean escaped) {
    return new LogPrinter(file, new PrintWriter(text), escaped, notice -> err.append(notice));
  }

  @Test
  @DisplayName("Attack: a log of many MiB in one line, with control characters and split letters")
  void printsPieceByPieceAndEscapes() throws Exception {
    Path large = folder.resolve("large.log");
    String line = "ä€\ud83d\ude00".repeat(40_000);
    Files.writeString(large, line + "\nend\u001b[2J\n");
    StringWriter text = new StringWriter();
    try (RotatedLog file = new RotatedLog(large)) {
      LogPrinter printer = printer(file, text, true);
      printer.seekNewest(2);
      printer.printNew();
    }
    assertThat(text.toString()).isEqualTo(line + "\nend\\u001b[2J\n");
    text.getBuffer().setLength(0);
    try (RotatedLog file = new RotatedLog(large)) {
      LogPrinter printer = printer(file, text, false);
      printer.seekNewest(1);
      printer.printNew();
    }
    assertThat(text.toString()).isEqualTo("end\u001b[2J\n");
  }

  @Test
  void followEndsWhenPodIsRemoved() throws IOException {
    String list = "[" + container("web", "httpd", "regular", LOCAL, log) + "]";
    AtomicInteger asked = new AtomicInteger();
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    resources.put(
        "/api/v1/containers",
        _ -> Answer.of(200, Resource.JSON, asked.getAndIncrement() == 0 ? list : "[]"));
    endpoint = new HttpEndpoint(new ListenAddress("127.0.0.1", 0), loops, resources, Set::of);
    assertThat(run("web", "-f")).isZero();
    assertThat(out.toString()).isEqualTo("new 1\nnew 2\nnew 3\n");
    assertThat(err.toString()).contains("the pod was removed; its log ends here");
  }

  @Test
  void followEndsWhenAgentDoesNotAnswer() throws IOException {
    String list = "[" + container("web", "httpd", "regular", LOCAL, log) + "]";
    AtomicInteger asked = new AtomicInteger();
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    resources.put(
        "/api/v1/containers",
        _ -> Answer.of(asked.getAndIncrement() == 0 ? 200 : 503, Resource.JSON, list));
    endpoint = new HttpEndpoint(new ListenAddress("127.0.0.1", 0), loops, resources, Set::of);
    assertThat(run("web", "-f")).isEqualTo(1);
    assertThat(asked).hasValue(4);
    assertThat(err.toString()).contains("HTTP status 503");
  }

  @Test
  void followsAcrossRotation() throws Exception {
    StringWriter text = new StringWriter();
    Path rotated = folder.resolve("shop_web_httpd.log.1");
    try (RotatedLog file = new RotatedLog(log)) {
      LogPrinter printer = printer(file, text, true);
      printer.seekNewest(-1);
      printer.printNew();
      Files.writeString(log, "new 4\n", StandardOpenOption.APPEND);
      printer.printNew();
      // As the log is rotated: its beginning is copied to .1 and cut off in place.
      Files.writeString(rotated, "old 1\nold 2\nnew 1\n");
      Files.writeString(log, "new 2\nnew 3\nnew 4\nnew 5\n");
      printer.printNew();
      // More than was printed is rotated, and the rest is longer than what was printed.
      Files.move(rotated, folder.resolve("shop_web_httpd.log.2"));
      Files.writeString(rotated, "new 2\nnew 3\nnew 4\nnew 5\nnew 6\nnew 7\n");
      Files.writeString(log, "new 8\n".repeat(20));
      printer.printNew();
      assertThat(err.toString()).isEmpty();
      // While it was suspended, all files were rotated away.
      for (int i = 1; i < 5; i++) {
        Files.deleteIfExists(folder.resolve("shop_web_httpd.log." + i));
        Files.writeString(folder.resolve("shop_web_httpd.log." + i), "very new\n");
      }
      Files.writeString(log, "newest\n");
      printer.printNew();
    }
    assertThat(text.toString())
        .isEqualTo(
            "new 1\nnew 2\nnew 3\nnew 4\nnew 5\nnew 6\nnew 7\n"
                + "new 8\n".repeat(20)
                + "very new\n".repeat(4)
                + "newest\n");
    assertThat(err.toString()).contains("some output was rotated away before it was printed");
  }
}
