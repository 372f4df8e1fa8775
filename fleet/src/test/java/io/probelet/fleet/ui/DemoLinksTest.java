package io.probelet.fleet.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every page of {@code probelet ui --demo} that a link leads to. */
@Timeout(120)
class DemoLinksTest {
  private static final Pattern LINK = Pattern.compile(" href=\"([^\"#]+)");
  private static final int MAX_PAGES = 2_000;

  @Test
  void everyLinkLeadsToPage() throws Exception {
    try (ServedFleet served = ServedFleet.demo();
        HttpClient client =
            HttpClient.newBuilder()
                .cookieHandler(new CookieManager())
                .followRedirects(Redirect.NORMAL)
                .build()) {
      HttpResponse<String> first = get(client, served.address());
      Queue<URI> open = new ArrayDeque<>(links(first));
      Set<URI> seen = new HashSet<>(open);
      while (!open.isEmpty()) {
        URI page = open.remove();
        HttpResponse<String> answer = get(client, page);
        assertThat(answer.statusCode()).as("%s: %s", page, answer.body()).isEqualTo(200);
        assertThat(answer.body()).as(page.toString()).doesNotContain("Exception", "internal error");
        links(answer).stream().filter(seen::add).forEach(open::add);
        assertThat(seen).hasSizeLessThan(MAX_PAGES);
      }
      assertThat(seen)
          .hasSizeGreaterThan(80)
          .anyMatch(page -> page.toString().endsWith("agent?name=worker-c-9"));
    }
  }

  private static HttpResponse<String> get(HttpClient client, URI page) throws Exception {
    return client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
  }

  /** The links of a page to other pages of the same server. */
  private static List<URI> links(HttpResponse<String> page) {
    return LINK.matcher(page.body())
        .results()
        .map(link -> page.uri().resolve(link.group(1).replace("&amp;", "&")))
        .filter(link -> link.getPort() == page.uri().getPort())
        .distinct()
        .toList();
  }
}
