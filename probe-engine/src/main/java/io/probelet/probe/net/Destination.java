package io.probelet.probe.net;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a handler's host and port come to: an {@link Endpoint}, or why there is none. */
public sealed interface Destination permits Endpoint, Destination.Unknown {
  /** What a Host header says that names no port. */
  int HTTP_PORT = 80;

  /**
   * There is nowhere to connect to; the target is not at fault.
   *
   * @param error of reason {@link Reason#BAD_TARGET}
   */
  record Unknown(ProberError error) implements Destination {
    /** {@return the outcome of an attempt that ends before it began} */
    public ProbeOutcome outcome() {
      return new ProbeOutcome(error, ProbeTimings.of(0));
    }
  }

  /**
   * Resolves host and port of a handler (P-15, P-17).
   *
   * @param target gives the pod's IP and the container's port names
   * @param port number or name; null for ICMP, which has no ports
   * @param host null or empty means the pod's IP
   * @return where to connect
   */
  static Destination at(ProbeTarget target, @Nullable Port port, @Nullable String host) {
    if (port instanceof Port.UnixSocket(String path)) { // H-18: a name is for the Host header
      return new Endpoint(host == null || host.isEmpty() ? "localhost" : host, HTTP_PORT, path);
    }
    // P-15: the pod's own unless said otherwise
    String where = host == null || host.isEmpty() ? target.podIp() : host;
    if (where.isEmpty()) { // never the agent's own loopback
      return unknown("pod " + target.pod() + " has no IP yet, and the probe has no host");
    }
    if (port == null) {
      return new Endpoint(withoutBrackets(where), Endpoint.NO_PORT);
    }
    return switch (port) { // P-17: a name is found among the container's ports
      case Port.Numeric numeric -> at(where, numeric.value(), null);
      case Port.Named named -> named(target.container(), named.value(), where);
      case Port.UnixSocket socket -> throw new IllegalStateException("no port: " + socket);
    };
  }

  private static Destination named(ContainerSpec container, String name, String host) {
    Integer number = container.ports().get(name);
    if (number == null) {
      number = decimal(name);
    }
    if (number == null) {
      return unknown(
          "container "
              + container.name()
              + " has no port named \""
              + name
              + "\"; it has "
              + (container.ports().isEmpty() ? "none" : new TreeSet<>(container.ports().keySet())));
    }
    return at(host, number, name);
  }

  private static Destination at(String host, int port, @Nullable String name) {
    if (port >= 1 && port <= 65_535) {
      return new Endpoint(withoutBrackets(host), port);
    }
    String asWritten = name == null ? "port " + port : "port \"" + name + "\" = " + port;
    return unknown(asWritten + " is not between 1 and 65535");
  }

  private static String withoutBrackets(String host) {
    boolean bracketed = host.length() > 2 && host.startsWith("[") && host.endsWith("]");
    return bracketed ? host.substring(1, host.length() - 1) : host;
  }

  /** A number in quotes is taken for the number, as the kubelet does. */
  private static @Nullable Integer decimal(String name) {
    try {
      return Integer.valueOf(name);
    } catch (NumberFormatException notANumber) {
      return null;
    }
  }

  private static Unknown unknown(String message) {
    return new Unknown(new ProberError(Reason.BAD_TARGET, message));
  }
}
