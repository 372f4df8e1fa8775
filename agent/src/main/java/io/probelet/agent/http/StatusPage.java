package io.probelet.agent.http;

import io.probelet.agent.api.ContainerView;
import io.probelet.agent.api.ContainerView.ProbeView;
import io.probelet.probe.engine.ContainerSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** {@code /}: the containers as a page that renews itself, without scripts. */
public final class StatusPage implements Resource {
  private static final int MAX_MESSAGE_LENGTH = 200;
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="refresh" content="5">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Probelet</title>
      <style>
      :root { color-scheme: light dark }
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; max-width: 75rem }
      table { border-collapse: collapse; width: 100% }
      caption, th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0 }
      tr + tr, tbody { border-top: 1px solid #8886 }
      td ul { margin: 0; padding: 0; list-style: none }
      td li { overflow-wrap: anywhere }
      .good { color: #1a7f37 } .bad { color: #cf222e } .open { color: #9a6700 }
      small { opacity: .75 }
      </style>
      </head>
      <body>
      <h1>Probelet</h1>
      <table>
      """;
  private static final String COLUMNS =
      """
      <thead><tr><th>Pod<th>Container<th>State<th>Ready<th>Started<th>Restarts<th>Probes</thead>
      <tbody>
      """;
  private static final String FOOT =
      """
      </tbody>
      </table>
      <p><a href="/api/v1/containers?history=true">JSON</a> · <a href="/metrics">metrics</a>
       · <a href="/readyz?verbose">readiness</a>
      </body>
      </html>
      """;

  private final Containers containers;

  /**
   * Creates the page.
   *
   * @param engine asked for the containers, with so many past outcomes, at each request
   */
  public StatusPage(IntFunction<CompletableFuture<List<ContainerSnapshot>>> engine) {
    containers = new Containers(engine);
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    List<ContainerView> views = containers.views(0);
    long ready = views.stream().filter(ContainerView::ready).count();
    StringBuilder page = new StringBuilder(HEAD);
    page.append("<caption>%d of %d containers ready</caption>\n".formatted(ready, views.size()));
    page.append(COLUMNS);
    views.forEach(view -> row(page, view));
    return Answer.of(200, HTML, page.append(FOOT).toString());
  }

  private static void row(StringBuilder page, ContainerView view) {
    page.append("<tr><td>").append(escaped(view.namespace() + "/" + view.pod()));
    page.append("<td>").append(escaped(view.container()));
    page.append("<td>").append(escaped(view.state()));
    page.append("<td>").append(answer(view.ready()));
    page.append("<td>").append(answer(view.started()));
    page.append("<td>").append(view.restartCount()).append("<td><ul>");
    view.probes().forEach(probe -> item(page, probe));
    page.append("</ul>\n");
  }

  private static void item(StringBuilder page, ProbeView probe) {
    String colour =
        switch (probe.result()) {
          case "Success" -> "good";
          case "Failure" -> "bad";
          default -> "open";
        };
    page.append(
        "<li>%s %s <b class=%s>%s</b>"
            .formatted(probe.kind(), escaped(probe.handler()), colour, probe.result()));
    if (probe.lastProbe() != null) {
      page.append(
          " <small>%s, %s ms: %s</small>"
              .formatted(
                  probe.lastProbe(), probe.lastLatencyMs(), escaped(shortened(probe.message()))));
    }
  }

  private static String answer(boolean yes) {
    return yes ? "<span class=good>yes</span>" : "<span class=bad>no</span>";
  }

  private static String shortened(String message) {
    return message.length() <= MAX_MESSAGE_LENGTH
        ? message
        : message.substring(0, MAX_MESSAGE_LENGTH) + "…";
  }

  /** What a target says is text, whatever it would like to be. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
