package io.probelet.web.tls;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.Threads;
import io.probelet.kube.certificate.CertificateFolder;
import io.probelet.kube.certificate.CertificateFolder.Found;
import io.probelet.kube.certificate.ServingCertificate;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves from when there is a certificate, with the newest one; until then nothing listens. How it
 * stands is logged whenever it changes.
 */
public final class CertifiedServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertifiedServer.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ROUND = Duration.ofSeconds(10);

  private final String name;
  private final CertificateFolder folder;
  private final String address;
  private final Opener opener;
  private final Duration period;
  private final SerialLoop loop;
  private final Alarm next;
  private @Nullable HttpsServer server;
  private volatile String state;

  /** Opens the server. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Opens it.
     *
     * @throws IOException if it cannot listen; the message is for the user
     */
    HttpsServer open(ServingCertificate certificate) throws IOException;
  }

  /** Serves, and reads the folder so often. */
  CertifiedServer(
      String name, CertificateFolder folder, String address, Opener opener, Duration period) {
    this.name = name;
    this.folder = folder;
    this.address = address;
    this.opener = opener;
    this.period = period;
    state = name + " not served yet";
    loop =
        SerialLoop.start(
            Threads.MACHINE,
            name,
            1, // it has an alarm, and its end
            bug -> LOG.error("{}: internal error, continuing", name, bug));
    next = loop.alarm(this::round);
    next.set(Duration.ZERO);
  }

  /**
   * Serves as soon as there is a certificate, which may be at once.
   *
   * @param folder where certificates are; for nobody else
   * @return to be closed
   */
  public static CertifiedServer start(
      String name, CertificateFolder folder, String address, Opener opener) {
    return new CertifiedServer(name, folder, address, opener, ROUND);
  }

  /** {@return how it stands, in words for an operator} */
  public String state() {
    return state;
  }

  @Override
  public void close() {
    if (loop.offer(this::stop) && !loop.finish(TIMEOUT)) {
      LOG.warn("{} not closed within {} s", name, TIMEOUT.toSeconds());
    }
  }

  private void round() {
    loop.requireInLoop();
    try {
      switch (folder.read()) {
        case Found.Certificate found -> serve(found);
        case Found.Nothing(String why) when server != null ->
            say(name + " still served with the previous certificate: " + why);
        case Found.Nothing(String why) -> say(name + " not served: " + why);
      }
    } catch (IOException | RuntimeException problem) {
      say(name + " not served: " + problem.getMessage());
    } finally {
      next.set(period);
    }
  }

  private void serve(Found.Certificate found) throws IOException {
    HttpsServer open = server;
    if (open == null) {
      server = opener.open(found.certificate());
    } else {
      open.use(found.certificate());
    }
    say(
        name
            + " served on "
            + address
            + (found.concern().isEmpty() ? "" : ", but " + found.concern()));
  }

  /** Once, not every few seconds. */
  private void say(String now) {
    if (!now.equals(state)) {
      state = now;
      LOG.info("{}", now);
    }
  }

  private void stop() {
    if (server != null) {
      server.close();
    }
  }
}
