package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
    log = Files.writeString(folder.resolve("web.log"), "old 1\nold 2\nnew 1\nnew 2\nnew 3\n");
    Files.writeString(folder.resolve("web.log.start"), "12");
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
    String[] all = new String[arguments.length + 2];
    all[0] = "--address";
    all[1] = endpoint.address().toString();
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return new CommandLine(new LogsCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all);
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
        container("web", "setup", "init", LOCAL, folder.resolve("none")),
        container("web", "httpd", "regular", LOCAL, log),
        container("web", "proxy", "regular", LOCAL, folder.resolve("none")));
    assertThat(run("web")).isZero();
    assertThat(err.toString()).contains("shows container httpd of setup, httpd, proxy");
    assertThat(run("web", "proxy")).isEqualTo(1);
    assertThat(err.toString()).contains("none: no such file or directory");
    assertThat(run("web", "gone")).isEqualTo(2);
    assertThat(err.toString()).contains("no container gone; it has setup, httpd, proxy");
    assertThat(run("nowhere")).isEqualTo(2);
    assertThat(err.toString()).contains("the agent has no pod nowhere; `probelet status` lists");
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
  @DisplayName("Attack: an answer that names a pipe or a link, or names that a shell would execute")
  void refusesPipesAndLinks() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path link = Files.createSymbolicLink(folder.resolve("link"), log);
    for (Path each : new Path[] {pipe, link, folder}) {
      serve(container("web", "httpd", "regular", LOCAL, each));
      assertThat(run("web")).isEqualTo(1);
      endpoint.close();
    }
    assertThat(err.toString()).contains("pipe is not a regular file");
    serve(container("web", "$(reboot)", "regular", "0123456789abcdef", log));
    assertThat(run("web")).isEqualTo(1);
    assertThat(err.toString()).doesNotContain("reboot");
  }

  @Test
  @DisplayName("Attack: a log of many MiB in one line, with control characters and split letters")
  void printsPieceByPieceAndEscapes() throws IOException {
    Path large = folder.resolve("large.log");
    String line = "ä€\ud83d\ude00".repeat(40_000);
    Files.writeString(large, line + "\nend\u001b[2J\n");
    StringWriter text = new StringWriter();
    try (LogFile file = new LogFile(large, new PrintWriter(text), true)) {
      file.seek(0, Long.MAX_VALUE, 2);
      file.print(Long.MAX_VALUE);
    }
    assertThat(text.toString()).isEqualTo(line + "\nend\\u001b[2J\n");
    text.getBuffer().setLength(0);
    try (LogFile file = new LogFile(large, new PrintWriter(text), false)) {
      file.seek(0, Long.MAX_VALUE, 1);
      file.print(Long.MAX_VALUE);
    }
    assertThat(text.toString()).isEqualTo("end\u001b[2J\n");
  }

  @Test
  void followsAcrossRotation() throws IOException {
    StringWriter text = new StringWriter();
    try (LogFile file = new LogFile(log, new PrintWriter(text), true)) {
      file.seek(12, Long.MAX_VALUE, -1);
      file.print(Long.MAX_VALUE);
      file.printNew();
      Files.writeString(log, "new 4\n", StandardOpenOption.APPEND);
      file.printNew();
      // As the log is rotated: its beginning is copied to .1 and cut off in place.
      Files.writeString(folder.resolve("web.log.1"), "old 1\nold 2\nnew 1\n");
      Files.write(log, "new 2\nnew 3\nnew 4\nnew 5\n".getBytes(StandardCharsets.UTF_8));
      file.printNew();
    }
    assertThat(text.toString()).isEqualTo("new 1\nnew 2\nnew 3\nnew 4\nnew 5\n");
  }
}
