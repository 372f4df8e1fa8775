package io.probelet.remediator.controller;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.health.tls.ServerVerifier;
import io.probelet.remediator.decide.HookAnswer;
import io.probelet.remediator.resource.HttpsHook;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call to a user's endpoint (ACT-55): verified, bounded in time and size, signed if there
 * is a key, and only to the configured address.
 */
final class HookCaller implements HookEndpoint {
  /** Maximum size of a response. */
  static final int MAX_ANSWER = 65_536;

  private static final String HMAC = "HmacSHA256";

  /** Rejects two JSON values in one body and duplicate fields. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Needs nothing. */
  HookCaller() {}

  @Override
  public HookAnswer call(
      HttpsHook hook, JsonNode body, String idempotencyKey, Instant when, byte @Nullable [] key) {
    String text = body.toString();
    String time = String.valueOf(when.getEpochSecond());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(hook.url())
            .header("Content-Type", "application/json")
            .header("User-Agent", "probelet")
            .header("Idempotency-Key", idempotencyKey)
            .header("Probelet-Timestamp", time)
            .POST(BodyPublishers.ofString(text));
    try {
      if (key != null) {
        request.header("Probelet-Signature", "v1=" + signature(key, time + "." + text));
      }
      HttpClient.Builder client =
          HttpClient.newBuilder()
              .followRedirects(Redirect.NEVER)
              .connectTimeout(hook.timeout())
              .sslContext(verifier(hook).context());
      return send(client.build(), request.build(), hook);
    } catch (GeneralSecurityException unusable) {
      return new HookAnswer.NotAnswered("cannot be called: " + unusable.getMessage());
    }
  }

  private static String signature(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance(HMAC);
    mac.init(new SecretKeySpec(key, HMAC));
    return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static ServerVerifier verifier(HttpsHook hook) throws GeneralSecurityException {
    return hook.authorities().isEmpty()
        ? ServerVerifier.trustingPlatform(SystemClock.INSTANCE)
        : ServerVerifier.trusting(hook.authorities(), SystemClock.INSTANCE);
  }

  private static HookAnswer send(HttpClient client, HttpRequest request, HttpsHook hook) {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER));
    try {
      HttpResponse<byte[]> response = answer.get(hook.timeout().toMillis(), TimeUnit.MILLISECONDS);
      return answer(response);
    } catch (TimeoutException late) {
      return new HookAnswer.NotAnswered("no answer within " + hook.timeout().toMillis() + " ms");
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause() == null ? failed : failed.getCause();
      return new HookAnswer.NotAnswered(
          ServerVerifier.refusal(cause).orElseGet(() -> FailureReason.of(cause)));
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
      return new HookAnswer.NotAnswered("interrupted");
    } finally {
      client.shutdownNow();
    }
  }

  /** ACT-56: only a success is decided by its body; one that cannot be read confirms nothing. */
  private static HookAnswer answer(HttpResponse<byte[]> response) {
    int code = response.statusCode();
    if (code < 200 || code >= 300) {
      return new HookAnswer.Answered(code, MissingNode.getInstance());
    }
    try {
      return new HookAnswer.Answered(code, JSON.readTree(response.body()));
    } catch (IOException malformed) {
      return isText(response)
          ? new HookAnswer.Answered(code, MissingNode.getInstance())
          : new HookAnswer.NotAnswered(
              "responded %d, but the body is not valid JSON%s".formatted(code, at(malformed)));
    }
  }

  /** A word such as "ok", without a content type or as plain text. */
  private static boolean isText(HttpResponse<byte[]> response) {
    String type = response.headers().firstValue("Content-Type").orElse("text/plain");
    byte[] body = response.body();
    return type.toLowerCase(Locale.ROOT).startsWith("text/plain")
        && body.length > 0
        && body[0] > 0
        && Character.isLetterOrDigit((char) body[0]);
  }

  /** The place only: the text is not shown, as the endpoint may be one of the cluster's own. */
  private static String at(IOException malformed) {
    return malformed instanceof StreamReadException invalid && invalid.getLocation() != null
        ? " (line %d, column %d)"
            .formatted(invalid.getLocation().getLineNr(), invalid.getLocation().getColumnNr())
        : "";
  }
}
