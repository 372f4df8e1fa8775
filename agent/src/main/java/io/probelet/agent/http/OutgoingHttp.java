package io.probelet.agent.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Requests to servers of users: verified, with a token from a file, never redirected. */
public final class OutgoingHttp {
  private static final Duration CONNECTING = Duration.ofSeconds(5);
  private static final int MAX_FILE_BYTES = 1 << 20;

  private OutgoingHttp() {}

  /**
   * Makes a client that follows no redirect, as a token is for one server.
   *
   * @param caFile whom to trust instead of the system's authorities
   * @return to be shut down at once by the caller, as an answer may have no end
   * @throws IOException if the file cannot be read or holds no certificate
   * @throws GeneralSecurityException if the file's certificates cannot be used
   */
  public static HttpClient client(Optional<Path> caFile)
      throws IOException, GeneralSecurityException {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTING)
            .followRedirects(HttpClient.Redirect.NEVER);
    if (caFile.isPresent()) {
      client.sslContext(trusting(caFile.get()));
    }
    return client.build();
  }

  /**
   * Adds a bearer token.
   *
   * @param request gets it
   * @param tokenFile holds it, read now
   * @throws IOException if the file cannot be read or holds none; the message does not show it
   */
  public static void authorize(HttpRequest.Builder request, Path tokenFile) throws IOException {
    String token = new String(read(tokenFile), StandardCharsets.US_ASCII).strip();
    try {
      request.header("Authorization", "Bearer " + token);
    } catch (IllegalArgumentException noToken) { // whose message would show it
      throw new IOException(tokenFile + " holds no bearer token");
    }
  }

  private static SSLContext trusting(Path caFile) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    for (Certificate each :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(read(caFile)))) {
      trusted.setCertificateEntry("ca-" + trusted.size(), each);
    }
    if (trusted.size() == 0) {
      throw new IOException(caFile + " holds no certificate");
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MAX_FILE_BYTES);
    } catch (IOException failed) {
      throw new IOException("cannot read " + file, failed);
    }
  }
}
