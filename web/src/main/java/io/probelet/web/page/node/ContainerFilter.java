package io.probelet.web.page.node;

import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.Severity;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.page.PageQuery;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which containers a reader wants to see, as it is in the page's address.
 *
 * @param search words that must all occur in namespace, pod, container, state or a probe's handler;
 *     case does not matter
 * @param unwell whether to show unhealthy ones only
 */
public record ContainerFilter(String search, boolean unwell, int from) {
  /** Everything, from the first on. */
  public static final ContainerFilter ALL = new ContainerFilter("", false, 0);

  private static final int MAX_SEARCH_LENGTH = 100;

  /**
   * Reads it from a page's parameters.
   *
   * @param query the decoded parameters; only {@code q}, {@code show} and {@code from} are read
   * @throws BadRequest if one of them is invalid
   */
  public static ContainerFilter of(Map<String, List<String>> query) throws BadRequest {
    PageQuery parameters = new PageQuery(query);
    String search = parameters.text("q").strip();
    if (search.length() > MAX_SEARCH_LENGTH) {
      throw new BadRequest(
          "q must have at most %d characters, found %d"
              .formatted(MAX_SEARCH_LENGTH, search.length()));
    }
    String from = parameters.text("from");
    if (!from.matches("[0-9]{0,5}")) {
      throw new BadRequest("from must be an offset from 0 to 99999, found " + from);
    }
    return new ContainerFilter(
        search, unwell(parameters.text("show")), from.isEmpty() ? 0 : Integer.parseInt(from));
  }

  private static boolean unwell(String show) throws BadRequest {
    return switch (show) {
      case "", "all" -> false;
      case "unwell" -> true;
      default -> throw new BadRequest("show must be all or unwell, found " + show);
    };
  }

  boolean shows(ContainerView container, ContainerHealth health) {
    if (unwell && health.severity() == Severity.HEALTHY) {
      return false;
    }
    if (search.isEmpty()) {
      return true;
    }
    StringBuilder text =
        new StringBuilder(container.namespace())
            .append('/')
            .append(container.pod())
            .append(' ')
            .append(container.container())
            .append(' ')
            .append(container.state())
            .append(' ')
            .append(health.words());
    container.probes().forEach(probe -> text.append(' ').append(probe.handler()));
    String all = text.toString().toLowerCase(Locale.ROOT);
    for (String word : search.toLowerCase(Locale.ROOT).split("\\s+", -1)) {
      if (!all.contains(word)) {
        return false;
      }
    }
    return true;
  }

  /** The same from another place on. */
  ContainerFilter from(int place) {
    return new ContainerFilter(search, unwell, place);
  }

  /**
   * {@return a relative address with this filter}
   *
   * @param page the address without parameters
   */
  public String link(String page) {
    return PageQuery.link(
        page,
        "q",
        search,
        "show",
        unwell ? "unwell" : "",
        "from",
        from > 0 ? Integer.toString(from) : "");
  }
}
