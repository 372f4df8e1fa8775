package io.probelet.web.tls;

import io.netty.channel.EventLoopGroup;
import io.probelet.health.SystemClock;
import io.probelet.kube.certificate.ServingCertificate;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.web.http.HttpEndpoint;
import java.io.IOException;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * An HTTP server over TLS on a loop of its own, as handshakes cost what others on it would miss;
 * the certificate may be changed while it runs.
 */
public final class HttpsServer implements AutoCloseable {
  private final ProbeLoops loops;
  private final RenewedKeys keys;
  private final HttpEndpoint endpoint;

  /** Opens an endpoint on a loop, with keys. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Opens it.
     *
     * @param keys gives the certificate for each new connection
     * @throws IOException if it cannot listen; the message is for the user
     */
    HttpEndpoint open(EventLoopGroup loop, X509ExtendedKeyManager keys) throws IOException;
  }

  private HttpsServer(ProbeLoops loops, RenewedKeys keys, HttpEndpoint endpoint) {
    this.loops = loops;
    this.keys = keys;
    this.endpoint = endpoint;
  }

  /**
   * Opens a server.
   *
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static HttpsServer open(ServingCertificate certificate, Opener opener) throws IOException {
    RenewedKeys keys = new RenewedKeys(certificate);
    ProbeLoops loops = ProbeLoops.start(1, "https-", SystemClock.INSTANCE);
    try {
      return new HttpsServer(loops, keys, opener.open(loops.all().getFirst().eventLoop(), keys));
    } catch (IOException | RuntimeException unable) {
      loops.close();
      throw unable;
    }
  }

  /** {@return the port it listens on} */
  public int port() {
    return endpoint.address().port();
  }

  /**
   * Serves new connections with another certificate.
   *
   * @param certificate instead of the present one
   */
  public void use(ServingCertificate certificate) {
    keys.use(certificate);
  }

  @Override
  public void close() {
    endpoint.close();
    loops.close();
  }
}
