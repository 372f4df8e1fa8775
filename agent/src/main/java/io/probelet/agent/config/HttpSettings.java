package io.probelet.agent.config;

import io.probelet.web.http.ListenAddress;
import io.probelet.web.scrape.ScrapeSettings;
import java.util.Set;

/**
 * How the agent's own HTTP server works.
 *
 * @param hosts names under which it is asked, besides addresses and localhost
 */
public record HttpSettings(ListenAddress listen, Set<String> hosts, ScrapeSettings metrics) {
  /** Keeps an unmodifiable copy of the names. */
  public HttpSettings {
    hosts = Set.copyOf(hosts);
  }

  /** Returns the same with another way to scrape metrics. */
  HttpSettings with(ScrapeSettings other) {
    return new HttpSettings(listen, hosts, other);
  }
}
