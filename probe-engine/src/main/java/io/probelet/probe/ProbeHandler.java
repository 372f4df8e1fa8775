package io.probelet.probe;

import io.probelet.health.dns.DnsType;
import io.probelet.probe.HttpExpectation.BodyRule;
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

  /** The method of an HTTP probe. */
  enum Method {
    /** Asks for the answer with its body. */
    GET,
    /** Asks for the head of the answer only. */
    HEAD,
    /** Sends an empty body. */
    POST
  }

  /** How an HTTP probe speaks; with TLS, ALPN decides between the first two. */
  enum Protocol {
    /** HTTP/1.1. */
    HTTP1,
    /** HTTP/2 with prior knowledge, also called h2c. */
    HTTP2,
    /** HTTP/1.1 that becomes a WebSocket (H-17), with TLS as well. */
    WEBSOCKET
  }

  /**
   * Sends a request and checks the answer (H-1 to H-7, H-11).
   *
   * @param port where to connect
   * @param host null means the pod's IP (P-15)
   * @param path path and query as the user wrote them
   * @param scheme HTTP or HTTPS
   * @param headers extra request headers in order
   * @param tls how far the peer is trusted when the scheme is HTTPS
   * @param expectation what counts as success
   * @param method GET in Kubernetes
   * @param protocol of a request without TLS
   */
  record HttpGet(
      Port port,
      @Nullable String host,
      String path,
      Scheme scheme,
      List<HttpHeader> headers,
      TlsOptions tls,
      HttpExpectation expectation,
      Method method,
      Protocol protocol)
      implements ProbeHandler {
    /** Keeps an unmodifiable copy of the headers. */
    public HttpGet {
      headers = List.copyOf(headers);
    }

    /**
     * A GET in HTTP/1.1, or what ALPN agrees on.
     *
     * @param port where to connect
     * @param host null means the pod's IP
     * @param path path and query
     * @param scheme HTTP or HTTPS
     * @param headers extra request headers in order
     * @param tls how far the peer is trusted
     * @param expectation what counts as success
     */
    public HttpGet(
        Port port,
        @Nullable String host,
        String path,
        Scheme scheme,
        List<HttpHeader> headers,
        TlsOptions tls,
        HttpExpectation expectation) {
      this(port, host, path, scheme, headers, tls, expectation, Method.GET, Protocol.HTTP1);
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

    /**
     * {@return the same request over TLS of another trust}
     *
     * @param options how far the peer is trusted
     */
    public HttpGet with(TlsOptions options) {
      return new HttpGet(port, host, path, scheme, headers, options, expectation, method, protocol);
    }

    /**
     * {@return the same request with another expectation}
     *
     * @param expected what counts as success
     */
    public HttpGet with(HttpExpectation expected) {
      return new HttpGet(port, host, path, scheme, headers, tls, expected, method, protocol);
    }

    /**
     * {@return the same request with other headers}
     *
     * @param sent in order
     */
    public HttpGet with(List<HttpHeader> sent) {
      return new HttpGet(port, host, path, scheme, sent, tls, expectation, method, protocol);
    }
  }

  /**
   * Succeeds when a connection can be made (H-8), the server's certificate is good (H-13), and a
   * dialog comes to its end (H-14).
   *
   * @param port where to connect
   * @param host null means the pod's IP (P-15)
   * @param tls null for a connection without TLS; with a step of STARTTLS, for that step
   * @param dialog what is said over the connection; empty for nothing
   */
  record TcpSocket(Port port, @Nullable String host, @Nullable TlsOptions tls, List<Step> dialog)
      implements ProbeHandler {
    /** Keeps an unmodifiable copy of the dialog. */
    public TcpSocket {
      dialog = List.copyOf(dialog);
    }

    /**
     * The kubelet's probe, which sends nothing.
     *
     * @param port where to connect
     * @param host null means the pod's IP
     */
    public TcpSocket(Port port, @Nullable String host) {
      this(port, host, null, List.of());
    }

    /**
     * {@return the same probe over TLS}
     *
     * @param options how far the peer is trusted
     */
    public TcpSocket with(TlsOptions options) {
      return new TcpSocket(port, host, options, dialog);
    }

    /** {@return whether TLS begins in the middle of the dialog} */
    public boolean startsTls() {
      return dialog.contains(Step.STARTTLS);
    }

    /** A step of a dialog. */
    public sealed interface Step {
      /** The one step of its kind. */
      Step STARTTLS = new StartTls();

      /**
       * Sends a text.
       *
       * @param text with the end of its line
       */
      record Send(String text) implements Step {}

      /**
       * Waits for a text of the server's.
       *
       * @param rule a text anywhere in what comes next, or an expression that matches a line of it
       */
      record Expect(BodyRule rule) implements Step {}

      /** Begins TLS, which the server has agreed to. */
      record StartTls() implements Step {}
    }
  }

  /** A probe by datagrams. */
  sealed interface Datagram extends ProbeHandler {
    /** {@return where to; null for ICMP, which has no ports} */
    @Nullable Port port();

    /** {@return null for the pod's IP (P-15)} */
    @Nullable String host();
  }

  /**
   * Asks a DNS server, by TCP where an answer does not fit into a datagram (H-15).
   *
   * @param port of the server
   * @param host null means the pod's IP (P-15)
   * @param name that is asked for; empty for the root
   * @param type of the records
   * @param codes response codes that are a success, such as NOERROR; at least one
   * @param answers data that must be among the records, as zone files write it; empty for any
   * @param byTcp whether to ask by TCP at once
   */
  record Dns(
      Port port,
      @Nullable String host,
      String name,
      DnsType type,
      List<String> codes,
      List<String> answers,
      boolean byTcp)
      implements Datagram {
    /** Keeps unmodifiable copies of the lists. */
    public Dns {
      codes = List.copyOf(codes);
      answers = List.copyOf(answers);
    }
  }

  /**
   * Sends a datagram and waits for one that complies (H-16).
   *
   * @param port where to
   * @param host null means the pod's IP (P-15)
   * @param send the datagram
   * @param rules for the answer; empty for any
   */
  record UdpSocket(Port port, @Nullable String host, String send, List<BodyRule> rules)
      implements Datagram {
    /** Keeps an unmodifiable copy of the rules. */
    public UdpSocket {
      rules = List.copyOf(rules);
    }
  }

  /**
   * Sends an ICMP echo request and waits for its reply (H-21).
   *
   * @param host null means the pod's IP (P-15)
   */
  record Icmp(@Nullable String host) implements Datagram {
    @Override
    public @Nullable Port port() {
      return null;
    }
  }

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
   * @param authority sent instead of the server's address, as host or host:port; null means the
   *     name in {@code tls}, or the address
   * @param tls null means plain text, the kubelet's default
   */
  record Grpc(int port, String service, @Nullable String authority, @Nullable TlsOptions tls)
      implements ProbeHandler {
    /**
     * A handler that names the server by its address.
     *
     * @param port 1 to 65535
     * @param service name sent in the request
     * @param tls null means plain text
     */
    public Grpc(int port, String service, @Nullable TlsOptions tls) {
      this(port, service, null, tls);
    }

    /**
     * {@return the same call over TLS}
     *
     * @param options how far the peer is trusted
     */
    public Grpc with(TlsOptions options) {
      return new Grpc(port, service, authority, options);
    }
  }

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
          case HttpGet _, TcpSocket _, Datagram _, Exec _, Grpc _ -> List.of();
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

  /** {@return the field's name in a manifest: httpGet, tcpSocket, dns and so on} */
  default String fieldName() {
    return switch (this) {
      case HttpGet _ -> "httpGet";
      case TcpSocket _ -> "tcpSocket";
      case UdpSocket _ -> "udpSocket";
      case Dns _ -> "dns";
      case Icmp _ -> "icmp";
      case Exec _ -> "exec";
      case Grpc _ -> "grpc";
      case AllOf _ -> "allOf";
      case AnyOf _ -> "anyOf";
    };
  }
}
