package io.probelet.fleet.ui;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.probelet.web.http.Gate;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.page.Html;
import io.probelet.web.page.Page;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Lets one browser in. Every user of the machine, and every web page its browsers show, can reach
 * loopback; so the pages are answered only to who brings the cookie, the cookie is given only to
 * who brings the token, and the token is taken once.
 */
final class UiSession implements Gate {
  private static final String COOKIE = "probelet-ui";
  private static final int SECRET_BYTES = 32;
  private static final int PREFIX_BYTES = 16;

  /** Whose pages may ask: this server's, and nobody's, which is a person at the address bar. */
  private static final Set<String> OWN = Set.of("same-origin", "none");

  private final String prefix;
  private final String cookie;
  private final AtomicReference<@Nullable String> token;

  /**
   * Creates a session that no browser has entered.
   *
   * @param random makes secrets; must be unpredictable
   */
  UiSession(RandomGenerator random) {
    prefix = "/" + secret(random, PREFIX_BYTES) + "/";
    cookie = secret(random, SECRET_BYTES);
    token = new AtomicReference<>(secret(random, SECRET_BYTES));
  }

  private static String secret(RandomGenerator random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * {@return the path below which all pages are}
   *
   * <p>Browsers send a cookie to every port of a host, so that another user's server on another
   * port would get it, but only to paths that begin with the cookie's own, which nobody else knows.
   */
  String prefix() {
    return prefix;
  }

  /** {@return the address that lets in the first browser, to be shown to the operator only} */
  String address(String server) {
    return "http://" + server + door() + "?token=" + token.get();
  }

  private String door() {
    return prefix + "enter";
  }

  @Override
  public Optional<Answer> stop(Head head) {
    if (head.path().equals(door())) {
      return Optional.of(enter(head));
    }
    if (!OWN.containsAll(head.origins())) {
      return Optional.of(refuse("request from another site rejected\n"));
    }
    return knows(head)
        ? Optional.empty()
        : Optional.of(
            refuse(
                "Access denied. Open the address that `probelet ui` printed. It works once, for one"
                    + " browser; for another browser start `probelet ui` again.\n"));
  }

  private Answer enter(Head head) {
    if (takes(head.query().getOrDefault("token", List.of()))) {
      return entered(
          Map.of(
              "Set-Cookie",
              COOKIE + "=" + cookie + "; Path=" + prefix + "; HttpOnly; SameSite=Strict"));
    }
    return knows(head)
        ? entered(Map.of()) // the same browser came back by its history
        : refuse(
            "Link invalid or already used. If you did not use it, stop `probelet ui` and start it"
                + " again.\n");
  }

  private boolean takes(List<String> given) {
    String valid = token.get();
    return valid != null
        && given.size() == 1
        && same(valid, given.getFirst())
        && token.compareAndSet(valid, null);
  }

  /**
   * A page that leads on, rather than a redirect: a browser that came from another program's page
   * would not bring a strict cookie along a redirect.
   */
  private static Answer entered(Map<String, String> cookies) {
    Html body =
        new Html().open("p").element("a", "Open the cluster's page", "href", "./").close("p");
    Answer page = new Page("Probelet", List.of(), List.of(), body).answer(200);
    Map<String, String> headers = new HashMap<>(page.headers());
    headers.put("Refresh", "0; url=./");
    headers.putAll(cookies);
    return page.with(headers);
  }

  private boolean knows(Head head) {
    return head.cookies().stream()
        .flatMap(header -> List.of(header.split(";")).stream())
        .map(String::strip)
        .filter(pair -> pair.startsWith(COOKIE + "="))
        .anyMatch(pair -> same(cookie, pair.substring(COOKIE.length() + 1)));
  }

  /** In the same time wherever they differ. */
  private static boolean same(String secret, String given) {
    return MessageDigest.isEqual(secret.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  private static Answer refuse(String why) {
    return Answer.of(403, Resource.TEXT, why);
  }
}
