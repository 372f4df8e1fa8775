package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Debian's prometheus-blackbox-exporter, asked for each probe as Prometheus would, over connections
 * that are kept. Who asks is this process, whose cost is not counted.
 */
final class BlackboxContender implements Contender {
  private static final int PORT = 18099;
  private static final int SCRAPERS = 64;

  @Override
  public String name() {
    return "blackbox_exporter";
  }

  @Override
  public Run start(Path directory, Load load) throws IOException {
    Path config = directory.resolve("blackbox.yml");
    Files.writeString(
        config,
        """
        modules:
          http:
            prober: http
            timeout: 1s
            http:
              preferred_ip_protocol: ip4
          tcp:
            prober: tcp
            timeout: 1s
        """);
    Daemon daemon =
        Daemon.start(
            directory,
            "blackbox",
            List.of(
                "prometheus-blackbox-exporter",
                "--config.file=" + config,
                "--log.level=error",
                "--web.listen-address=127.0.0.1:" + PORT));
    HttpClient client = HttpClient.newHttpClient();
    AtomicBoolean over = new AtomicBoolean();
    Waiting.until("blackbox_exporter answers", () -> ask(client, load, 0));
    long spacing = (long) (TimeUnit.SECONDS.toNanos(SCRAPERS) / load.rate());
    for (int i = 0; i < SCRAPERS; i++) {
      int scraper = i;
      Thread.ofVirtual()
          .start(() -> {
            long due = SystemClock.INSTANCE.nanoTime() + spacing * scraper / SCRAPERS;
            for (int worker = scraper; !over.get(); worker += SCRAPERS) {
              LockSupport.parkNanos(due - SystemClock.INSTANCE.nanoTime());
              ask(client, load, worker % load.workers());
              due = Math.max(due + spacing, SystemClock.INSTANCE.nanoTime() - spacing);
            }
          });
    }
    return new Run() {
      @Override
      public Daemon daemon() {
        return daemon;
      }

      @Override
      public List<String> finish() {
        over.set(true);
        return List.of();
      }

      @Override
      public void close() {
        over.set(true);
        daemon.close();
      }
    };
  }

  private static boolean ask(HttpClient client, Load load, int worker) {
    boolean http = load.kind() == Load.Kind.HTTP;
    String target =
        (http ? "http://" : "") + "127.0.0.1:" + load.port(worker) + (http ? "/healthz" : "");
    URI uri =
        URI.create(
            "http://127.0.0.1:%d/probe?module=%s&target=%s"
                .formatted(PORT, http ? "http" : "tcp", target));
    try {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).statusCode()
          == 200;
    } catch (IOException notUp) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
