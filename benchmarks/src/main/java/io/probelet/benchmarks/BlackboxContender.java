package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Debian's prometheus-blackbox-exporter, queried for each probe like by Prometheus, over persistent
 * connections. This process sends the queries, and its cost is not counted.
 */
final class BlackboxContender implements Contender {
  private static final int PORT = 18099;
  private static final int SCRAPERS = 64;
  private static final int WARM_UP_SECONDS = 3;

  @Override
  public String name() {
    return "blackbox_exporter";
  }

  @Override
  public int warmUp(int seconds) {
    return Math.min(seconds, WARM_UP_SECONDS);
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
          https:
            prober: http
            timeout: 1s
            http:
              preferred_ip_protocol: ip4
              tls_config: {%s}
          tcp:
            prober: tcp
            timeout: 1s
          grpc:
            prober: grpc
            timeout: 1s
            grpc:
              preferred_ip_protocol: ip4
              tls: false
        """
            .formatted(
                load.tls().verified()
                    ? "ca_file: " + TlsLoad.authority(directory)
                    : "insecure_skip_verify: true"));
    Daemon daemon =
        Daemon.start(
            directory,
            "blackbox",
            List.of(
                "prometheus-blackbox-exporter",
                "--config.file=" + config,
                "--log.level=error",
                "--web.listen-address=127.0.0.1:" + PORT));
    Asking run = new Asking(daemon, load);
    Waiting.until("blackbox_exporter finds its target healthy", () -> run.succeeds(0));
    run.goOn();
    return run;
  }

  private static final class Asking implements Run {
    private final Daemon daemon;
    private final Load load;
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Thread> scrapers = new ArrayList<>();
    private volatile boolean paused;

    Asking(Daemon daemon, Load load) {
      this.daemon = daemon;
      this.load = load;
    }

    @Override
    public Daemon daemon() {
      return daemon;
    }

    @Override
    public void goOn() {
      paused = false;
      long spacing = (long) (TimeUnit.SECONDS.toNanos(SCRAPERS) / load.rate());
      for (int i = 0; i < SCRAPERS; i++) {
        int scraper = i;
        scrapers.add(Thread.ofVirtual().start(() -> scrape(scraper, spacing)));
      }
    }

    private void scrape(int scraper, long spacing) {
      long due = SystemClock.INSTANCE.nanoTime() + spacing * scraper / SCRAPERS;
      for (int worker = scraper; !paused; worker += SCRAPERS) {
        LockSupport.parkNanos(due - SystemClock.INSTANCE.nanoTime());
        boolean _ = succeeds(worker % load.workers());
        due = Math.max(due + spacing, SystemClock.INSTANCE.nanoTime() - spacing);
      }
    }

    private boolean succeeds(int worker) {
      String address = "127.0.0.1:" + load.port(worker);
      String target =
          switch (load.kind()) {
            case HTTP -> "http://" + address + "/healthz";
            case HTTPS -> "https://" + address + "/healthz";
            case TCP, GRPC -> address;
          };
      URI uri =
          URI.create(
              "http://127.0.0.1:%d/probe?module=%s&target=%s"
                  .formatted(PORT, load.kind().name().toLowerCase(Locale.ROOT), target));
      try {
        byte[] answer =
            client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray()).body();
        return new String(answer, StandardCharsets.UTF_8).contains("\nprobe_success 1");
      } catch (IOException notUp) {
        return false;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    @Override
    public void pause() {
      paused = true;
      for (Thread scraper : scrapers) {
        try {
          scraper.join();
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted", interrupted);
        }
      }
      scrapers.clear();
    }

    @Override
    public List<String> finish() {
      return List.of();
    }

    @Override
    public void close() {
      paused = true;
      daemon.close();
    }
  }
}
