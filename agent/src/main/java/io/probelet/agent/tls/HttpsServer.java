package io.probelet.agent.tls;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.probelet.agent.http.HttpEndpoint;
import io.probelet.nodehealth.webhook.ServingCertificate;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * An HTTP server over TLS on a loop of its own, as handshakes cost what others on it would miss;
 * the certificate may be changed while it runs.
 */
public final class HttpsServer implements AutoCloseable {
  private static final int END_SECONDS = 5;

  private final EventLoopGroup loop;
  private final RenewedKeys keys;
  private final HttpEndpoint endpoint;

  /** Opens an endpoint on a loop, with keys. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Opens it.
     *
     * @param loop where it lives
     * @param keys gives the certificate for each new connection
     * @return the open endpoint
     * @throws IOException if it cannot listen; the message is for the user
     */
    HttpEndpoint open(EventLoopGroup loop, X509ExtendedKeyManager keys) throws IOException;
  }

  private HttpsServer(EventLoopGroup loop, RenewedKeys keys, HttpEndpoint endpoint) {
    this.loop = loop;
    this.keys = keys;
    this.endpoint = endpoint;
  }

  /**
   * Opens a server.
   *
   * @param certificate what to serve with
   * @param opener opens the endpoint
   * @return the open server
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static HttpsServer open(ServingCertificate certificate, Opener opener) throws IOException {
    RenewedKeys keys = new RenewedKeys(certificate);
    EventLoopGroup loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("https", true), NioIoHandler.newFactory());
    try {
      return new HttpsServer(loop, keys, opener.open(loop, keys));
    } catch (IOException | RuntimeException unable) {
      end(loop);
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
    end(loop);
  }

  private static void end(EventLoopGroup loop) {
    loop.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(END_SECONDS, TimeUnit.SECONDS);
  }
}
