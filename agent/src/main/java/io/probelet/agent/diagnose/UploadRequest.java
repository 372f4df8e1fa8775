package io.probelet.agent.diagnose;

import io.probelet.agent.config.UploadSettings;
import io.probelet.health.tls.ServerVerifier;
import io.probelet.web.http.OutgoingHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One PUT of one bundle, over TLS that is verified. */
final class UploadRequest {
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
    try (HttpClient client = OutgoingHttp.client(settings.caFile())) {
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
        String why = String.valueOf(failed.getCause());
        return new Answer(ServerVerifier.refusal(failed).orElse(why), true);
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
      OutgoingHttp.authorize(request, tokenFile.get());
    }
    return request.build();
  }
}
