package io.probelet.probe.http;

import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.ScriptedServer.Script;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a server answers by path, and the requests it saw. */
final class HttpServerPaths {
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** Serves one request a connection; unknown paths are answered 404. */
  Script serving(Map<String, String> responses) {
    return to -> serve(to, responses);
  }

  private void serve(ScriptedServer.Connection to, Map<String, String> responses) throws Exception {
    String request = to.request();
    requests.add(request);
    String path = request.split(" ", 3)[1];
    to.send(responses.getOrDefault(path, HttpProbing.response(404, "")));
  }

  List<String> requests() {
    return requests;
  }

  /** The target of each request. */
  List<String> targets() {
    return requests.stream().map(request -> request.split(" ", 3)[1]).toList();
  }

  /** One header's values in one request. */
  static List<String> header(String request, String name) {
    return request
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .toList();
  }
}
