package io.probelet.cli.browser;

import static io.probelet.cli.browser.BrowserTab.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.health.ReservedPort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Takes the screenshots of the documentation ({@code scripts/pictures}) along the paths of
 * docs/how-to/finding-causes.md. Fails if a path does not lead to the cause. The screenshots show
 * only what Probelet itself served.
 */
final class Pictures {
  private static final int WIDTH = 1180;
  private static final int MAX_HEIGHT = 1000;
  private static final int PHONE_HEIGHT = 780;

  /** Its drain is held up by a PodDisruptionBudget. */
  private static final String STUCK = "worker-b-3";

  /** Its link goes down and comes up again. */
  private static final String FLAPPING = "worker-c-5";

  private static final String HANGS =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: catalog, namespace: shop}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - name: server
          command:
          - sh
          - -c
          - |
            mkdir -p /tmp/probelet-catalog; echo ok > /tmp/probelet-catalog/index.html
            echo 'catalog: 12,000 articles loaded'
            busybox httpd -f -p 127.0.0.1:@PORT@ -h /tmp/probelet-catalog & server=$!
            sleep 8; kill $server; wait $server
            echo 'catalog: waiting for lock articles.update'
            exec busybox nc -ll -p @PORT@ -e sleep 1000
          livenessProbe: {httpGet: {host: 127.0.0.1, port: @PORT@}, periodSeconds: 1}
      """;

  /** In a repository they stay for ever. */
  private static final int MAX_BYTES = 100 * 1000;

  private final Path folder;
  private final Path made;
  private final Chromium browser;

  private Pictures(Path folder, Path made, Chromium browser) {
    this.folder = folder;
    this.made = made;
    this.browser = browser;
  }

  public static void main(String[] args) throws Exception {
    Path made = Files.createTempDirectory("probelet-pictures");
    try (Chromium browser = Chromium.start()) {
      Pictures pictures = new Pictures(Path.of(args[0]), made, browser);
      pictures.node();
      pictures.hang();
      pictures.cluster();
    } finally {
      try (Stream<Path> files = Files.walk(made)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  /** A node of which one link flaps, and a shop on it that is not well. */
  private void node() throws Exception {
    try (ShopNode node = ShopNode.start(made);
        BrowserTab tab = browser.open()) {
      patiently().until(() -> node.container("checkout").path("ready").asBoolean());
      for (int i = 0; i < 3; i++) {
        node.kernel("eth1: link down");
        pass(Duration.ofSeconds(3));
        node.kernel("eth1: link up");
        pass(Duration.ofSeconds(3));
      }
      node.kernel("Memory cgroup out of memory: Killed process 4711 (mailer)");
      node.breakCheckout("cannot connect to postgres.shop.svc:5432: connection refused");
      patiently().until(() -> !node.container("checkout").path("ready").asBoolean());
      pass(Duration.ofSeconds(5));
      tab.load(node.page());
      says(tab, "connection refused", "eth1");
      take(tab, "node");
      follow(tab, "shop/checkout");
      says(tab, "connection refused");
      take(tab, "container");
    }
  }

  /** A catalog that answers for a few seconds after each start, then accepts only. */
  private void hang() throws Exception {
    Path pods = Files.createDirectories(made.resolve("hang")).resolve("pods.yaml");
    try (ReservedPort port = new ReservedPort();
        BrowserTab tab = browser.open()) {
      Files.writeString(pods, HANGS.replace("@PORT@", Integer.toString(port.number())));
      try (AgentUnderTest node =
          AgentUnderTest.start(
              "run",
              pods.toString(),
              "--listen=127.0.0.1:0",
              "--state-dir=" + made.resolve("hang/state"),
              "--back-off=1s",
              "--monitor=none")) {
        Duration longest = Duration.ofMinutes(2);
        patiently().atMost(longest).until(() -> node.container().at("/restartCount").asInt() == 3);
        tab.load(node.address().resolve("/"));
        follow(tab, "shop/catalog");
        says(tab, "it hangs", "3 times in", "Earlier: 2");
        take(tab, "why");
        node.signal("TERM");
        node.exitCode();
      }
    }
  }

  /** The demo: a drain that does not get on, a node that flaps, unhealthy containers. */
  private void cluster() throws Exception {
    try (AgentUnderTest ui = AgentUnderTest.start("ui", "--no-browser", "--demo");
        BrowserTab tab = browser.open()) {
      tab.load(ui.address());
      says(tab, STUCK, FLAPPING, "maxNodes 1", "was remediated 3 times within 24h");
      tab.until("!document.body.innerText.includes('Asking the agents')");
      URI fleet = URI.create(tab.eval("location.href").asText());
      take(tab, "fleet");
      follow(tab, STUCK);
      says(tab, "The disruption budget db needs 2 healthy pods", "shop/db-0");
      take(tab, "remediation");
      tab.load(fleet);
      follow(tab, FLAPPING);
      says(tab, "changed 9 times within 10m0s; now NoCarrier");
      take(tab, "flapping");
      tab.load(fleet.resolve("containers"));
      says(tab, "smtp.shop.svc", "OOMKilled");
      take(tab, "containers");
    }
  }

  private static void says(BrowserTab tab, String... texts) {
    for (String text : texts) {
      patiently()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() -> assertThat(tab.text()).contains(text));
    }
  }

  /** Clicks on the first link with a text. */
  private static void follow(BrowserTab tab, String text) {
    String before = tab.eval("location.href").asText();
    tab.eval(
        "[...document.querySelectorAll('a')].find(a => a.textContent.includes('%s')).click()"
            .formatted(text));
    tab.until("location.href !== '" + before + "' && document.readyState === 'complete'");
  }

  /** What is in a picture has a past. */
  private static void pass(Duration time) {
    Awaitility.await().pollDelay(time).atMost(time.plusSeconds(30)).until(() -> true);
  }

  private void take(BrowserTab tab, String name) throws IOException {
    for (boolean dark : new boolean[] {false, true}) {
      tab.size(WIDTH, MAX_HEIGHT).dark(dark);
      int height = tab.eval("Math.ceil(document.body.getBoundingClientRect().height)").asInt();
      tab.size(WIDTH, Math.min(height, MAX_HEIGHT));
      take(tab, folder.resolve(name + (dark ? "-dark.png" : "-light.png")));
    }
    tab.size(BrowserTab.PHONE, PHONE_HEIGHT).dark(false);
    take(tab, folder.resolve(name + "-phone.png"));
  }

  private static void take(BrowserTab tab, Path file) throws IOException {
    tab.picture(file);
    SmallPng.shrink(file);
    System.out.println(file + ": " + Files.size(file) + " bytes");
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + " has more than " + MAX_BYTES + " bytes");
    }
  }
}
