package io.probelet.agent.server;

import io.probelet.web.http.Resource;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@code GET /v1/events}: the events after a number, or those that come within a while. */
final class EventsRoute implements Resource {
  static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final String instance;
  private final EventBuffer events;

  EventsRoute(String instance, EventBuffer events) {
    this.instance = instance;
    this.events = events;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws BadRequest, InterruptedException {
    String of = query.getOrDefault("instance", List.of("")).getLast();
    if (of.isEmpty()) {
      throw new BadRequest("instance is required; GET /v1/pods says it");
    }
    long after = number(query, "after", "", Long.MAX_VALUE);
    long wait = number(query, "wait", "30", LONGEST_WAIT.toSeconds());
    EventBuffer.Batch batch = events.after(after, of.equals(instance), Duration.ofSeconds(wait));
    return new Answer(200, JSON, out -> write(batch, out));
  }

  private void write(EventBuffer.Batch batch, OutputStream out) throws IOException {
    Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    text.write(
        "{\"instance\":\"%s\",\"gap\":%b,\"sequence\":%d,\"events\":["
            .formatted(instance, batch.gap(), batch.last()));
    text.write(String.join(",", batch.events()));
    text.write("]}\n");
    text.flush();
  }

  private static long number(
      Map<String, List<String>> query, String name, String otherwise, long most) throws BadRequest {
    String text = query.getOrDefault(name, List.of(otherwise)).getLast();
    if (text.matches("[0-9]{1,18}") && Long.parseLong(text) <= most) {
      return Long.parseLong(text);
    }
    throw new BadRequest(
        "%s must be a number from 0%s, found \"%s\""
            .formatted(name, most == Long.MAX_VALUE ? "" : " to " + most, text));
  }
}
