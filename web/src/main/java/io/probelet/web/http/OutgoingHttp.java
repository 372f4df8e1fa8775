package io.probelet.web.http;

import io.probelet.health.SystemClock;
import io.probelet.health.tls.ServerVerifier;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;

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
   * @throws GeneralSecurityException if the JDK has no TLS
   */
  public static HttpClient client(Optional<Path> caFile)
      throws IOException, GeneralSecurityException {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(CONNECTING)
        .followRedirects(HttpClient.Redirect.NEVER)
        .sslContext(verifier(caFile).context())
        .build();
  }

  /**
   * Adds a bearer token.
   *
   * @throws IOException if the file cannot be read or holds none; the message does not show it
   */
  public static void authorize(HttpRequest.Builder request, Path tokenFile) throws IOException {
    String token = new String(read(tokenFile), StandardCharsets.US_ASCII).strip();
    try {
      request.header("Authorization", "Bearer " + token);
    } catch (IllegalArgumentException noToken) { // whose message would show it
      throw new IOException(tokenFile + " contains no bearer token");
    }
  }

  private static ServerVerifier verifier(Optional<Path> caFile)
      throws IOException, GeneralSecurityException {
    if (caFile.isEmpty()) {
      return ServerVerifier.trustingPlatform(SystemClock.INSTANCE);
    }
    try {
      return ServerVerifier.trusting(read(caFile.get()), SystemClock.INSTANCE);
    } catch (CertificateException bad) {
      throw new IOException(caFile.get() + " contains no usable certificate", bad);
    }
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MAX_FILE_BYTES);
    } catch (IOException failed) {
      throw new IOException("cannot read " + file, failed);
    }
  }
}
