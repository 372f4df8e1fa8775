package io.probelet.probe.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Makes the TLS end of one connection. */
final class TlsEngines {
  /** With no port the JDK resumes no session: each probe is a whole handshake, as in Go. */
  private static final int NO_RESUMPTION = -1;

  private TlsEngines() {}

  static SslHandler handler(
      SslContext context, Tls tls, Endpoint endpoint, ByteBufAllocator allocator) {
    String name = tls.options().serverName();
    String peer = name == null ? endpoint.host() : name;
    SSLEngine engine = context.newEngine(allocator, peer, NO_RESUMPTION);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setNamedGroups(GoTlsDefaults.GROUPS.toArray(String[]::new));
    parameters.setServerNames(serverNames(peer));
    parameters.setApplicationProtocols(tls.protocols().toArray(String[]::new));
    parameters.setEndpointIdentificationAlgorithm(tls.options().verify() ? "HTTPS" : null);
    engine.setSSLParameters(parameters);
    SslHandler handler =
        tls.options().verify()
            ? new SslHandler(engine)
            : new SslHandler(engine, NamelessCertificates::accepting);
    handler.setHandshakeTimeoutMillis(0); // the attempt's own timer covers it
    return handler;
  }

  /** H-7: the name unless it is an IP, or nothing that could be a name. */
  private static List<SNIServerName> serverNames(String peer) {
    if (peer.indexOf(':') >= 0 || NetUtil.isValidIpV4Address(peer)) {
      return List.of();
    }
    SNIServerName name = sniName(peer);
    return name == null ? List.of() : List.of(name);
  }

  private static @Nullable SNIServerName sniName(String peer) {
    try {
      return new SNIHostName(peer.endsWith(".") ? peer.substring(0, peer.length() - 1) : peer);
    } catch (IllegalArgumentException noHostName) {
      return null;
    }
  }
}
