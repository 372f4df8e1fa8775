package io.probelet.probe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one probe does to find out: the handlers of Kubernetes, and combinations of them. */
public sealed interface ProbeHandler {
  /** The protocol of an HTTP probe. */
  enum Scheme {
    /** Plain text. */
    HTTP,
    /** TLS. */
    HTTPS
  }

  /**
   * Sends GET and checks the answer (H-1 to H-7).
   *
   * @param port where to connect
   * @param host null means the pod's IP (P-15)
   * @param path path and query as the user wrote them
   * @param scheme HTTP or HTTPS
   * @param headers extra request headers in order
   * @param tls how far the peer is trusted when the scheme is HTTPS
   * @param expectation what counts as success
   */
  record HttpGet(
      Port port,
      @Nullable String host,
      String path,
      Scheme scheme,
      List<HttpHeader> headers,
      TlsOptions tls,
      HttpExpectation expectation)
      implements ProbeHandler {
    /** Keeps an unmodifiable copy of the headers. */
    public HttpGet {
      headers = List.copyOf(headers);
    }

    /**
     * The plain form: HTTP to the pod's IP, no headers, the kubelet's verdict.
     *
     * @param port where to connect
     * @param path path and query
     */
    public HttpGet(Port port, String path) {
      this(port, null, path, Scheme.HTTP, List.of(), TlsOptions.INSECURE, HttpExpectation.KUBELET);
    }
  }

  /**
   * Succeeds when a connection can be made; sends nothing (H-8).
   *
   * @param port where to connect
   * @param host null means the pod's IP (P-15)
   */
  record TcpSocket(Port port, @Nullable String host) implements ProbeHandler {}

  /**
   * Runs a command in the container (H-9).
   *
   * @param command program and arguments, at least one entry (P-8); {@code $(VAR)} is expanded
   */
  record Exec(List<String> command) implements ProbeHandler {
    /** Rejects an empty command, and keeps an unmodifiable copy of it. */
    public Exec {
      command = List.copyOf(command);
      if (command.isEmpty()) {
        throw new IllegalArgumentException("exec needs at least one entry in command");
      }
    }
  }

  /**
   * Calls {@code grpc.health.v1.Health/Check} (H-10).
   *
   * @param port 1 to 65535
   * @param service name sent in the request; empty asks for the server as a whole
   * @param tls null means plain text, the kubelet's way
   */
  record Grpc(int port, String service, @Nullable TlsOptions tls) implements ProbeHandler {}

  /**
   * Succeeds when every part does; fails with the first part that fails. Parts run side by side.
   *
   * @param parts at least one
   */
  record AllOf(List<ProbeHandler> parts) implements ProbeHandler {
    /** Rejects an empty list, and keeps an unmodifiable copy of the parts. */
    public AllOf {
      parts = List.copyOf(parts);
      if (parts.isEmpty()) {
        throw new IllegalArgumentException("allOf needs at least one handler");
      }
    }
  }

  /**
   * Succeeds as soon as one part does; fails when every part has failed. Parts run side by side.
   *
   * @param parts at least one
   */
  record AnyOf(List<ProbeHandler> parts) implements ProbeHandler {
    /** Rejects an empty list, and keeps an unmodifiable copy of the parts. */
    public AnyOf {
      parts = List.copyOf(parts);
      if (parts.isEmpty()) {
        throw new IllegalArgumentException("anyOf needs at least one handler");
      }
    }
  }

  /**
   * {@return how many connections or commands one attempt comes to, all parts counted in}
   *
   * @param most counting stops beyond it: combinations of combinations multiply
   */
  default int parts(int most) {
    List<ProbeHandler> parts =
        switch (this) {
          case AllOf(List<ProbeHandler> all) -> all;
          case AnyOf(List<ProbeHandler> any) -> any;
          case HttpGet _, TcpSocket _, Exec _, Grpc _ -> List.of();
        };
    if (parts.isEmpty()) {
      return 1;
    }
    int sum = 0;
    for (ProbeHandler part : parts) {
      sum += part.parts(most - sum);
      if (sum > most) {
        break;
      }
    }
    return sum;
  }

  /** {@return the field's name in a manifest: httpGet, tcpSocket, exec, grpc, allOf or anyOf} */
  default String fieldName() {
    return switch (this) {
      case HttpGet _ -> "httpGet";
      case TcpSocket _ -> "tcpSocket";
      case Exec _ -> "exec";
      case Grpc _ -> "grpc";
      case AllOf _ -> "allOf";
      case AnyOf _ -> "anyOf";
    };
  }
}
