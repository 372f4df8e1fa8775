package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import io.probelet.kube.FakeApiServer.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Processes requests on the objects of a store, unless a fault applies. */
final class RequestHandler {
  private final ObjectStore store;
  private final RequestFaults faults;
  private final AnswerWriter answers;
  private final Map<String, ObjectNode> discovery = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Request> done = new CopyOnWriteArrayList<>();

  RequestHandler(ObjectStore store, RequestFaults faults, AnswerWriter answers) {
    this.store = store;
    this.faults = faults;
    this.answers = answers;
  }

  void serve(String path, ObjectNode kinds) {
    discovery.put(path, kinds);
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** The writes carried out without a fault. */
  List<Request> done() {
    return List.copyOf(done);
  }

  void handle(HttpExchange exchange) throws IOException {
    String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
    String accepted = String.valueOf(exchange.getRequestHeaders().getFirst("Accept"));
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Request request =
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI(),
            type.split(";", 2)[0],
            accepted,
            body);
    requests.add(request);
    RequestFaults.Canned fault =
        faults.instead(
            request, String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    if (fault != null) {
      answers.send(exchange, fault);
      return;
    }
    if (!request.isRead()) {
      done.add(request);
    }
    try {
      carryOut(exchange, request);
    } catch (RefusedRequest refused) {
      answers.send(
          exchange, refused.code, RequestFaults.status(refused.code, refused.getMessage()));
    }
  }

  private void carryOut(HttpExchange exchange, Request request) throws IOException {
    if (!ObjectPath.isOne(request.path())) {
      boolean version = request.path().startsWith("/api");
      JsonNode kinds = discovery.get(request.path());
      answers.send(exchange, version && kinds == null ? 404 : 200, String.valueOf(kinds));
      return;
    }
    ObjectPath path = ObjectPath.of(request.path());
    switch (request.method()) {
      case "GET" -> read(exchange, path, request);
      case "POST" ->
          answers.send(exchange, 201, post(path, (ObjectNode) request.json()).toString());
      case "PUT" ->
          answers.send(exchange, 200, store.replace(path, (ObjectNode) request.json()).toString());
      case "PATCH" ->
          answers.send(exchange, 200, store.patch(path, request.type(), request.json()).toString());
      case "DELETE" -> {
        ObjectNode held = store.delete(path, request.json().path("preconditions"));
        answers.send(exchange, 200, held == null ? "{\"kind\":\"Status\"}" : held.toString());
      }
      default -> throw new RefusedRequest(405, request.method());
    }
  }

  /** Requests to a subresource, such as an eviction, are accepted without effect. */
  private ObjectNode post(ObjectPath path, ObjectNode object) {
    if (path.name().isEmpty()) {
      return store.create(path, object);
    }
    store.get(path.named(path.name()));
    return object;
  }

  private void read(HttpExchange exchange, ObjectPath path, Request request) throws IOException {
    Map<String, String> query = request.query();
    ObjectSelector selector = ObjectSelector.of(query);
    if (query.containsKey("watch")) {
      long since = Long.parseLong(query.getOrDefault("resourceVersion", "0"));
      ObjectWatch watch = store.watch(path, selector, since, request.takesProtobuf());
      try {
        answers.stream(exchange, watch);
      } finally {
        store.ended(watch);
      }
    } else if (path.name().isEmpty()) {
      String from = query.getOrDefault("continue", "");
      int limit = Integer.parseInt(query.getOrDefault("limit", "500"));
      JsonNode page = store.list(path, selector, from, limit);
      byte[] list =
          request.takesProtobuf()
              ? ProtobufWriter.list(page)
              : page.toString().getBytes(StandardCharsets.UTF_8);
      if (from.isEmpty()) {
        answers.sendInPieces(exchange, list);
      } else {
        answers.send(exchange, 200, list);
      }
    } else {
      answers.send(exchange, 200, store.get(path).toString());
    }
  }
}
