package io.probelet.checks.error;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.health.FailureReason;
import io.probelet.health.OneLine;
import java.io.IOException;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/** What a request that failed comes to, in words for an operator, without the client's own. */
public final class ApiErrorText {
  private static final int LONGEST = 500;
  private static final int DEEPEST = 16;
  private static final int NOT_ANSWERED = -1;

  /** As the API server refuses what no role allows. */
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "User \"([^\"]*)\" cannot (\\S+) resource \"([^\"]*)\" in API group \"([^\"]*)\"(.*)");

  private ApiErrorText() {}

  /**
   * {@return why it failed: which right is missing, that nobody answered, or what the API server
   * said; at most 500 characters, never blank}
   *
   * @param failure whatever was thrown
   */
  public static String of(Throwable failure) {
    KubernetesClientException refused = refusal(failure);
    String text = refused == null ? plain(failure) : of(refused);
    String line = text.strip().replaceAll("\\s+", " ");
    return OneLine.of(line, LONGEST);
  }

  private static String of(KubernetesClientException refused) {
    Status status = refused.getStatus();
    String said = status == null ? null : status.getMessage();
    return switch (refused.getCode()) {
      case HttpURLConnection.HTTP_FORBIDDEN -> forbidden(said == null ? "" : said);
      case HttpURLConnection.HTTP_UNAUTHORIZED -> "the API server rejected the credentials";
      case HttpURLConnection.HTTP_NOT_FOUND -> orElse(said, "not found on the API server");
      case 0, NOT_ANSWERED ->
          isUnreached(refused) ? "cannot reach the API server: " + plain(refused) : plain(refused);
      default -> orElse(said, "the API server returned status " + refused.getCode());
    };
  }

  private static String forbidden(String said) {
    Matcher matcher = FORBIDDEN.matcher(said);
    if (!matcher.find()) {
      return said.isEmpty() ? "not allowed" : "not allowed: " + said;
    }
    String group = matcher.group(4);
    return "not allowed; grant \"%s\" on %s%s%s to %s"
        .formatted(
            matcher.group(2),
            matcher.group(3),
            group.isEmpty() ? "" : "." + group,
            matcher.group(5).replaceFirst("[:;].*", ""),
            matcher.group(1));
  }

  /** The innermost cause has the reason; the exceptions around it only say that a call failed. */
  private static String plain(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause.getCause() != null && depth < DEEPEST; depth++) {
      cause = cause.getCause();
    }
    return FailureReason.of(cause);
  }

  private static boolean isUnreached(Throwable failure) {
    return failure.getCause() instanceof IOException;
  }

  private static @Nullable KubernetesClientException refusal(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++, cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException refused) {
        return refused;
      }
    }
    return null;
  }

  private static String orElse(@Nullable String text, String otherwise) {
    return text == null || text.isBlank() ? otherwise : text;
  }
}
