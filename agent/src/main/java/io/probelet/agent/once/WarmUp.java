package io.probelet.agent.once;

import io.netty.util.NetUtil;
import io.probelet.agent.run.ProbeService;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.TlsOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes a server of our own a few times before the probe that counts. A JVM that has just begun
 * loads and links what a probe takes, which would be some hundred milliseconds of a target that
 * answers in one.
 */
final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final int ROUNDS = 4;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** More parts of one probe would take the same code once more. */
  private static final int MAX_PARTS = 8;

  private final ProbeService service;
  private final Instant now;

  WarmUp(ProbeService service, Instant now) {
    this.service = service;
    this.now = now;
  }

  /** Makes the probes; where that cannot be done, the probe that counts is the first. */
  void run(ProbeHandler handler) {
    List<ProbeHandler> parts = new ArrayList<>();
    collect(handler, parts);
    for (ProbeHandler part : parts) {
      try (WarmServer server = server(part)) {
        ProbeHandler ours = redirected(part, server.port());
        for (int round = 0; round < ROUNDS; round++) {
          SingleProbe probe = SingleProbe.at("warm-up", ours, "127.0.0.1", TIMEOUT);
          LOG.debug("warm-up {}", probe.carriedOut(service));
        }
      } catch (IOException | GeneralSecurityException unable) {
        LOG.debug("no warm-up", unable);
      }
    }
  }

  private static void collect(ProbeHandler handler, List<ProbeHandler> parts) {
    switch (handler) {
      case AllOf(List<ProbeHandler> all) -> all.forEach(part -> collect(part, parts));
      case AnyOf(List<ProbeHandler> any) -> any.forEach(part -> collect(part, parts));
      case Exec _ -> {} // there is no container to go into
      case HttpGet _, TcpSocket _, Grpc _ -> {
        if (parts.size() < MAX_PARTS) {
          parts.add(handler);
        }
      }
    }
  }

  private WarmServer server(ProbeHandler part) throws IOException, GeneralSecurityException {
    return switch (part) {
      case HttpGet http when http.scheme() == Scheme.HTTPS -> WarmServer.secure("http/1.1", now);
      case Grpc grpc when grpc.tls() != null -> WarmServer.secure("h2", now);
      default -> WarmServer.plain();
    };
  }

  /** The same to our server: what it trusts and what it sends is for the target alone. */
  private static ProbeHandler redirected(ProbeHandler part, int port) {
    return switch (part) {
      case HttpGet http ->
          new HttpGet(
              new Port.Numeric(port),
              host(http.host()),
              "/",
              http.scheme(),
              List.<HttpHeader>of(),
              TlsOptions.INSECURE,
              http.expectation());
      case TcpSocket tcp -> new TcpSocket(new Port.Numeric(port), host(tcp.host()));
      case Grpc grpc -> new Grpc(port, "", grpc.tls() == null ? null : TlsOptions.INSECURE);
      case AllOf _, AnyOf _, Exec _ -> part;
    };
  }

  /** A name, where there is one to resolve for the target. */
  private static String host(@Nullable String ofTarget) {
    return ofTarget == null || NetUtil.createByteArrayFromIpAddressString(ofTarget) != null
        ? "127.0.0.1"
        : "localhost";
  }
}
