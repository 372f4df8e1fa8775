package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What it costs an agent on a full node, 500 containers with 750 probes, that somebody watches its
 * page: windows without and with a viewer take turns. And how long the page takes.
 */
final class ViewerCost {
  private static final int ROUNDS = 3;
  private static final int PAGES = 30;
  private static final int READ_TIMEOUT_MILLIS = 20_000;

  private final List<String> program;
  private final PrintStream out;

  /** Measures a program, which gets the arguments of {@code probelet agent}. */
  ViewerCost(List<String> program, PrintStream out) {
    this.program = List.copyOf(program);
    this.out = out;
  }

  void run(int warmUp, int seconds) throws IOException {
    Path directory = Files.createTempDirectory("probelet-bench");
    try (PretendedApi api = new PretendedApi((_, _, _) -> {});
        HaproxyTarget target = HaproxyTarget.start(directory, ClusterNode.ports())) {
      ClusterNode.pods(api);
      try (AgentProcess agent = AgentProcess.start(directory, program, api, List.of(), List.of())) {
        Waiting.until("every first probe", () -> target.sessions() >= (long) ClusterNode.PODS * 3);
        pages(agent);
        watched(agent, warmUp);
        measure(agent, seconds);
        pages(agent);
      }
    }
  }

  private void measure(AgentProcess agent, int seconds) throws IOException {
    double[] with = new double[ROUNDS];
    double[] without = new double[ROUNDS];
    long bytes = 0;
    for (int i = 0; i < ROUNDS; i++) {
      without[i] = share(agent, seconds, null);
      try (Viewer viewer = new Viewer(agent.port())) {
        Waiting.forSeconds(2); // the whole page comes first
        long before = viewer.bytes.get();
        with[i] = share(agent, seconds, viewer);
        bytes += viewer.bytes.get() - before;
      }
    }
    double[] viewer = new double[ROUNDS];
    Arrays.setAll(viewer, i -> with[i] - without[i]);
    out.printf(
        "500 containers, 750 probes, %d windows of %d s each: %s %% of a core without a viewer, %s %%"
            + " with one, so a viewer costs %s %%; %.1f KiB/s sent%n",
        ROUNDS,
        seconds,
        words(without),
        words(with),
        words(viewer),
        bytes / 1024.0 / (ROUNDS * (double) seconds));
  }

  private static double share(AgentProcess agent, int seconds, @Nullable Viewer viewer) {
    long from = SystemClock.INSTANCE.nanoTime();
    long cpu = agent.daemon().cpuMicros();
    Waiting.forSeconds(seconds);
    if (viewer != null && !viewer.isThere()) {
      throw new IllegalStateException("the viewer was sent away");
    }
    return (agent.daemon().cpuMicros() - cpu)
        / 1e4
        / ((SystemClock.INSTANCE.nanoTime() - from) / 1e9);
  }

  private void watched(AgentProcess agent, int seconds) throws IOException {
    try (Viewer _ = new Viewer(agent.port())) {
      Waiting.forSeconds(seconds);
    }
  }

  private void pages(AgentProcess agent) throws IOException {
    double[] first = new double[PAGES];
    double[] whole = new double[PAGES];
    int size = 0;
    for (int i = 0; i < PAGES; i++) {
      long from = SystemClock.INSTANCE.nanoTime();
      URI page = URI.create("http://127.0.0.1:" + agent.port() + "/");
      try (InputStream in = page.toURL().openStream()) {
        int _ = in.read();
        first[i] = (SystemClock.INSTANCE.nanoTime() - from) / 1e6;
        size = in.readAllBytes().length;
        whole[i] = (SystemClock.INSTANCE.nanoTime() - from) / 1e6;
      }
    }
    Arrays.sort(first);
    Arrays.sort(whole);
    out.printf(
        "the page, %d times: first byte after p50 %.0f ms, max %.0f ms; whole (%d KiB) after p50 %.0f"
            + " ms, max %.0f ms%n",
        PAGES, first[PAGES / 2], first[PAGES - 1], size / 1024, whole[PAGES / 2], whole[PAGES - 1]);
  }

  private static String words(double[] shares) {
    Spread range = Spread.range(Arrays.stream(shares).boxed().toList());
    return "%.2f (%.2f to %.2f)".formatted(range.median(), range.low(), range.high());
  }

  /** Somebody who has the page open. */
  private static final class Viewer implements AutoCloseable {
    private final Socket socket = new Socket();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean ended;

    Viewer(int port) throws IOException {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), READ_TIMEOUT_MILLIS);
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket
          .getOutputStream()
          .write(
              "GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Thread.ofPlatform().daemon().start(this::read);
    }

    private void read() {
      byte[] buffer = new byte[64 * 1024];
      try (InputStream in = socket.getInputStream()) {
        for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
          bytes.addAndGet(read);
        }
      } catch (IOException closed) {
        return; // with the measurement
      } finally {
        ended = true;
      }
    }

    boolean isThere() {
      return !ended && bytes.get() > 0;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
