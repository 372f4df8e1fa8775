package io.probelet.web.http;

import io.probelet.probe.engine.HistoryQuery;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ViewJson;
import java.util.List;
import java.util.Map;

/** {@code /api/v1/containers}: all containers as JSON, with their past when asked for. */
public final class ContainersResource implements Resource {
  private final Containers containers;

  /**
   * Creates the resource.
   *
   * @param containers read at each request
   */
  public ContainersResource(Containers containers) {
    this.containers = containers;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    ContainerChoice filter = ContainerChoice.of(query);
    HistoryQuery wanted =
        new HistoryQuery(
            history(query.getOrDefault("history", List.of("false")).getLast()),
            uptime(query.getOrDefault("uptime", List.of("false")).getLast()));
    List<ContainerView> all = containers.views(wanted, filter);
    List<ContainerView> views =
        filter.pod().isEmpty() ? all.stream().map(ContainerView::brief).toList() : all;
    return new Answer(200, JSON, out -> ViewJson.writeAll(views, ContainerView.class, out));
  }

  private static HistoryQuery.Day uptime(String wanted) throws BadRequest {
    return switch (wanted) {
      case "true", "" -> HistoryQuery.Day.UPTIME;
      case "false" -> HistoryQuery.Day.NONE;
      default -> throw new BadRequest("uptime must be true or false, found " + wanted);
    };
  }

  /** How much of the past a request wants, at most 9999. */
  static int history(String wanted) throws BadRequest {
    return switch (wanted) {
      case "true", "" -> ContainerView.MAX_HISTORY;
      case "false" -> 0;
      default -> {
        if (!wanted.matches("[0-9]{1,4}")) {
          throw new BadRequest(
              "history must be true, false or a number from 0 to 9999, found " + wanted);
        }
        yield Integer.parseInt(wanted);
      }
    };
  }
}
