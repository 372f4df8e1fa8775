package io.probelet.rehearsal.prometheus;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Answers the queries of a tape, and only those, as Prometheus does, from series on a list. */
public final class FakePrometheus implements AutoCloseable {
  private final HttpServer server;
  private final List<Kept> kept = new ArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile int maxPoints = 11_000;

  private record Kept(String metric, String labels, Instant from, Instant to) {}

  public FakePrometheus() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/prom/api/v1/query_range", this::answer);
    server.start();
  }

  public URI url() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + "/prom");
  }

  /** A series exists from a moment until before another. */
  public void keep(String metric, String labels, Instant from, Instant to) {
    kept.add(new Kept(metric, labels, from, to));
  }

  /** A condition has a status. */
  public void condition(String node, String type, String status, Instant from, Instant to) {
    keep(
        "kube_node_status_condition",
        "\"node\":\"%s\",\"condition\":\"%s\",\"status\":\"%s\"".formatted(node, type, status),
        from,
        to);
  }

  /** Refuses as real ones do what has more points. */
  void allow(int points) {
    maxPoints = points;
  }

  /** What was asked, by time. */
  List<String> asked() {
    return asked;
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> asks =
        List.of(exchange.getRequestURI().getRawQuery().split("&")).stream()
            .map(each -> each.split("=", 2))
            .collect(
                Collectors.toMap(
                    each -> each[0], each -> URLDecoder.decode(each[1], StandardCharsets.UTF_8)));
    asked.add(asks.get("query"));
    long start = Long.parseLong(asks.get("start"));
    long end = Long.parseLong(asks.get("end"));
    long step = Long.parseLong(asks.get("step"));
    if ((end - start) / step + 1 > maxPoints) {
      send(
          exchange,
          422,
          "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"query processing would"
              + " load too many samples into memory in query execution\"}");
      return;
    }
    send(
        exchange,
        200,
        kept.stream()
            .filter(each -> asks.get("query").contains(each.metric + "{"))
            .map(each -> series(each, asks.get("query"), start, end, step))
            .filter(each -> !each.isEmpty())
            .collect(
                Collectors.joining(
                    ",",
                    "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[",
                    "]}}")));
  }

  private static String series(Kept kept, String query, long start, long end, long step) {
    LongPredicate is = at -> at >= kept.from.getEpochSecond() && at < kept.to.getEpochSecond();
    LongPredicate matches = is;
    if (query.contains(" unless ")) {
      boolean began = query.indexOf("offset") > query.indexOf("unless");
      matches = at -> is.test(at) == began && is.test(at - step) != began;
    }
    List<String> points = new ArrayList<>();
    for (long at = start; at <= end; at += step) {
      if (matches.test(at)) {
        points.add("[" + at + ",\"1\"]");
      }
    }
    return points.isEmpty()
        ? ""
        : "{\"metric\":{" + kept.labels + "},\"values\":[" + String.join(",", points) + "]}";
  }

  static void send(HttpExchange exchange, int code, String body) throws IOException {
    try (exchange) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(code, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
