package io.probelet.agent.diagnose;

import io.probelet.agent.config.UploadSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** One PUT of one bundle, over TLS that is verified. */
final class UploadRequest {
  private static final Duration CONNECTING = Duration.ofSeconds(5);
  private static final int MAX_FILE_BYTES = 1 << 20;

  /** Answers that may be others a little later, beside those of servers in trouble. */
  private static final Set<Integer> LATER = Set.of(408, 425, 429);

  private static final int DONE = 200;
  private static final int NOT_DONE = 300;
  private static final int IN_TROUBLE = 500;

  private UploadRequest() {}

  /**
   * What came of it.
   *
   * @param why it failed; empty if it did not
   * @param again whether it may succeed later
   */
  record Answer(String why, boolean again) {
    static final Answer TAKEN = new Answer("", false);
  }

  /** Puts a bundle; blocks, but no longer than that. */
  static Answer put(
      String template,
      UploadSettings settings,
      String node,
      String name,
      byte[] archive,
      Duration timeout)
      throws InterruptedException {
    try (HttpClient client = client(settings.caFile())) {
      HttpRequest request = request(uri(template, node, name), settings.tokenFile(), archive);
      try {
        int status =
            client
                .sendAsync(request, BodyHandlers.discarding())
                .get(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .statusCode();
        return answer(status);
      } catch (TimeoutException silent) {
        return new Answer("no answer within " + timeout.toSeconds() + " s", true);
      } catch (ExecutionException failed) {
        return new Answer(String.valueOf(failed.getCause()), true);
      } finally {
        client.shutdownNow(); // an answer may have no end
      }
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
      return new Answer(String.valueOf(unusable.getMessage()), true); // files may be mended
    }
  }

  private static Answer answer(int status) {
    return status >= DONE && status < NOT_DONE
        ? Answer.TAKEN
        : new Answer("it answered " + status, status >= IN_TROUBLE || LATER.contains(status));
  }

  /** What is filled in is given by the cluster and by us, and is no more than a name. */
  static URI uri(String template, String node, String name) {
    return URI.create(
        template
            .replace(UploadSettings.NODE, plain(node))
            .replace(UploadSettings.NAME, plain(name)));
  }

  private static String plain(String text) {
    return text.replaceAll("[^A-Za-z0-9._-]", "_");
  }

  private static HttpRequest request(URI uri, Optional<Path> tokenFile, byte[] archive)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/gzip")
            .PUT(BodyPublishers.ofByteArray(archive));
    if (tokenFile.isPresent()) {
      String token = new String(read(tokenFile.get()), StandardCharsets.US_ASCII).strip();
      try {
        request.header("Authorization", "Bearer " + token);
      } catch (IllegalArgumentException noToken) { // whose message would show it
        throw new IOException(tokenFile.get() + " holds no bearer token");
      }
    }
    return request.build();
  }

  private static HttpClient client(Optional<Path> caFile)
      throws IOException, GeneralSecurityException {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTING)
            .followRedirects(HttpClient.Redirect.NEVER); // the token is for this server
    if (caFile.isPresent()) {
      client.sslContext(trusting(caFile.get()));
    }
    return client.build();
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
