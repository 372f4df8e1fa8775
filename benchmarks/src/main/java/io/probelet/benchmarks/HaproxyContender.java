package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The health checks of haproxy, one server line for each probe. */
final class HaproxyContender implements Contender {
  @Override
  public String name() {
    return "haproxy";
  }

  @Override
  public Run start(Path directory, Load load) throws IOException {
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
              default-server inter %d fall 3 rise 1
            """
                .formatted(
                    load.kind() == Load.Kind.HTTP ? "http" : "tcp",
                    directory.resolve("haproxy.sock"),
                    load.kind() == Load.Kind.HTTP
                        ? "option httpchk\n  http-check send meth GET uri /healthz ver HTTP/1.1"
                            + " hdr Host localhost hdr Connection close"
                        : "option tcp-check\n  tcp-check connect",
                    load.periodMillis()));
    for (int worker = 0; worker < load.workers(); worker++) {
      config.append("  server s%d 127.0.0.1:%d check\n".formatted(worker, load.port(worker)));
    }
    Path file = directory.resolve("haproxy.cfg");
    Files.writeString(file, config);
    Daemon daemon =
        Daemon.start(directory, "haproxy", List.of("haproxy", "-db", "-f", file.toString()));
    return new Run() {
      @Override
      public Daemon daemon() {
        return daemon;
      }

      @Override
      public double probes(long connections, double seconds) {
        return load.countedOrKnown(connections, seconds);
      }

      @Override
      public List<String> finish() {
        return List.of();
      }

      @Override
      public void close() {
        daemon.close();
      }
    };
  }
}
