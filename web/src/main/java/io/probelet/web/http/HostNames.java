package io.probelet.web.http;

import io.netty.util.NetUtil;
import io.probelet.health.ShortText;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Which Host headers are answered. A web page may have a browser ask any address under a name that
 * the page's author owns (DNS rebinding), and read the answer. What it cannot do is ask under an
 * address or a name that is not the author's.
 */
final class HostNames {
  private static final int MAX_SHOWN = 100;
  private static final String LOCALHOST = "localhost";

  private final String listening;
  private final Supplier<? extends Collection<String>> configured;

  /**
   * Creates the rule.
   *
   * @param configured other names that are answered; asked for each request
   */
  HostNames(String listening, Supplier<? extends Collection<String>> configured) {
    this.listening = canonical(listening);
    this.configured = configured;
  }

  /**
   * Checks a request.
   *
   * @param headers the values of its Host headers, possibly none
   * @return why it is not answered, for the client; empty if it is
   */
  Optional<String> refusal(List<String> headers) {
    if (headers.size() > 1) {
      return Optional.of("the request has more than one Host header");
    }
    if (headers.isEmpty()) {
      return Optional.empty(); // no browser leaves it out
    }
    String header = headers.getFirst().strip();
    String host = canonical(withoutPort(header));
    if (isAddress(host) || names().contains(host)) {
      return Optional.empty();
    }
    String shown = ShortText.of(header, MAX_SHOWN);
    return Optional.of(
        "host \"%s\" is not allowed; use an IP address or %s, or add the name to http.hosts"
            .formatted(shown, String.join(", ", names())));
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    names.add(LOCALHOST);
    if (!isAddress(listening)) {
      names.add(listening);
    }
    configured.get().forEach(name -> names.add(canonical(name)));
    return names;
  }

  private static boolean isAddress(String host) {
    return NetUtil.isValidIpV4Address(host)
        || (host.startsWith("[")
            && host.endsWith("]")
            && NetUtil.isValidIpV6Address(host.substring(1, host.length() - 1)))
        || NetUtil.isValidIpV6Address(host);
  }

  private static String withoutPort(String header) {
    int colon = header.lastIndexOf(':');
    boolean port = colon > header.lastIndexOf(']') && header.indexOf(':') == colon;
    boolean bracketed = colon > 0 && header.charAt(colon - 1) == ']';
    return port || bracketed ? header.substring(0, colon) : header;
  }

  /** Names differ neither by case nor by the dot of the root. */
  private static String canonical(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
