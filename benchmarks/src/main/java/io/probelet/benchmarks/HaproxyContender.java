package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The health checks of haproxy, one server line for each probe. It is restarted for each window: a
 * native program needs no warm-up, and it then spreads its checks over the period.
 */
final class HaproxyContender implements Contender {
  private static final int WARM_UP_SECONDS = 1;

  @Override
  public String name() {
    return "haproxy";
  }

  @Override
  public int warmUp(int seconds) {
    return Math.min(seconds, WARM_UP_SECONDS);
  }

  @Override
  public Run start(Path directory, Load load) throws IOException {
    Path file = directory.resolve("haproxy.cfg");
    Files.writeString(file, config(directory, load));
    return new Checking(directory, file);
  }

  private static String config(Path directory, Load load) {
    boolean http = load.kind() != Load.Kind.TCP;
    StringBuilder config =
        new StringBuilder(
            """
            global
              nbthread 1
              maxconn 8000
            defaults
              mode %s
              timeout client 5s
              timeout connect 1s
              timeout server 1s
            frontend unused
              bind unix@%s
              default_backend checked
            backend checked
              %s
              default-server inter %d fall 3 rise 1%s
            """
                .formatted(
                    http ? "http" : "tcp",
                    directory.resolve("haproxy.sock"),
                    http
                        ? "option httpchk\n  http-check send meth GET uri /healthz ver HTTP/1.1"
                            + " hdr Host localhost hdr Connection close"
                        : "option tcp-check\n  tcp-check connect",
                    load.periodMillis(),
                    load.kind() == Load.Kind.HTTPS ? tls(directory, load.tls()) : ""));
    for (int worker = 0; worker < load.workers(); worker++) {
      config.append("  server s%d 127.0.0.1:%d check\n".formatted(worker, load.port(worker)));
    }
    return config.toString();
  }

  /** The target's name is verified by its certificate, as the others verify its address. */
  private static String tls(Path directory, TlsLoad tls) {
    return " check-ssl no-ssl-reuse check-alpn "
        + tls.protocol().alpn()
        + (tls.protocol() == TlsLoad.Protocol.H2 ? " check-proto h2" : "")
        + (tls.verified()
            ? " verify required verifyhost target ca-file " + TlsLoad.authority(directory)
            : " verify none");
  }

  private static final class Checking implements Run {
    private final Path directory;
    private final Path config;
    private Daemon daemon;

    Checking(Path directory, Path config) {
      this.directory = directory;
      this.config = config;
      daemon = launch();
    }

    private Daemon launch() {
      return Daemon.start(directory, "haproxy", List.of("haproxy", "-db", "-f", config.toString()));
    }

    @Override
    public Daemon daemon() {
      return daemon;
    }

    @Override
    public void pause() {
      daemon.close();
    }

    @Override
    public void goOn() {
      daemon = launch();
    }

    @Override
    public List<String> finish() {
      return List.of();
    }

    @Override
    public void close() {
      daemon.close();
    }
  }
}
