package io.probelet.web.http;

import io.probelet.web.api.RecentEvent;
import io.probelet.web.api.ViewJson;
import io.probelet.web.events.RecentEvents;
import java.util.List;
import java.util.Map;

/** {@code /api/v1/events}: recent events of containers, pods and the agent, as JSON. */
public final class EventsResource implements Resource {
  private static final String ALL = "9999";

  private final RecentEvents events;

  /**
   * Creates the resource.
   *
   * @param events read at each request
   */
  public EventsResource(RecentEvents events) {
    this.events = events;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws BadRequest {
    String wanted = query.getOrDefault("limit", List.of(ALL)).getLast();
    if (!wanted.matches("[0-9]{1,4}")) {
      throw new BadRequest("limit=" + wanted + " must be a number from 0 to 9999");
    }
    List<RecentEvent> newest = events.newest(Integer.parseInt(wanted));
    return new Answer(200, JSON, out -> ViewJson.writeAll(newest, RecentEvent.class, out));
  }
}
