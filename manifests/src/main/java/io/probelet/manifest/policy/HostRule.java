package io.probelet.manifest.policy;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A rule for hosts that a probe may target. */
public sealed interface HostRule {
  /** The texts for {@link Own} and {@link Any} in configurations. */
  String OWN = "pod";

  /** Every host. */
  String ANY = "*";

  /** The pod itself: a probe without a host, or with one of the pod's addresses. */
  record Own() implements HostRule {}

  /** Every host. */
  record Any() implements HostRule {}

  /** Addresses, for probes that name one; host names that resolve to them are not covered. */
  record Addresses(AddressBlock block) implements HostRule {}

  /**
   * One host name.
   *
   * @param name in lower case, without a trailing dot
   */
  record Name(String name) implements HostRule {}

  /**
   * All host names below a domain, without the domain itself.
   *
   * @param domain in lower case, without a trailing dot
   */
  record Below(String domain) implements HostRule {}

  /**
   * Parses a rule.
   *
   * @param text an address, a block of addresses such as {@code 10.1.0.0/16}, a host name, {@code
   *     *.example.com}, {@code pod} or {@code *}
   * @throws IllegalArgumentException if it is invalid; the message names what is allowed
   */
  static HostRule parse(String text) {
    if (text.equals(OWN)) {
      return new Own();
    }
    if (text.equals(ANY)) {
      return new Any();
    }
    boolean below = text.startsWith("*.");
    Optional<String> name = HostName.of(below ? text.substring(2) : text);
    if (name.isPresent()) {
      return below ? new Below(name.get()) : new Name(name.get());
    }
    return AddressBlock.parse(text)
        .<HostRule>map(Addresses::new)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "must be an address, a block of them such as 10.1.0.0/16, a host name,"
                    + " *.example.com, \"pod\" for the pod's own addresses, or \"*\" for all"));
  }

  /**
   * {@return whether a probe may target a host}
   *
   * @param host as the probe names it, never empty
   */
  default boolean allows(String host) {
    return switch (this) {
      case Own _ -> false;
      case Any _ -> true;
      case Addresses(AddressBlock block) ->
          HostName.literal(host).filter(block::covers).isPresent();
      case Name(String name) -> HostName.of(host).filter(name::equals).isPresent();
      case Below(String domain) ->
          HostName.of(host).filter(name -> name.endsWith("." + domain)).isPresent();
    };
  }

  /** Normalizes the forms of a host, and rejects unusual ones. */
  final class HostName {
    private static final int LONGEST = 253;
    private static final Pattern NAME =
        Pattern.compile("[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?(\\.[a-z0-9_]([-a-z0-9_]*[a-z0-9_])?)*");

    /** A resolver treats 2130706433, 0x7f.1 or 127.1 as an address, so it is not a name. */
    private static final Pattern ENDS_IN_A_NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)");

    private static final Pattern FOUR_NUMBERS =
        Pattern.compile("(?:(?:0|[1-9][0-9]{0,2})(?:\\.|$)){4}");

    private HostName() {}

    /** {@return a host name in normalized form; empty if it is invalid} */
    static Optional<String> of(String host) {
      String name = host.toLowerCase(Locale.ROOT);
      name = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
      boolean good =
          name.length() <= LONGEST
              && NAME.matcher(name).matches()
              && !ENDS_IN_A_NUMBER.matcher(name).matches();
      return good ? Optional.of(name) : Optional.empty();
    }

    /** {@return the address of a host in the one unambiguous form} */
    static Optional<InetAddress> literal(String host) {
      boolean bracketed = host.startsWith("[") && host.endsWith("]") && host.length() > 2;
      String text = bracketed ? host.substring(1, host.length() - 1) : host;
      boolean version6 = text.indexOf(':') >= 0 && text.indexOf('%') < 0;
      boolean version4 = !bracketed && FOUR_NUMBERS.matcher(text).matches() && !text.endsWith(".");
      if (!version4 && !version6) {
        return Optional.empty();
      }
      try {
        return Optional.of(InetAddress.ofLiteral(text));
      } catch (IllegalArgumentException notOne) {
        return Optional.empty();
      }
    }
  }
}
