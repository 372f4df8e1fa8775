package io.probelet.web.scrape;

import io.probelet.web.http.ListenAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How metrics are scraped from elsewhere.
 *
 * @param listen where, over TLS; empty for nowhere
 */
public record ScrapeSettings(Optional<ListenAddress> listen, Path certificates) {
  /** Where the files in deploy/ mount the certificate. */
  public static final String CERTIFICATES = "/etc/probelet-metrics";

  private static final String NONE = "none";

  /** Metrics are there on the other listener only. */
  public static final ScrapeSettings OFF =
      new ScrapeSettings(Optional.empty(), Path.of(CERTIFICATES));

  /**
   * Reads where to listen.
   *
   * @param text an address, or none
   * @return the address; empty for none
   * @throws IllegalArgumentException if it is neither; the message is for the user
   */
  public static Optional<ListenAddress> parse(String text) {
    return text.equals(NONE) ? Optional.empty() : Optional.of(ListenAddress.parse(text));
  }
}
